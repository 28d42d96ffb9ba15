import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntime } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { instrumentClient } from '../src/index.ts';
import { API_RUNS, type ApiRun, type Wire } from './api-runs.ts';
import { typical } from './measure.ts';

const REPEATS = 9;

/** Microseconds of processor time of this process, a call; the server is another process. */
export interface CallFigures {
  readonly api: string;
  readonly without: number;
  readonly with: number;
}

interface Server {
  readonly baseURL: string;
  stop(): void;
}

async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./answering-server.ts', import.meta.url)));
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the answering server ended with ${code}`)));
  });
  return { baseURL: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() };
}

interface CallOptions {
  readonly headers: Readonly<Record<string, string>>;
}
/** Sends a body through the real SDK. */
type Send = (body: Wire, options: CallOptions) => Promise<unknown>;
type Watch = <Client extends object>(client: Client) => Client;

/** How each API is called; a client of its own each time, with the watching that `watch` puts on it. */
const SENDERS: Readonly<Record<keyof typeof API_RUNS, (baseURL: string, watch: Watch) => Send>> = {
  messages(baseURL, watch) {
    const { messages } = watch(new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 }));
    return (body, options) => messages.create(body as never, options);
  },
  responses(baseURL, watch) {
    const { responses } = watch(new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 }));
    return (body, options) => responses.create(body as never, options);
  },
  chat(baseURL, watch) {
    const { chat } = watch(new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 }));
    return (body, options) => chat.completions.create(body as never, options);
  },
  generate(baseUrl, watch) {
    const { models } = watch(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }));
    return ({ config, ...body }, httpOptions) =>
      models.generateContent({ ...body, config: { ...(config as Wire), httpOptions } } as never);
  },
  interactions(baseUrl, watch) {
    const client = watch(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }));
    return (body, options) => client.interactions.create(body as never, options as never);
  },
  converse(endpoint, watch) {
    const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
    const client = watch(new BedrockRuntime({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 }));
    let headers = {};
    // Calls take no headers of their own.
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: object }).headers, headers);
        return next(args);
      },
      { step: 'build' },
    );
    return (body, options) => {
      headers = options.headers;
      return client.converse(body as never);
    };
  },
};

let runs = 0;

/** One agent run of `steps` calls, messages kept. Returns the processor time of each call. */
async function agentRun(api: ApiRun, send: Send, steps: number): Promise<number[]> {
  const run = `e${runs++}`;
  const body = api.firstBody();
  globalThis.gc?.();
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const before = process.cpuUsage();
    const answer = await send(body, { headers: { 'x-run': run, 'x-step': String(step) } });
    const spent = process.cpuUsage(before);
    times.push(spent.user + spent.system);
    api.append(body, run, step, answer as Wire);
  }
  return times;
}

/** Runs with and without us take turns, so that a busy moment of the machine falls on both. */
export async function endToEnd(name: keyof typeof API_RUNS, steps: number): Promise<CallFigures> {
  const server = await startServer();
  try {
    const api = API_RUNS[name];
    const plain = SENDERS[name](server.baseURL, (client) => client);
    const observed = SENDERS[name](server.baseURL, instrumentClient);
    const runsWithout: number[][] = [];
    const runsWith: number[][] = [];
    for (let repeat = -1; repeat < REPEATS; repeat += 1) {
      const [without, observing] = [await agentRun(api, plain, steps), await agentRun(api, observed, steps)];
      if (repeat < 0) continue;
      runsWithout.push(without);
      runsWith.push(observing);
    }
    return { api: api.api, without: typical(runsWithout), with: typical(runsWith) };
  } finally {
    server.stop();
  }
}
