import { describe, expect, it } from 'vitest';
import { joinFragments } from '../../../src/dialects/openai-chat/fragments.ts';
import { createReader } from '../../../src/dialects/openai-chat/read-response.ts';

/** Messages put together from raw chunks. */

type Wire = Record<string, unknown>;
const assemble = (...deltas: readonly Wire[]): Wire => {
  const reader = createReader();
  for (const delta of deltas) reader.event({ choices: [{ index: 0, delta }] });
  reader.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  return (reader.end(true)?.choices[0]?.message ?? {}) as Wire;
};
const toolCall = (
  index: number | undefined,
  id: string | undefined,
  name?: string,
  args?: string,
  more: Wire = {},
) => ({
  tool_calls: [{ index, id, function: { name, arguments: args }, ...more }],
});

describe('strings', () => {
  it('fragments are joined, whatever their member is called', () =>
    expect(
      assemble({ reasoning_content: 'AAA' }, { reasoning_content: 'BBB', reasoning: 'x' }, { reasoning: 'y' }),
    ).toMatchObject({
      reasoning_content: 'AAABBB',
      reasoning: 'xy',
    }));

  it('null behind them is nothing', () =>
    expect(assemble({ reasoning_content: 'AAA' }, { reasoning_content: null, content: 'Hi' })).toMatchObject({
      reasoning_content: 'AAA',
      content: 'Hi',
    }));

  it.each([
    ['increments', ['First ', 'multiply.'], 'First multiply.'],
    ['increments that begin alike', ['ha', 'haha'], 'hahaha'],
    ['all there is so far', ['First the', 'First the depot', 'First the depot, then'], 'First the depot, then'],
    ['increments, then the whole', ['First the depot, ', 'then', 'First the depot, then'], 'First the depot, then'],
    ['empty ones between', ['', 'First ', '', 'multiply.'], 'First multiply.'],
    ['the same one again and again', ['-', '-', '-'], '---'],
    ['none', [], ''],
  ])('%s', (_how, parts, whole) => expect(joinFragments(parts)).toBe(whole));
});

describe('lists', () => {
  it('details by type and index', () =>
    expect(
      assemble(
        { reasoning_details: [{ type: 'reasoning.text', text: 'First ', index: 0, format: 'f' }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'multiply.', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'DATA', index: 0, id: 'rs_1' }] },
        { reasoning_details: [{ type: 'reasoning.text', signature: 'SIG', index: 0 }] },
        { reasoning_details: [{ type: 'reasoning.text', text: 'Another.', index: 1 }] },
      ).reasoning_details,
    ).toEqual([
      { type: 'reasoning.text', text: 'First multiply.', signature: 'SIG', index: 0, format: 'f' },
      { type: 'reasoning.encrypted', data: 'DATA', index: 0, id: 'rs_1' },
      { type: 'reasoning.text', text: 'Another.', index: 1 },
    ]));

  it('details with all there is so far', () =>
    expect(
      assemble(
        { reasoning_details: [{ text: 'First the depot' }] },
        { reasoning_details: [{ text: 'First the depot, then the port' }] },
      ).reasoning_details,
    ).toEqual([{ text: 'First the depot, then the port' }]));

  it("Claude's blocks, each until its signature", () =>
    expect(
      assemble(
        { thinking_blocks: [{ type: 'thinking', thinking: 'One ' }] },
        { thinking_blocks: [{ type: 'thinking', thinking: 'and more.' }] },
        { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'S1' }] },
        { thinking_blocks: [{ type: 'redacted_thinking', data: 'D' }] },
        { thinking_blocks: [{ type: 'thinking', thinking: 'Two.' }] },
        { thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'S2' }] },
      ).thinking_blocks,
    ).toEqual([
      { type: 'thinking', thinking: 'One and more.', signature: 'S1' },
      { type: 'redacted_thinking', data: 'D' },
      { type: 'thinking', thinking: 'Two.', signature: 'S2' },
    ]));

  it('chunks of a content list', () =>
    expect(
      assemble(
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: '20*23 ' }] }] },
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'minus 3*23.' }], closed: true }] },
        { content: [{ type: 'text', text: '39' }] },
        { content: [{ type: 'text', text: '1' }] },
      ).content,
    ).toEqual([
      { type: 'thinking', thinking: '20*23 minus 3*23.', closed: true },
      { type: 'text', text: '391' },
    ]));
});

