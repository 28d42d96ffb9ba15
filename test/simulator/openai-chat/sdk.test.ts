import { createRequire } from 'node:module';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Simulator } from '../../../src/simulator/index.ts';
import { type Loose, lastAnswer, simulator } from '../support.ts';
import { planned, ROUNDS, resultsFor, TOOLS } from './support.ts';

const load = createRequire(import.meta.url);
const scripted = (more: Loose = {}) => simulator({ chat: { script: ROUNDS, ...more } });
const clientOf = (sim: Simulator, host: string, Client: typeof OpenAI = OpenAI) =>
  new Client({ apiKey: 'key', baseURL: `${sim.url}/${host}/v1`, maxRetries: 0 });
const statuses = (sim: Simulator) => sim.requests.map(({ verdict }) => verdict.status);
const shown = (sim: Simulator) => sim.requests.map(({ verdict }) => verdict.shown.length);
interface Asked {
  model: string;
  tools: OpenAI.ChatCompletionFunctionTool[];
  messages: OpenAI.ChatCompletionMessageParam[];
}
const ask = (more: Loose = {}): Asked => ({
  model: 'deepseek-v4-pro',
  tools: TOOLS as OpenAI.ChatCompletionFunctionTool[],
  messages: [{ role: 'user', content: 'Lisbon' }],
  ...more,
});

describe('every supported SDK', () => {
  for (const version of ['openai-4.87', 'openai-4.104', 'openai-5.23', 'openai-6.49', 'openai']) {
    it(`${version}: a loop with create`, async () => {
      const sim = await scripted();
      const client = clientOf(sim, 'deepseek', load(version).default);
      const { messages, ...params } = ask();
      for (let step = 0; step < 4; step++) {
        const { choices } = await client.chat.completions.create({ ...params, messages });
        const message = choices[0]?.message as Loose;
        messages.push(message, ...resultsFor(message));
      }
      expect(shown(sim)).toEqual([0, 1, 2, 3]);
      const chunks: Loose[] = [];
      for await (const chunk of await client.chat.completions.create({ ...params, messages, stream: true }))
        chunks.push(chunk);
      expect(chunks.at(-1).choices[0].finish_reason).toBe('stop');
      const bad = client.chat.completions.create({
        ...params,
        messages: [...messages, { role: 'assistant', content: 'x' }, { role: 'user', content: 'y' }],
      });
      await expect(bad).rejects.toMatchObject({ status: 400, code: 'invalid_request_error' });
    });
  }
});

describe('helpers', () => {
  const tool = (name: string) => ({
    type: 'function' as const,
    function: { name, function: () => 'ok', parse: JSON.parse, parameters: { type: 'object', properties: {} } },
  });
  const run = (client: OpenAI, stream: boolean): Promise<void> => {
    // Before version 5 the helpers stood under `beta`.
    const completions =
      'runTools' in client.chat.completions ? client.chat.completions : (client.beta as Loose).chat.completions;
    const tools = [tool('search'), tool('book')] as Loose;
    return completions.runTools({ ...ask(), tools, stream } as Loose).done();
  };

  it('runTools of 6.49 and later loses the reasoning on the way, and is refused', async () => {
    for (const version of ['openai-6.49', 'openai']) {
      const sim = await scripted();
      await expect(run(clientOf(sim, 'deepseek', load(version).default), false)).rejects.toThrow(
        'must be passed back to the API',
      );
      expect(statuses(sim)).toEqual([200, 400]);
      const { sim: silent, plans } = await planned();
      await run(clientOf(silent, 'glm', load(version).default), false);
      expect(shown(silent)).toEqual([0, 0, 0, 0]);
      expect(plans.slice(1)).toEqual([undefined, undefined, undefined]);
    }
  });

  it('runTools of older versions keeps it', async () => {
    for (const version of ['openai-4.104', 'openai-5.23']) {
      const { sim, plans } = await planned();
      await run(clientOf(sim, 'deepseek', load(version).default), false);
      expect(shown(sim)).toEqual([0, 1, 2, 3]);
      expect(plans.at(-1)).toEqual({ round: 2 });
    }
  });

  it('streamed, older versions send the last fragment only', async () => {
    const { sim, plans } = await planned();
    await run(clientOf(sim, 'deepseek', load('openai-5.23').default), true);
    expect(sim.requests[1]?.verdict.allowed).toEqual([{ path: 'messages.1', reason: 'edited' }]);
    expect(plans[1]).toBeUndefined();
  });

  it('stream: the final message has the last fragment', async () => {
    const sim = await scripted();
    const message = (await clientOf(sim, 'deepseek').chat.completions.stream(ask()).finalMessage()) as Loose;
    const whole = lastAnswer(sim).choices[0].message.reasoning_content;
    expect(whole.endsWith(message.reasoning_content)).toBe(true);
    expect(message.reasoning_content).not.toBe(whole);
  });

  it('parse', async () => {
    const sim = await simulator();
    const format = zodResponseFormat(z.object({ city: z.enum(['LIS', 'OPO']) }), 'flight');
    const parsed = await clientOf(sim, 'openai').chat.completions.parse({
      ...ask({ model: 'gpt-5', response_format: format }),
      tools: [],
    } as Loose);
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: expect.stringMatching(/LIS|OPO/) });
  });

  it('an error in mid-stream is thrown', async () => {
    const sim = await scripted({
      script: [
        {
          ...ROUNDS[0],
          fault: { kind: 'error_event', type: 'server_error', message: 'Oops', at: { event: 'content' } },
        },
      ],
    });
    const stream = await clientOf(sim, 'deepseek').chat.completions.create({ ...ask(), stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow('Oops');
  });
});

describe('one script, three APIs', () => {
  it('answers wherever it is asked, and keeps its plan where the reasoning comes back', async () => {
    const sim = await simulator({
      chat: { script: ROUNDS },
      responses: { script: ROUNDS },
      anthropic: { script: ROUNDS as Loose },
    });
    const client = new OpenAI({ apiKey: 'key', baseURL: `${sim.url}/v1` });
    const response = await client.responses.create({ model: 'gpt-5', input: 'Go' });
    expect(response.output_text).toBe('Looking.');
    const completion = await client.chat.completions.create({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Go' }],
    });
    expect(completion.choices[0]?.message.content).toBe('Looking.');
    const claude = await fetch(`${sim.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'key' },
      body: JSON.stringify({ model: 'claude-opus-5', max_tokens: 500, messages: [{ role: 'user', content: 'Go' }] }),
    });
    expect(((await claude.json()) as Loose).content.map(({ type }: Loose) => type)).toEqual([
      'thinking',
      'text',
      'tool_use',
    ]);
    expect(sim.requests.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/chat/completions', '/v1/messages']);
  });
});
