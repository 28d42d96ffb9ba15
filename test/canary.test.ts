import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConverseScript,
  type GeminiScript,
  type OpenAiScript,
  type Script,
  type Simulator,
  startSimulator,
} from '../src/simulator/index.ts';
import { CONTROL, MARKER, ODD } from './canary/marker.ts';

/** A model that thinks the marker, calls a tool with it, and fails with it where asked to. */
const model: Script = ({ step, userText }) => {
  if (userText.includes('fails')) {
    return { content: [], fault: { kind: 'status', status: 529, message: `${MARKER} of an error` } };
  }
  const think = {
    think: `${MARKER} of a thought. More of it.`,
    summary: `${MARKER} of a summary`,
    tokens: 200,
    plan: MARKER,
  };
  const text = { text: `${MARKER} of a text` };
  if (userText.includes('breaks')) {
    const at = { event: 'text_delta' };
    return { content: [think, text], fault: { kind: 'error_event', type: 'overloaded_error', message: MARKER, at } };
  }
  if (userText.includes('odd_tool')) return { content: [think, { tool: ODD, input: { [MARKER]: MARKER } }] };
  if (step >= 2) return { content: [think, text] };
  const redacted = { think: `${MARKER} of what is hidden`, redacted: true };
  return { content: [think, redacted, { tool: 'look_up', input: { [`${MARKER}_key`]: MARKER, step } }] };
};

/** The same by the OpenAI APIs. */
const openAiModel: OpenAiScript = ({ api, step, userText }) => {
  if (userText.includes('fails')) {
    return { content: [], fault: { kind: 'status', status: 503, message: `${MARKER} of an error`, code: MARKER } };
  }
  const think = { think: `${MARKER} of a thought. More of it.`, summary: `${MARKER} of a summary`, plan: MARKER };
  const text = { text: `${MARKER} of a text` };
  if (userText.includes('breaks') && api === 'openai-responses') {
    const at = { event: 'response.output_text.delta' };
    return { content: [think, text], fault: { kind: 'error_event', type: 'server_error', message: MARKER, at } };
  }
  if (userText.includes('odd_tool')) return { content: [think, { tool: ODD, input: { [MARKER]: MARKER } }] };
  if (step >= 2) return { content: [think, text] };
  return { content: [think, { tool: 'look_up', input: { [`${MARKER}_key`]: MARKER, step } }] };
};

/** The same by the Gemini APIs. */
const geminiModel: GeminiScript = ({ api, step, userText }) => {
  if (userText.includes('fails')) {
    return { content: [], fault: { kind: 'status', status: 400, message: `${MARKER} of an error`, code: MARKER } };
  }
  const think = { think: `${MARKER} of a thought. More of it.`, summary: `${MARKER} of a summary`, plan: MARKER };
  const text = { text: `${MARKER} of a text` };
  if (userText.includes('breaks')) {
    const at = { event: api === 'gemini-generate' ? 'text' : 'step.delta' };
    return { content: [think, text], fault: { kind: 'error_event', type: 'INTERNAL', message: MARKER, at } };
  }
  if (userText.includes('odd_tool')) return { content: [think, { tool: ODD, input: { [MARKER]: MARKER } }] };
  if (step >= 2) return { content: [think, text] };
  return { content: [think, { tool: 'look_up', input: { [`${MARKER}_key`]: MARKER, step } }] };
};

/** The same by models other than Claude behind Converse. */
const converseModel: ConverseScript = ({ step }) => {
  const think = { think: `${MARKER} of a thought.`, plan: MARKER };
  if (step >= 2) return { content: [think, { text: `${MARKER} of a text` }] };
  return { content: [think, { tool: 'look_up', input: { [`${MARKER}_key`]: MARKER, step } }] };
};

let simulator: Simulator;
let receiver: Server;
const received = new Map<string, Buffer[]>();

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'canary',
    anthropic: { script: model, caching: 'automatic' },
    responses: { script: openAiModel },
    chat: { script: openAiModel },
    bedrock: { script: converseModel },
    gemini: { script: geminiModel },
    interactions: { script: geminiModel },
  });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const key = request.url ?? '';
      received.set(key, [
        ...(received.get(key) ?? []),
        request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body,
      ]);
      response.setHeader('content-type', request.headers['content-type'] ?? '').end(key.includes('json') ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await simulator.close();
  await new Promise((resolve) => receiver.close(resolve));
});