describe('calls', () => {
  const google = (signature: string): Wire => ({ extra_content: { google: { thought_signature: signature } } });

  it('arguments by index, unknown members kept', () =>
    expect(
      assemble(
        toolCall(0, 'c1', 'lookup', '', google('SIG')),
        toolCall(0, undefined, undefined, '{"a"'),
        toolCall(1, 'c2', 'store', '{}'),
        toolCall(0, undefined, undefined, ':1}'),
      ).tool_calls,
    ).toEqual([
      { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"a":1}' }, ...google('SIG') },
      { id: 'c2', type: 'function', function: { name: 'store', arguments: '{}' } },
    ]));

  it('parallel ones that all have the index 0', () =>
    expect(assemble(toolCall(0, 'c1', 'lookup', '{}'), toolCall(0, 'c2', 'store', '{}')).tool_calls).toMatchObject([
      { id: 'c1' },
      { id: 'c2' },
    ]));

  it('without any index', () =>
    expect(
      assemble(
        toolCall(undefined, 'c1', 'lookup', '{"a"'),
        toolCall(undefined, undefined, undefined, ':1}'),
        toolCall(undefined, 'c2', 'store', '{}'),
      ).tool_calls,
    ).toMatchObject([{ id: 'c1', function: { arguments: '{"a":1}' } }, { id: 'c2' }]));

  it('a signature in pieces, and one repeated', () =>
    expect(
      assemble(
        toolCall(0, 'c1', 'lookup', '', google('AAA')),
        toolCall(0, undefined, undefined, '', google('BBB')),
        toolCall(1, 'c2', 'x', '', google('C')),
        toolCall(1, undefined, undefined, '', google('C')),
      ).tool_calls,
    ).toMatchObject([google('AAABBB'), google('C')]));

  it('the older single call', () =>
    expect(
      assemble({ function_call: { name: 'lookup', arguments: '{"a"' } }, { function_call: { arguments: ':1}' } }),
    ).toMatchObject({
      function_call: { name: 'lookup', arguments: '{"a":1}' },
    }));
});

describe('responses', () => {
  it('a last chunk with the whole message', () => {
    const reader = createReader();
    reader.event({ choices: [{ index: 0, delta: { content: 'Hel' } }] });
    reader.event({ choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }] });
    expect(reader.end(true)?.choices[0]?.message).toEqual({ role: 'assistant', content: 'Hello' });
  });

  it('several choices', () => {
    const reader = createReader();
    for (const index of [0, 1]) reader.event({ choices: [{ index, delta: { content: `answer ${index}` } }] });
    expect(reader.end(true)?.choices.map(({ message }) => message.content)).toEqual(['answer 0', 'answer 1']);
  });

  it.each([
    [
      'the default place',
      {
        usage: {
          prompt_tokens: 9,
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 3 },
          prompt_tokens_details: { cached_tokens: 4 },
        },
      },
    ],
    [
      "Responses' names",
      {
        usage: {
          input_tokens: 9,
          output_tokens: 5,
          output_tokens_details: { reasoning_tokens: 3 },
          input_tokens_details: { cached_tokens: 4 },
        },
      },
    ],
    [
      "DeepSeek's cache",
      {
        usage: {
          prompt_tokens: 9,
          completion_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 3 },
          prompt_cache_hit_tokens: 4,
        },
      },
    ],
    [
      "Kimi's place in a stream",
      {
        choices: [
          {
            index: 0,
            delta: {},
            usage: {
              prompt_tokens: 9,
              completion_tokens: 5,
              completion_tokens_details: { reasoning_tokens: 3 },
              cached_tokens: 4,
            },
          },
        ],
      },
    ],
  ])('usage: %s', (_where, chunk) => {
    const reader = createReader();
    reader.event({ choices: [{ index: 0, delta: { content: 'x' } }] });
    reader.event(chunk);
    expect(reader.end(true)?.usage).toEqual({ input: 9, output: 5, cacheRead: 4, reasoning: 3 });
  });

  it('absent usage is not zero', () => {
    const reader = createReader();
    reader.event({ choices: [{ index: 0, delta: { content: 'x' } }] });
    expect(reader.end(true)?.usage).toEqual({});
  });

  it('a router names the upstream', () => {
    const reader = createReader();
    reader.event({
      provider: 'Google',
      model: 'google/gemini-3-flash',
      choices: [{ index: 0, delta: { content: 'x' } }],
    });
    expect(reader.end(true)).toMatchObject({ upstream: 'Google', model: 'google/gemini-3-flash' });
  });

  it('an error in the stream', () => {
    const reader = createReader();
    reader.event({
      error: { code: 502, message: 'Overloaded', metadata: { provider_name: 'Google', raw: 'busy' } },
      choices: [],
    });
    expect(reader.failure()).toEqual({ status: 502, provider: 'Google', message: 'Overloaded busy' });
    expect(reader.end(false)).toBeUndefined();
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ choices: 'x' }],
    [{ choices: [null, 3] }],
    [{ choices: [{ delta: { tool_calls: [7] } }] }],
  ])('what is no chunk: %j', (chunk) => {
    const reader = createReader();
    reader.event(chunk);
    reader.whole(chunk);
    expect(() => reader.end(true)).not.toThrow();
  });
});
