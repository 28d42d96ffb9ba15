import { describe, expect, it } from 'vitest';
import type { Fault, OpenAiAnswer } from '../../../src/simulator/index.ts';
import { type Loose, lastAnswer, simulator } from '../support.ts';
import { chat, chatStream, planned, playLoop, ROUNDS, TOOLS } from './support.ts';

const answer: OpenAiAnswer = {
  content: [
    { think: 'A thought that is long enough for three pieces of it.', tokens: 40 },
    { text: 'Let me look that up for you.' },
    { tool: 'search', input: { to: 'LIS' } },
  ],
};
const BODY: Loose = { model: 'deepseek-v4-pro', tools: TOOLS, messages: [{ role: 'user', content: 'Go' }] };
const scripted = (script: readonly OpenAiAnswer[] = [answer], more: Loose = {}) =>
  simulator({ chat: { script, ...more } });

/** Puts the chunks together as a careful client would. */
function assembled(chunks: readonly Loose[]): Loose {
  const message: Loose = { content: '' };
  for (const { choices } of chunks) {
    const { content, tool_calls, reasoning_details, role: _, ...texts } = choices[0]?.delta ?? {};
    if (typeof content === 'string') message.content += content;
    for (const chunk of Array.isArray(content) ? content : []) {
      message.thinking = (message.thinking ?? '') + chunk.thinking[0].text;
    }
    for (const [member, text] of Object.entries(texts)) {
      message[member] = Array.isArray(text) ? [...(message[member] ?? []), ...text] : (message[member] ?? '') + text;
    }
    for (const element of reasoning_details ?? []) {
      message.reasoning_details ??= [];
      const known = message.reasoning_details.find(
        ({ index, type }: Loose) => index === element.index && type === element.type,
      );
      if (!known) message.reasoning_details.push({ ...element });
      else {
        for (const [member, value] of Object.entries(element)) {
          known[member] = ['text', 'summary'].includes(member) ? known[member] + value : value;
        }
      }
    }
    for (const { index, ...call } of tool_calls ?? []) {
      message.tool_calls ??= [];
      const known = message.tool_calls[index];
      if (known) known.function.arguments += call.function.arguments;
      else message.tool_calls[index] = structuredClone(call);
    }
  }
  return message;
}

