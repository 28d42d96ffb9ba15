import { describe, expect, test } from 'vitest';
import type { ApiName } from '../../../src/dialects/dialect.ts';
import { WIRES } from '../../../src/run/experiment/strip/wires.ts';

type Body = Readonly<Record<string, unknown>>;

interface Row {
  readonly name: string;
  readonly api: ApiName;
  readonly body: Body;
  /** What is sent in its place. */
  readonly sent: Body;
  readonly blocks: number;
  readonly thinkingOff?: true;
}

const user = { role: 'user', content: 'Go.' };
const think = { type: 'thinking', thinking: 'Hm.', signature: 'sig' };
const redacted = { type: 'redacted_thinking', data: 'data' };
const use = { type: 'tool_use', id: 't1', name: 'look', input: {} };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '1' }] };
const chatCall = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
const chatResult = { role: 'tool', tool_call_id: 'c1', content: '1' };
const BYPASS = 'skip_thought_signature_validator';

const chat = (name: string, message: Body, sent: Body, model = 'glm-5'): Row => ({
  name: `Chat: ${name}`,
  api: 'openai.chat',
  body: { model, messages: [user, { role: 'assistant', ...message }, chatResult] },
  sent: { model, messages: [user, { role: 'assistant', ...sent }, chatResult] },
  blocks: 1,
});

const ROWS: readonly Row[] = [
  {
    name: 'Messages: thinking and redacted thinking',
    api: 'anthropic.messages',
    body: {
      thinking: { type: 'adaptive' },
      messages: [user, { role: 'assistant', content: [think, redacted, use] }, result],
    },
    sent: { thinking: { type: 'adaptive' }, messages: [user, { role: 'assistant', content: [use] }, result] },
    blocks: 2,
  },
  {
    name: 'Messages: an answer that was nothing but thinking',
    api: 'anthropic.messages',
    body: { messages: [user, { role: 'assistant', content: [think] }, user] },
    sent: { messages: [user, user] },
    blocks: 1,
  },
  {
    name: 'Messages: a manual budget in an open cycle, with edits that need thinking',
    api: 'anthropic.messages',
    body: {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      context_management: { edits: [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }] },
      messages: [user, { role: 'assistant', content: [think, use] }, result],
    },
    sent: {
      thinking: { type: 'disabled' },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      messages: [user, { role: 'assistant', content: [use] }, result],
    },
    blocks: 1,
    thinkingOff: true,
  },
  {
    name: 'Messages: a manual budget in a new turn',
    api: 'anthropic.messages',
    body: {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [user, { role: 'assistant', content: [think, { type: 'text', text: 'Done.' }] }, user],
    },
    sent: {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, user],
    },
    blocks: 1,
  },
  {
    name: 'Responses: items lose the ids by which they hang on the reasoning',
    api: 'openai.responses',
    body: {
      input: [
        user,
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
        { type: 'message', role: 'assistant', id: 'msg_1', content: [] },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: '1' },
        { type: 'function_call', id: 'fc_2', call_id: 'c2', name: 'look', arguments: '{}' },
      ],
    },
    sent: {
      input: [
        user,
        { type: 'message', role: 'assistant', content: [] },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: '1' },
        // The answer that it is of had no reasoning.
        { type: 'function_call', id: 'fc_2', call_id: 'c2', name: 'look', arguments: '{}' },
      ],
    },
    blocks: 1,
  },
  chat(
    'reasoning_content',
    { content: null, reasoning_content: 'Hm.', tool_calls: [chatCall] },
    { content: null, tool_calls: [chatCall] },
  ),
  chat(
    'several members at once',
    { content: '', reasoning: 'Hm.', reasoning_details: [{}], tool_calls: [chatCall] },
    { content: '', tool_calls: [chatCall] },
  ),
  chat(
    'a host that insists',
    { content: '', reasoning_content: 'Hm.', tool_calls: [chatCall] },
    { content: '', reasoning_content: '(left out)', tool_calls: [chatCall] },
    'deepseek-v4-pro',
  ),
  chat(
    'tags in the text',
    { content: '<think>Hm.</think>\nLooking.', tool_calls: [chatCall] },
    { content: 'Looking.', tool_calls: [chatCall] },
  ),
  chat(
    'chunks of a list',
    {
      content: [
        { type: 'thinking', thinking: [] },
        { type: 'text', text: 'Hi' },
      ],
    },
    { content: [{ type: 'text', text: 'Hi' }] },
  ),
  chat(
    'blocks of a proxy',
    { content: '', thinking_blocks: [think], provider_specific_fields: { thinking_blocks: [think], other: 1 } },
    { content: '', provider_specific_fields: { other: 1 } },
  ),
  chat(
    'a signature of Gemini',
    { content: '', tool_calls: [{ ...chatCall, extra_content: { google: { thought_signature: 'sig' } } }] },
    { content: '', tool_calls: [{ ...chatCall, extra_content: { google: { thought_signature: BYPASS } } }] },
  ),
  {
    name: 'Chat: Claude behind a gateway, in an open cycle',
    api: 'openai.chat',
    body: {
      model: 'anthropic/claude-sonnet-4.5',
      reasoning: { effort: 'high' },
      messages: [user, { role: 'assistant', content: '', reasoning_details: [{}], tool_calls: [chatCall] }, chatResult],
    },
    sent: {
      model: 'anthropic/claude-sonnet-4.5',
      reasoning: { enabled: false },
      messages: [user, { role: 'assistant', content: '', tool_calls: [chatCall] }, chatResult],
    },
    blocks: 1,
    thinkingOff: true,
  },
  {
    name: 'generateContent: thoughts go, a signed call gets the value that passes, a signed text none',
    api: 'gemini.generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        {
          role: 'model',
          parts: [
            { text: 'Hm.', thought: true },
            { functionCall: { name: 'look', args: {} }, thoughtSignature: 'sig' },
            { functionCall: { name: 'see', args: {} } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
        {
          role: 'model',
          parts: [
            { text: 'Done.', thoughtSignature: 'sig' },
            { text: '', thoughtSignature: 'sig' },
          ],
        },
      ],
    },
    sent: {
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'look', args: {} }, thoughtSignature: BYPASS },
            { functionCall: { name: 'see', args: {} } },
          ],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
        { role: 'model', parts: [{ text: 'Done.' }] },
      ],
    },
    blocks: 4,
  },
  {
    name: 'Interactions: thoughts go, signed steps are bare',
    api: 'gemini.interactions',
    body: {
      input: [
        { type: 'thought', signature: 'sig', summary: [] },
        { type: 'function_call', id: 'c1', name: 'look', arguments: {}, signature: 'sig' },
        { type: 'function_result', call_id: 'c1', result: {} },
      ],
    },
    sent: {
      input: [
        { type: 'function_call', id: 'c1', name: 'look', arguments: {} },
        { type: 'function_result', call_id: 'c1', result: {} },
      ],
    },
    blocks: 2,
  },
  {
    name: 'Converse: reasoning content, with a manual budget',
    api: 'bedrock.converse',
    body: {
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 }, top_k: 5 },
      messages: [
        {
          role: 'assistant',
          content: [{ reasoningContent: {} }, { toolUse: { toolUseId: 't1', name: 'look', input: {} } }],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [] } }] },
      ],
    },
    sent: {
      additionalModelRequestFields: { thinking: { type: 'disabled' }, top_k: 5 },
      messages: [
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'look', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [] } }] },
      ],
    },
    blocks: 1,
    thinkingOff: true,
  },
];

