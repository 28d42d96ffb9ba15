/** The real SDK, the real rules and the real telemetry: what tells a host, a helper or an upstream beside the body. */

import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { clientWatcher } from '../../../src/intercept/watch-client.ts';
import { type OpenAiScript, type Simulator, startSimulator } from '../../../src/simulator/index.ts';
import { tracerHarness } from '../../emit/telemetry.ts';
import type { Any } from '../support/call-shapes.ts';
import { recorder } from '../support/recording.ts';

/** One tool call in a turn, then an answer. */
const script: OpenAiScript = ({ step }) =>
  step === 0
    ? { content: [{ think: 'What should be looked up next?', tokens: 300 }, { tool: 'look_up' }] }
    : { content: [{ think: 'That is enough to answer.', tokens: 100 }, { text: 'All eleven crates are here.' }] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({ seed: 'chat facts', chat: { script } });
});
afterAll(() => simulator.close());

const VERSIONS = ['openai-4.87', 'openai-6.49', 'openai'] as const;

async function setUp(version: string, options: object) {
  const spans = tracerHarness();
  const { default: OpenAI } = await import(version);
  const given = new OpenAI({ apiKey: 'key', maxRetries: 0, ...options });
  const client: Any = instrumentClient(given, { tracerProvider: spans.tracerProvider });
  const last = () => spans.ended().at(-1);
  return { client, last, ended: spans.ended };
}

const FUNCTION = { name: 'look_up', parameters: { type: 'object', properties: {} } };
const TOOLS = [{ type: 'function', function: FUNCTION }];
const RUNNABLE = { type: 'function', function: { ...FUNCTION, function: () => '11', parse: JSON.parse } };
const user = (content: string) => ({ role: 'user', content });
const findings = (span: Any): Any[] =>
  (span?.events ?? []).filter(({ name }: Any) => name === 'reasoning.finding').map(({ attributes }: Any) => attributes);

describe.each(VERSIONS)('%s', (version) => {
  describe('the path of the base URL', () => {
    /** Sends what would go to Z.ai to the simulated one, path and all. */
    const redirected = (url: string, init: Any): Promise<Response> =>
      fetch(String(url).replace('https://api.z.ai', `${simulator.url}/glm`), init);

    const secondTurn = async (baseURL: string): Promise<Any> => {
      const { client, last } = await setUp(version, { baseURL, fetch: redirected });
      const ask = async (messages: Any[]): Promise<Any> =>
        (await client.chat.completions.create({ model: 'glm-5.1', tools: TOOLS, messages })).choices[0].message;
      const messages: Any[] = [user(`Are all crates here? ${version}`)];
      const called = await ask(messages);
      messages.push(called, { role: 'tool', tool_call_id: called.tool_calls[0].id, content: '11' });
      messages.push(await ask(messages), user('Which is the heaviest?'));
      await ask(messages.map(({ reasoning_content: _, ...message }) => message));
      return last();
    };

    it('tells the Coding Plan of GLM, which reads the reasoning of earlier turns', async () => {
      const span = await secondTurn('https://api.z.ai/api/coding/paas/v4');
      expect(span.attributes).toMatchObject({ 'reasoning.dropped': true, 'reasoning.blocks.dropped': 2 });
    });
    it('and its standard endpoint, which does not', async () => {
      const span = await secondTurn('https://api.z.ai/api/paas/v4');
      expect(span.attributes).toMatchObject({ 'reasoning.dropped': false });
      expect(findings(span)).toEqual([]);
    });
    it('stands in no telemetry', async () => {
      const span = await secondTurn('https://api.z.ai/tenant-4711/coding/paas/v4');
      expect(JSON.stringify([span.name, span.attributes, span.events])).not.toContain('tenant-4711');
    });
  });

  it.each(['runTools', 'stream'])('%s is handed on by its name', async (helper) => {
    const { default: OpenAI } = await import(version);
    const { observe, take } = recorder();
    const given = new OpenAI({ apiKey: 'key', maxRetries: 0, baseURL: `${simulator.url}/v1` });
    clientWatcher(observe)(given);
    const { completions } = version === 'openai-4.87' ? given.beta.chat : given.chat;
    const body = { model: 'gpt-4.1', messages: [user(`By ${helper}, ${version}`)], tools: [RUNNABLE] };
    await completions[helper](body).done();
    await given.chat.completions.create({ model: 'gpt-4.1', messages: [user('By none')] });
    const headers = take().map(({ seen }) => seen.headers);
    expect([headers[0], headers.at(-1)]).toEqual([{ 'x-stainless-helper-method': helper }, undefined]);
  });

  it('a helper that loses reasoning is named', async () => {
    const { client, last } = await setUp(version, { baseURL: `${simulator.url}/glm/v1` });
    const { completions } = version === 'openai-4.87' ? client.beta.chat : client.chat;
    // A history that the application brings along, its order of members not the one that the helper makes.
    const { choices } = await client.chat.completions.create({
      model: 'glm-5.1',
      tools: TOOLS,
      messages: [user(`Are all crates here, by helper? ${version}`)],
    });
    const called = choices[0].message;
    const messages = [
      user(`Are all crates here, by helper? ${version}`),
      { ...called, content: called.content ?? '' },
      { role: 'tool', tool_call_id: called.tool_calls[0].id, content: '11' },
    ];
    await completions.runTools({ model: 'glm-5.1', messages, tools: [RUNNABLE] }).done();
    const expected =
      version === 'openai-4.87'
        ? []
        : [expect.objectContaining({ 'reasoning.finding.kind': 'dropped', 'reasoning.finding.culprit': 'sdk' })];
    expect(findings(last())).toEqual(expected);
  });

  it('what is wrong may stand in the place of the parameter', async () => {
    const { client, last } = await setUp(version, { baseURL: `${simulator.url}/mimo/v1` });
    const ask = (messages: Any[]) => client.chat.completions.create({ model: 'mimo-v2.5-pro', tools: TOOLS, messages });
    const messages: Any[] = [user(`Are all crates here, by MiMo? ${version}`)];
    const { choices } = await ask(messages);
    const { role, content, tool_calls } = choices[0].message;
    messages.push({ role, content, tool_calls }, { role: 'tool', tool_call_id: tool_calls[0].id, content: '11' });
    const refused = await ask(messages).catch((error: unknown) => error);
    expect(refused.message).toContain('Param Incorrect');
    expect(last()?.attributes).toMatchObject({
      'reasoning.rejected': true,
      'reasoning.rejection': 'reasoning_missing',
      'reasoning.dropped': true,
    });
  });

  it('what an upstream said is read out of a gateway’s envelope', async () => {
    const { client, last } = await setUp(version, { baseURL: `${simulator.url}/openrouter/v1` });
    const model = 'deepseek/deepseek-v4-pro';
    const ask = (messages: Any[]) => client.chat.completions.create({ model, tools: TOOLS, messages });
    const messages: Any[] = [user(`Are all crates here, by gateway? ${version}`)];
    const { choices } = await ask(messages);
    const { role, content, tool_calls } = choices[0].message;
    messages.push({ role, content, tool_calls }, { role: 'tool', tool_call_id: tool_calls[0].id, content: '11' });
    const refused = await ask(messages).catch((error: unknown) => error);
    expect(refused.status).toBe(400);
    expect(refused.message).toContain('Provider returned error');
    expect(last()?.attributes).toMatchObject({
      'reasoning.rejected': true,
      'reasoning.rejection': 'reasoning_missing',
      'reasoning.dropped': true,
    });
  });
});
