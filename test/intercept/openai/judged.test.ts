/** The real SDK, the real rules and the real telemetry: what comes in on other ways than `create` is known like the rest. */

import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { type OpenAiScript, type Simulator, startSimulator } from '../../../src/simulator/index.ts';
import { meterHarness, total, tracerHarness } from '../../emit/telemetry.ts';
import type { Any } from '../support/call-shapes.ts';

const MODEL = 'gpt-6.2-astra';
const TOOLS = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} }, strict: false }];

/** One tool call, then an answer. */
const script: OpenAiScript = ({ step }) =>
  step === 0
    ? { content: [{ think: 'What next?', tokens: 300 }, { tool: 'look_up' }] }
    : { content: [{ think: 'Enough.', tokens: 100 }, { text: 'Done.' }] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({
    seed: 'judged',
    responses: { script, organizations: { 'of another': { id: 'org-another' } } },
  });
});
afterAll(() => simulator.close());

function setUp() {
  const spans = tracerHarness();
  const meters = meterHarness();
  const providers = { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider };
  const client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'key', maxRetries: 0 });
  const judged = () =>
    spans
      .ended()
      .map(({ attributes }) => [attributes['reasoning.continuity'], attributes['reasoning.blocks.dropped'] ?? 0]);
  return { client, providers, judged, meters, last: () => spans.ended().at(-1) };
}

const user = (content: string) => ({ role: 'user', content });
const resultsOf = (output: Any[]) =>
  output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: '4' }));
const WAYS = [
  ['as it was given', (output: Any[]) => output, ['intact', 0]],
  ['without its reasoning', (output: Any[]) => output.filter(({ type }) => type !== 'reasoning'), ['stripped', 1]],
] as const;

describe('a response in the background, sent back', () => {
  it.each(WAYS)('%s: known by what was fetched', async (_name, back, verdict) => {
    const { client, providers, judged, meters } = setUp();
    const { responses }: Any = instrumentClient(client, providers);
    const input: Any[] = [user(`In the background, ${_name}.`)];
    const begun = await responses.create({ model: MODEL, tools: TOOLS, input, background: true });
    expect([begun.status, begun.output]).toEqual(['queued', []]);
    const fetched = await responses.retrieve(begun.id);
    expect(fetched.status).toBe('completed');
    // Asked for once more, it is no other.
    await responses.retrieve(begun.id);
    input.push(...back(fetched.output), ...resultsOf(fetched.output));
    await responses.create({ model: MODEL, tools: TOOLS, input }).catch(() => undefined);
    expect(judged()).toEqual([['not_applicable', 0], verdict]);
    const metrics = await meters.collect();
    expect(total(metrics.get('reasoning.calls')?.points ?? [])).toBe(2);
    expect(total(metrics.get('reasoning.blocks.expected')?.points ?? [])).toBe(1);
    await meters.meterProvider.shutdown();
  });

  it('fetched as a stream: the same', async () => {
    const { client, providers, judged, meters } = setUp();
    const { responses }: Any = instrumentClient(client, providers);
    const input: Any[] = [user('In the background, as a stream.')];
    const { id } = await responses.create({ model: MODEL, tools: TOOLS, input, background: true });
    let output: Any[] = [];
    for await (const event of await responses.retrieve(id, { stream: true }))
      if (event.type === 'response.completed') output = event.response.output;
    input.push(...output, ...resultsOf(output));
    await responses.create({ model: MODEL, tools: TOOLS, input });
    expect(judged()).toEqual([
      ['not_applicable', 0],
      ['intact', 0],
    ]);
    await meters.meterProvider.shutdown();
  });
});

describe('two keys in one loop', () => {
  /** The call under the first key, its results under the second. */
  const loop = async (model: string, first: string, second: string) => {
    const { client, providers, meters, last } = setUp();
    const input: Any[] = [user(`With ${first}, ${second}, ${model}.`)];
    for (const apiKey of [first, second]) {
      const { responses }: Any = instrumentClient(client.withOptions({ apiKey }), providers);
      const { output = [] } = await responses
        .create({ model, tools: TOOLS, store: false, input })
        .catch((error: unknown) => error);
      input.push(...output, ...resultsOf(output));
    }
    await meters.meterProvider.shutdown();
    return last()?.attributes;
  };

  it.each(['gpt-5.6-sol', MODEL])('of one organization are no reason to doubt (%s)', async (model) => {
    const attributes = await loop(model, 'key one', 'key two');
    expect(attributes).toMatchObject({ 'reasoning.continuity': 'intact', 'reasoning.dropped': false });
    expect(attributes).not.toHaveProperty('reasoning.finding.kinds');
  });
  it('of two are told by the refusal', async () => {
    expect(await loop('gpt-5.6-sol', 'key one', 'of another')).toMatchObject({
      'reasoning.rejection': 'encrypted_content_invalid',
      'reasoning.finding.kind': 'foreign',
      'reasoning.blocks.damaged': 1,
    });
  });
  it('of two: refused for what the other key’s organization made, and for nothing else', async () => {
    const { client, providers, meters, last } = setUp();
    const ask = async (apiKey: string, input: Any[]): Promise<Any[]> => {
      const { responses }: Any = instrumentClient(client.withOptions({ apiKey }), providers);
      return (await responses.create({ model: 'gpt-5.6-sol', tools: TOOLS, store: false, input })).output;
    };
    const bare = (items: Any[]): Any[] => items.map(({ id: _, ...item }) => item);
    const start = [user('Of two, both there.')];
    const one = bare(await ask('key one', start));
    const before = [...start, ...one.filter(({ type }) => type !== 'reasoning'), ...resultsOf(one)];
    const two = bare(await ask('of another', before));
    const both = [...start, ...one, ...resultsOf(one), ...two, user('And then?')];
    await expect(ask('of another', both)).rejects.toMatchObject({ status: 400 });
    expect(last()?.attributes).toMatchObject({ 'reasoning.finding.kind': 'foreign', 'reasoning.blocks.damaged': 1 });
    await meters.meterProvider.shutdown();
  });
  it('or by the provider’s own list', async () => {
    expect(await loop(MODEL, 'key one', 'of another')).toMatchObject({
      'reasoning.dropped': true,
      'reasoning.drop.reason': 'organization_mismatch',
      'reasoning.drop.source': 'server',
    });
  });
});

describe('a loop over a WebSocket', () => {
  it.each(WAYS)('%s: judged like any other', async (_name, back, verdict) => {
    const { client, providers, judged, meters } = setUp();
    const socket: Any = instrumentClient(new ResponsesWS(client), providers);
    socket.on('error', () => undefined);
    const ask = (input: Any[]): Promise<Any> =>
      new Promise((resolve) => {
        const onEvent = (event: Any): void => {
          if (event.type !== 'response.completed' && event.type !== 'error') return;
          socket.off('event', onEvent);
          resolve(event.response);
        };
        socket.on('event', onEvent);
        socket.send({ type: 'response.create', model: MODEL, tools: TOOLS, store: false, input });
      });
    const input: Any[] = [user(`Over a socket, ${_name}.`)];
    const { output } = await ask(input);
    input.push(...back(output), ...resultsOf(output));
    await ask(input);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.close();
    await closed;
    expect(judged()).toEqual([['not_applicable', 0], verdict]);
    await meters.meterProvider.shutdown();
  });
});