/** Frozen to the ground: what is given must never be changed. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(Object.freeze(value))) frozen(one);
  return value;
}

describe('what is left out', () => {
  test.each(ROWS.map((row) => [row.name, row] as const))('%s', (_, { api, body, sent, blocks, thinkingOff }) => {
    const stripped = WIRES[api].strip(frozen(structuredClone(body)));
    expect(stripped).toEqual({ body: sent, blocks, ...(thinkingOff && { thinkingOff }) });
    expect(Object.keys(stripped.body)).toEqual(Object.keys(body));
  });

  test.each(ROWS.map((row) => [row.name, row] as const))('%s: twice is once', (_, { api, sent }) => {
    const { body } = WIRES[api].strip(frozen(structuredClone(sent)));
    expect(body).toEqual(sent);
  });

  test.each(Object.values(WIRES).map((wire) => [wire.api, wire] as const))(
    '%s: a body without reasoning is sent as it is',
    (_, wire) => {
      const body = { messages: [user], input: [user], contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] };
      expect(wire.strip(body).body).toBe(body);
      expect(wire.strip({ input: 'Go.', contents: 'Go.' }).blocks).toBe(0);
    },
  );
});

describe('where the provider holds the reasoning there is nothing to leave out', () => {
  const input = [{ type: 'function_call_output', call_id: 'c1', output: '1' }];
  test.each<[string, ApiName, Body, string]>([
    ['a chain', 'openai.responses', { previous_response_id: 'resp_1', input }, 'previous_response_id'],
    ['a conversation', 'openai.responses', { conversation: 'conv_1', input }, 'conversation'],
    ['a reference', 'openai.responses', { input: [{ type: 'item_reference', id: 'fc_1' }] }, 'input.0'],
    [
      'a hosted call',
      'openai.responses',
      {
        input: [
          { type: 'reasoning', id: 'rs_1' },
          { type: 'web_search_call', id: 'ws_1' },
        ],
      },
      'input.1',
    ],
    ['a message thread', 'anthropic.messages', { thread: { type: 'continue' }, messages: [user] }, 'thread'],
    ['an interaction', 'gemini.interactions', { previous_interaction_id: 'i1', input }, 'previous_interaction_id'],
  ])('%s', (_, api, body, named) => {
    expect(() => WIRES[api].strip(body)).toThrow(
      expect.objectContaining({ name: 'ExperimentError', message: expect.stringContaining(named) }),
    );
  });
});

describe('calls', () => {
  test.each<[ApiName, Body, readonly string[]]>([
    ['anthropic.messages', { messages: [{ role: 'assistant', content: [think, use] }, result] }, ['t1', 't1']],
    [
      'openai.responses',
      {
        input: [
          { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: '' },
          { type: 'function_call_output', call_id: 'c2', output: '' },
        ],
      },
      ['c1', 'c1', 'c2'],
    ],
    ['openai.chat', { messages: [{ role: 'assistant', tool_calls: [chatCall] }, chatResult] }, ['c1', 'c1']],
    [
      'gemini.generateContent',
      {
        contents: [
          { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'look' } }] },
        ],
      },
      ['0.0'],
    ],
    [
      'gemini.interactions',
      {
        input: [
          { type: 'function_call', id: 'c1', name: 'look' },
          { type: 'function_result', call_id: 'c1' },
        ],
      },
      ['c1', 'c1'],
    ],
    [
      'bedrock.converse',
      {
        messages: [
          { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'look' } }] },
          { role: 'user', content: [{ toolResult: { toolUseId: 't1' } }] },
        ],
      },
      ['t1', 't1'],
    ],
  ])('%s', (api, body, ids) => {
    expect(WIRES[api].calls(body).map(({ id }) => id)).toEqual(ids);
  });
});