describe('a stream', () => {
  it('has the order and the shapes of the real one', async () => {
    const { chunks, text } = await chatStream(await scripted(), BODY, { host: 'deepseek' });
    expect(chunks.map(({ choices }) => Object.keys(choices[0].delta).join())).toEqual([
      'role,content',
      'reasoning_content',
      'reasoning_content',
      'reasoning_content',
      'content',
      'content',
      'tool_calls',
      'tool_calls',
      '',
    ]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
    for (const chunk of chunks) expect(chunk).toMatchObject({ object: 'chat.completion.chunk', id: chunks[0].id });
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text).not.toContain('event:');
  });

  const HOSTS: readonly (readonly [host: string, model: string, body?: Loose])[] = [
    ['deepseek', 'deepseek-v4-pro'],
    ['vllm', 'qwen'],
    ['gemini', 'gemini-3-pro'],
    ['minimax', 'MiniMax-M2'],
    ['minimax', 'MiniMax-M2', { reasoning_split: true }],
    ['litellm', 'claude-opus-5', { reasoning_effort: 'high' }],
    ['openrouter', 'anthropic/claude-opus-5'],
    ['openrouter', 'openai/gpt-5.6-sol'],
    ['openrouter', 'google/gemini-3-pro'],
    ['openrouter', 'qwen/qwen3.6'],
  ];
  for (const [host, model, body] of HOSTS) {
    it(`${host}, ${model}: puts together to the very message that JSON would have been`, async () => {
      const sim = await scripted([
        { content: [...answer.content.slice(0, 1), { think: 'And another.' }, ...answer.content.slice(1)] },
      ]);
      const { chunks } = await chatStream(sim, { ...BODY, ...body, model }, { host });
      const { choices } = lastAnswer(sim);
      const { role: _, refusal: __, annotations: ___, ...expected } = choices[0].message;
      expect(assembled(chunks)).toEqual(expected);
    });
  }

  it('mistral: reasoning as lists, the answer as strings', async () => {
    const { chunks } = await chatStream(await scripted(), { ...BODY, model: 'mistral-medium' }, { host: 'mistral' });
    const put = assembled(chunks);
    expect(put).toMatchObject({
      thinking: (answer.content[0] as Loose).think,
      content: 'Let me look that up for you.',
    });
  });

  it('minimax may repeat what came before', async () => {
    const sim = await scripted([answer], { conflicts: { minimaxDeltas: 'cumulative' } });
    const { chunks } = await chatStream(sim, { ...BODY, reasoning_split: true }, { host: 'minimax' });
    const texts = chunks.flatMap(({ choices }) => choices[0].delta.reasoning_details ?? []).map(({ text }) => text);
    expect(texts).toHaveLength(3);
    expect(texts[2]).toBe((answer.content[0] as Loose).think);
    expect(texts[2].startsWith(texts[1])).toBe(true);
  });

  it('tells usage where the host does', async () => {
    const usage = async (host: string, more: Loose = {}) => {
      const { chunks } = await chatStream(await scripted(), { ...BODY, ...more }, { host });
      return [chunks.at(-1).usage?.completion_tokens, chunks.at(-1).choices[0]?.usage?.completion_tokens];
    };
    expect(await usage('deepseek')).toEqual([undefined, undefined]);
    expect(await usage('deepseek', { stream_options: { include_usage: true } })).toEqual([
      expect.any(Number),
      undefined,
    ]);
    expect(await usage('openrouter')).toEqual([expect.any(Number), undefined]);
    expect(await usage('kimi')).toEqual([undefined, expect.any(Number)]);
  });

  it('endings', async () => {
    const sim = await scripted();
    const cut = await chat(sim, { ...BODY, max_tokens: 43 }, { host: 'deepseek' });
    expect(cut.body.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Let me look ' } });
    const filtered = await scripted([{ ...answer, stop: 'content_filter' }]);
    expect((await chat(filtered, BODY)).body.choices?.[0]?.finish_reason ?? 'none').toBe('none');
    expect((await chat(filtered, BODY, { host: 'deepseek' })).body.choices[0].finish_reason).toBe('content_filter');
    const failed = await scripted([{ ...answer, stop: 'failed' }]);
    expect((await chat(failed, BODY, { host: 'deepseek' })).status).toBe(500);
    const refused = await scripted([{ content: [{ refusal: 'No.' }] }]);
    expect((await chat(refused, BODY, { host: 'deepseek' })).message).toMatchObject({ content: null, refusal: 'No.' });
    const { chunks } = await chatStream(refused, BODY, { host: 'deepseek' });
    expect(chunks[1].choices[0].delta).toEqual({ refusal: 'No.' });
  });
});

describe('faults', () => {
  const faulty = (fault: Fault) => scripted([{ ...answer, fault }]);
  const run = async (fault: Fault) => chatStream(await faulty(fault), BODY, { host: 'deepseek' });

  it('cut, an error, malformed data, at a place that is named for what it brings', async () => {
    const cut = await run({ kind: 'cut', at: { event: 'reasoning', nth: 2 } });
    expect(cut).toMatchObject({ broken: true });
    expect(cut.chunks).toHaveLength(2);
    const failed = await run({ kind: 'error_event', type: 'server_error', message: 'Oops', at: { event: 'content' } });
    expect(failed.chunks.at(-1)).toEqual({ error: { message: 'Oops', type: 'server_error', param: null, code: null } });
    expect(failed.text).not.toContain('[DONE]');
    const malformed = await run({ kind: 'malformed', at: { event: 'tool_calls' } });
    expect(malformed.chunks.filter(({ malformed: bad }) => bad)).toHaveLength(1);
    expect((await run({ kind: 'slow', ms: 1, bytes: 300 })).text).toContain('[DONE]');
  });

  it('a status, then a retry', async () => {
    const sim = await faulty({ kind: 'status', status: 429, times: 1 });
    expect((await chat(sim, BODY, { host: 'deepseek' })).status).toBe(429);
    expect((await chat(sim, BODY, { host: 'deepseek' })).status).toBe(200);
    expect(sim.requests[0]?.verdict).toMatchObject({ fault: 'status', error: { type: 'rate_limit_exceeded' } });
  });
});

describe('usage', () => {
  it('counts what is shown as input, and nothing else', async () => {
    const { sim } = await planned();
    const body = await playLoop(sim, 'deepseek-v4-pro', { host: 'deepseek', rounds: 3 });
    const last = await chat(sim, body, { host: 'deepseek' });
    const usages = [...sim.requests.slice(0, 3).map(({ verdict }) => (verdict.answer as Loose).usage), last.body.usage];
    expect(usages.map(({ completion_tokens_details }) => completion_tokens_details.reasoning_tokens)).toEqual([
      100, 50, 30, 10,
    ]);
    for (const [index, usage] of usages.slice(1).entries()) {
      expect(usage.prompt_cache_hit_tokens).toBe(usages[index].prompt_tokens);
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    }
    const lean = await chat(sim, { ...body, tools: undefined }, { host: 'deepseek' });
    const off = await chat(sim, { ...body, thinking: { type: 'disabled' } }, { host: 'deepseek' });
    expect(last.body.usage.prompt_tokens - off.body.usage.prompt_tokens).toBe(180);
    expect(off.body.usage.completion_tokens_details.reasoning_tokens).toBe(0);
    expect(lean.body.usage.prompt_tokens).toBeLessThan(off.body.usage.prompt_tokens);
  });
});

describe('requests', () => {
  const WRONG: readonly (readonly [what: string, body: Loose, message: RegExp, host?: string])[] = [
    ['no model', { messages: [] }, /Missing required parameter: 'model'/],
    ['no messages', { model: 'gpt-5' }, /Missing required parameter: 'messages'/],
    ['an empty list', { model: 'gpt-5', messages: [] }, /empty array/],
    ['a strange role', { model: 'gpt-5', messages: [{ role: 'oracle', content: '' }] }, /Invalid value: 'oracle'/],
    [
      'a result without its call',
      { model: 'gpt-5', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] },
      /must be a response to a preceeding message/,
    ],
    [
      'a call without its result',
      {
        model: 'gpt-5',
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'call_x', function: {} }] },
          { role: 'user', content: 'x' },
        ],
      },
      /did not have response messages: call_x$/,
    ],
    ['an unknown model', { model: 'gpt-9', messages: [{ role: 'user', content: 'x' }] }, /does not exist/],
    [
      'tools beside reasoning',
      { ...BODY, model: 'gpt-5.4' },
      /^Function tools with reasoning_effort are not supported for gpt-5\.4 in \/v1\/chat\/completions/,
    ],
    [
      'tools on the newest',
      { ...BODY, model: 'gpt-6.2-astra', reasoning_effort: 'low' },
      /^Function tools with reasoning_effort are not supported/,
    ],
    [
      'an effort that it lacks',
      { ...BODY, tools: [], model: 'gpt-6.2-astra', reasoning_effort: 'max' },
      /'reasoning_effort' does not support 'max'/,
    ],
    [
      'an effort of a plain model',
      { ...BODY, model: 'gpt-4.1', reasoning_effort: 'low' },
      /'reasoning_effort' is not supported/,
    ],
  ];
  for (const [what, body, message, host] of WRONG) {
    it(`${what} is refused`, async () => {
      const sent = await chat(await scripted(), body, host === undefined ? {} : { host });
      expect(sent.body.error.message).toMatch(message);
      expect(sent.status).toBe(what === 'an unknown model' ? 404 : 400);
    });
  }

  it('tools with effort none are fine; no key, no JSON are not', async () => {
    const sim = await scripted();
    const sent = await chat(sim, { ...BODY, model: 'gpt-5.4', reasoning_effort: 'none' });
    expect(sent.body.usage.completion_tokens_details.reasoning_tokens).toBe(0);
    const url = `${sim.url}/v1/chat/completions`;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: '{', headers: { authorization: 'Bearer k' } })).status).toBe(400);
  });
});

describe('determinism', () => {
  it('gives the same bytes, in whatever order conversations come', async () => {
    const run = async (order: readonly string[]) => {
      const sim = await simulator({ now: () => 1_780_000_000_000, chat: { script: ROUNDS } });
      const bodies: Record<string, Loose> = {};
      for (const host of order) bodies[host] = await playLoop(sim, 'some-model', { host });
      return order.toSorted().map((host) => bodies[host]);
    };
    const hosts = ['deepseek', 'gemini', 'minimax'];
    expect(JSON.stringify(await run(hosts))).toBe(JSON.stringify(await run(hosts.toReversed())));
  });
});