/** Runs the application; what it printed, and what the receiver got from it. */
async function run(
  application: string,
  route: string,
  env: Readonly<Record<string, string>>,
): Promise<{ printed: string; sent: Buffer }> {
  const { port } = receiver.address() as AddressInfo;
  const child = spawn(process.execPath, [fileURLToPath(new URL(`canary/${application}.ts`, import.meta.url))], {
    env: {
      PATH: process.env.PATH ?? '',
      SIMULATOR_URL: simulator.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/${route}`,
      OTEL_LOG_LEVEL: 'all',
      OTEL_METRIC_EXPORT_INTERVAL: '3600000',
      OTEL_METRIC_EXPORT_TIMEOUT: '30000',
      OTEL_NODE_RESOURCE_DETECTORS: 'none',
      ...env,
    },
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code, printed).toBe(0);
  const sent = [...received].filter(([url]) => url.startsWith(`/${route}/`)).flatMap(([, bodies]) => bodies);
  return { printed, sent: Buffer.concat(sent) };
}

/** Where the marker stands, with what is around it. */
function sightings(text: string): string[] {
  return [...text.matchAll(new RegExp(MARKER, 'gi'))].map(({ index }) =>
    JSON.stringify(text.slice(index - 120, index + 80)),
  );
}

const OTLP = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp' };
const CONSOLE = { OTEL_TRACES_EXPORTER: 'console', OTEL_METRICS_EXPORTER: 'console', OTEL_LOGS_EXPORTER: 'console' };

const APPLICATIONS = [
  { application: 'application', names: ['chat claude-sonnet-5-5', 'anthropic.messages.create'] },
  { application: 'openai-application', names: ['chat gpt-6.2-sol', 'chat gpt-5.6-sol', 'chat deepseek-v4-pro'] },
  {
    application: 'gemini-application',
    names: ['generate_content gemini-3.8-flash', 'generate_content gemini-2.5-flash'],
  },
  {
    application: 'bedrock-application',
    names: ['chat us.anthropic.claude-opus-4-8-v1:0', 'chat us.amazon.nova-2-lite-v1:0'],
  },
];

const EXPORTERS = [
  { route: 'json', env: { ...OTLP, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' } },
  { route: 'protobuf', env: { ...OTLP, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' } },
  { route: 'console', env: CONSOLE },
];

describe.each(APPLICATIONS)(
  'content of the $application appears in no span, metric, log or console line',
  ({ application, names }) => {
    test.each(EXPORTERS)('$route', async ({ route, env }) => {
      const before = simulator.requests.length;
      const { printed, sent } = await run(application, `${application}-${route}`, env);
      const exported = route === 'console' ? printed : sent.toString('latin1');

      // It would be found: the application's own words are, on a span, on a metric and on a line.
      expect(exported.split(CONTROL).length - 1).toBeGreaterThanOrEqual(2);
      expect(printed).toContain(CONTROL);
      // It was there to be found: every request carried it, and refusals repeated it.
      const requests = simulator.requests.slice(before);
      expect(requests.length).toBeGreaterThan(80);
      expect(requests.filter(({ body }) => !JSON.stringify(body).includes(MARKER))).toEqual([]);
      expect(
        requests.filter(({ verdict }) => JSON.stringify(verdict.answer ?? '').includes(MARKER)).length,
      ).toBeGreaterThan(40);
      // And it was judged: losses, refusals and both kinds of spans are on record.
      for (const name of [
        'reasoning.blocks.dropped',
        'reasoning.finding',
        'reasoning.tool_calls',
        'gen_ai.client.inference.duration',
        ...names,
      ]) {
        expect(exported, name).toContain(name);
      }

      expect(sightings(exported)).toEqual([]);
      expect(sightings(printed)).toEqual([]);
    });
  },
);
