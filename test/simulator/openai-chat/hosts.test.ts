import { describe, expect, it } from 'vitest';
import { copy, type Loose } from '../support.ts';
import { answersIn, type ChatRequestOptions, chat, planned, playLoop } from './support.ts';

interface Row {
  readonly what: string;
  readonly host: string;
  readonly model: string;
  readonly body?: Loose;
  readonly conflicts?: Loose;
  /** Default 2. */
  readonly rounds?: number;
  /** Bends the request that comes after two rounds. */
  readonly change: (messages: Loose[], body: Loose) => void;
  readonly refused?: RegExp;
  readonly shown?: number;
  /** What the model still knows of its plan. */
  readonly plan?: unknown;
  readonly verdict?: Loose;
}

const LATEST = { round: 1 };
const strip =
  (...members: string[]) =>
  (messages: Loose[]) => {
    for (const message of messages) for (const member of members) delete message[member];
  };
const answers = (messages: Loose[]): Loose[] => answersIn({ messages });
const asNewTurn = (messages: Loose[]) => messages.push({ role: 'user', content: 'And back?' });
const same = (): void => {};
const rows = (host: string, model: string, list: readonly Omit<Row, 'host' | 'model'>[]): Row[] =>
  list.map((row) => ({ host, model, ...row }));

const DEEPSEEK_400 = /^The `reasoning_content` in the thinking mode must be passed back to the API\.$/;

const ROWS: readonly Row[] = [
  ...rows('deepseek', 'deepseek-v4-pro', [
    { what: 'as it came', change: same, shown: 2, plan: LATEST },
    { what: 'dropped everywhere', change: strip('reasoning_content'), refused: DEEPSEEK_400 },
    {
      what: 'dropped in one message',
      change: (messages) => delete answers(messages)[0].reasoning_content,
      refused: DEEPSEEK_400,
    },
    { what: 'emptied', change: (messages) => (answers(messages)[1].reasoning_content = ''), refused: DEEPSEEK_400 },
    {
      what: 'replaced by a placeholder',
      change: (messages) => (answers(messages)[1].reasoning_content = ' '),
      shown: 2,
      plan: { round: 0 },
      verdict: { allowed: [{ path: 'messages.4', reason: 'placeholder' }] },
    },
    {
      what: 'edited',
      change: (messages) => (answers(messages)[1].reasoning_content += '!'),
      shown: 2,
      plan: { round: 0 },
      verdict: { allowed: [{ path: 'messages.4', reason: 'edited' }] },
    },
    {
      what: 'dropped, but no tools',
      change: (messages, body) => {
        strip('reasoning_content')(messages);
        delete body.tools;
      },
      shown: 0,
    },
    {
      what: 'sent, but no tools',
      change: (_, body) => delete body.tools,
      shown: 0,
      verdict: { stripped: [{ reason: 'not_read' }, { reason: 'not_read' }] },
    },
    {
      what: 'thinking off',
      change: (messages, body) => {
        strip('reasoning_content')(messages);
        body.thinking = { type: 'disabled' };
      },
      shown: 0,
      verdict: { thinking: { mode: 'disabled' } },
    },
    { what: 'kept across turns', change: asNewTurn, shown: 2, plan: LATEST },
    {
      what: 'history that it never issued',
      change: (messages) =>
        messages.splice(1, 0, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }),
      refused: DEEPSEEK_400,
    },
    {
      what: 'the older documents: history without tools is free',
      conflicts: { deepseekReturn: 'tool_turns' },
      change: (messages) =>
        messages.splice(1, 0, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }),
      shown: 2,
      plan: LATEST,
    },
    {
      what: 'the older documents: turns with tools are not',
      conflicts: { deepseekReturn: 'tool_turns' },
      change: strip('reasoning_content'),
      refused: DEEPSEEK_400,
    },
    {
      what: 'nothing enforced, as probes saw',
      conflicts: { deepseekReturn: 'never' },
      change: strip('reasoning_content'),
      shown: 0,
    },
  ]),
  ...rows('deepseek-r1', 'deepseek-reasoner', [
    {
      what: 'refuses what later generations demand',
      rounds: 1,
      change: same,
      refused: /not supported in input messages/,
    },
    { what: 'left out', rounds: 1, change: strip('reasoning_content'), shown: 0 },
  ]),
  ...rows('kimi', 'kimi-k2.6', [
    { what: 'as it came', change: same, shown: 2, plan: LATEST },
    {
      what: 'dropped in the loop',
      change: (messages) => delete answers(messages)[1].reasoning_content,
      refused: /^thinking is enabled but reasoning_content is missing in assistant tool call message at index 4$/,
    },
    {
      what: 'older turns are not read',
      change: asNewTurn,
      shown: 0,
      verdict: { stripped: [{ reason: 'turn_boundary' }, { reason: 'turn_boundary' }] },
    },
    {
      what: 'older turns missing',
      change: (messages) => {
        strip('reasoning_content')(messages);
        asNewTurn(messages);
      },
      shown: 0,
    },
    {
      what: 'older turns kept on request',
      body: { thinking: { type: 'enabled', keep: 'all' } },
      change: asNewTurn,
      shown: 2,
      plan: LATEST,
    },
    {
      what: 'dropped, thinking off',
      change: (messages, body) => {
        strip('reasoning_content')(messages);
        body.thinking = { type: 'disabled' };
      },
      shown: 0,
    },
  ]),
  { what: 'kimi-k3 always keeps', host: 'kimi', model: 'kimi-k3', change: asNewTurn, shown: 2, plan: LATEST },
  ...rows('mimo', 'mimo-v2.5-pro', [
    {
      what: 'tool messages of closed turns count too',
      change: (messages) => {
        strip('reasoning_content')(messages);
        asNewTurn(messages);
      },
      refused: /must be passed back/,
    },
    { what: 'as it came', change: asNewTurn, shown: 2, plan: LATEST },
  ]),
  ...rows('glm', 'glm-5.2', [
    { what: 'as it came', change: same, shown: 2, plan: LATEST },
    { what: 'dropped: no error', change: strip('reasoning_content'), shown: 0 },
    { what: 'older turns are cleared', change: asNewTurn, shown: 0 },
    {
      what: 'older turns preserved on request',
      body: { thinking: { type: 'enabled', clear_thinking: false } },
      change: asNewTurn,
      shown: 2,
      plan: LATEST,
    },
  ]),
  {
    what: 'glm on the coding plan preserves',
    host: 'glm/api/coding/paas/v4',
    model: 'glm-5.2',
    change: asNewTurn,
    shown: 2,
    plan: LATEST,
  },
  ...rows('qwen', 'qwen3.6-plus', [
    { what: 'older turns are ignored', change: asNewTurn, shown: 0 },
    {
      what: 'older turns preserved on request',
      body: { preserve_thinking: true },
      change: asNewTurn,
      shown: 2,
      plan: LATEST,
    },
    { what: 'dropped: no error', change: strip('reasoning_content'), shown: 0 },
  ]),
  ...rows('minimax', 'MiniMax-M2', [
    { what: 'tags in the content, as they came', change: same, shown: 2, plan: LATEST },
    {
      what: 'tags stripped',
      change: (messages) =>
        answers(messages).map((one) => (one.content = one.content.replace(/<think>.*<\/think>\s*/s, ''))),
      shown: 0,
    },
    { what: 'kept across turns', change: asNewTurn, shown: 2, plan: LATEST },
    { what: 'split', body: { reasoning_split: true }, change: same, shown: 2, plan: LATEST },
    { what: 'split, elements stripped', body: { reasoning_split: true }, change: strip('reasoning_details'), shown: 0 },
  ]),
  ...rows('mistral', 'mistral-medium', [
    { what: 'chunks as they came', change: asNewTurn, shown: 2, plan: LATEST },
    {
      what: 'flattened to text',
      change: (messages) =>
        answers(messages).map((one) => (one.content = one.content.map(({ text = '' }: Loose) => text).join(''))),
      shown: 0,
    },
  ]),
  ...rows('groq', 'openai/gpt-oss-120b', [
    { what: 'reasoning sent back as it came', change: same, shown: 2, plan: LATEST },
    {
      what: 'reasoning_content is refused',
      change: (messages) => (answers(messages)[0].reasoning_content = 'x'),
      refused:
        /^'messages\.2' : for 'role:assistant' the following must be satisfied\[\('messages\.2' : property 'reasoning_content' is unsupported\)\]$/,
    },
    {
      what: 'reasoning refused as well',
      conflicts: { groqReasoningInput: 'refuse' },
      rounds: 1,
      change: (messages) => (answers(messages)[0].reasoning = 'x'),
      refused: /property 'reasoning' is unsupported/,
    },
    {
      what: 'raw beside tools is refused',
      change: (_, body) => (body.reasoning_format = 'raw'),
      refused: /not supported with JSON mode or tools/,
    },
  ]),
  ...rows('vllm', 'Qwen/Qwen3.6', [
    { what: 'reasoning, as it came', change: same, shown: 2, plan: LATEST },
    {
      what: 'renamed, lost without a word',
      change: (messages) => {
        for (const one of answers(messages)) {
          one.reasoning_content = one.reasoning;
          delete one.reasoning;
        }
      },
      shown: 0,
      verdict: {
        stripped: [
          { path: 'messages.2', reason: 'not_read' },
          { path: 'messages.4', reason: 'not_read' },
        ],
      },
    },
    {
      what: 'renamed, on versions that map it',
      conflicts: { vllmReads: 'both' },
      change: (messages) => {
        for (const one of answers(messages)) {
          one.reasoning_content = one.reasoning;
          delete one.reasoning;
        }
      },
      shown: 2,
      plan: LATEST,
    },
    { what: 'the template drops closed turns', change: asNewTurn, shown: 0 },
    {
      what: 'unless told not to',
      body: { chat_template_kwargs: { preserve_thinking: true } },
      change: asNewTurn,
      shown: 2,
      plan: LATEST,
    },
  ]),
  {
    what: 'llama.cpp does not look at reasoning',
    host: 'llamacpp',
    model: 'qwen3.6',
    change: (messages) => {
      for (const one of answers(messages)) {
        one.reasoning = one.reasoning_content;
        delete one.reasoning_content;
      }
    },
    shown: 0,
  },
  {
    what: 'fireworks keeps closed turns on request',
    host: 'fireworks',
    model: 'glm',
    body: { reasoning_history: 'preserved' },
    change: asNewTurn,
    shown: 2,
    plan: LATEST,
  },
  ...rows('gemini', 'gemini-3-pro', [
    { what: 'signatures as they came', change: same, shown: 2, plan: LATEST },
    {
      what: 'signature dropped',
      change: (messages) => delete answers(messages)[1].tool_calls[0].extra_content,
      refused:
        /^Function call is missing a thought_signature in functionCall parts\..* `default_api:search` , position 5\.$/,
    },
    {
      what: 'signature cut',
      change: (messages) => (answers(messages)[0].tool_calls[0].extra_content.google.thought_signature = 'AAAA'),
      refused: /^Corrupted thought signature\.$/,
    },
    {
      what: 'bypassed',
      change: (messages) =>
        (answers(messages)[1].tool_calls[0].extra_content.google.thought_signature =
          'skip_thought_signature_validator'),
      shown: 2,
      plan: { round: 0 },
      verdict: { allowed: [{ path: 'messages.4.tool_calls.0', reason: 'placeholder' }] },
    },
    {
      what: 'moved to the second call',
      change: (messages) => {
        const [first, second] = answers(messages)[1].tool_calls;
        second.extra_content = first.extra_content;
        delete first.extra_content;
      },
      refused: /missing a thought_signature/,
    },
    {
      what: 'put on the calls the other way round',
      change: (messages) => {
        const [one, two] = answers(messages);
        const kept = one.tool_calls[0].extra_content;
        one.tool_calls[0].extra_content = two.tool_calls[0].extra_content;
        two.tool_calls[0].extra_content = kept;
      },
      shown: 2,
      verdict: { allowed: [{ reason: 'misplaced' }, { reason: 'misplaced' }] },
      plan: { round: 0 },
    },
    {
      what: 'closed turns are not looked at',
      change: (messages) => {
        for (const one of answers(messages)) delete one.tool_calls[0].extra_content;
        asNewTurn(messages);
      },
      shown: 0,
    },
    {
      what: 'the request ends with an answer',
      change: (messages) => messages.push({ role: 'assistant', content: 'So' }),
      refused: /^Requests ending with a model turn are not supported\.$/,
    },
    {
      what: 'another model',
      change: (_, body) => (body.model = 'gemini-3.5-flash'),
      refused: /^Corrupted thought signature\.$/,
    },
    {
      what: 'another model, where that is fine',
      conflicts: { geminiModelSwitch: 'accept' },
      change: (_, body) => (body.model = 'gemini-3.5-flash'),
      shown: 2,
      plan: LATEST,
    },
  ]),
  {
    what: 'gemini 2.5 does not check',
    host: 'gemini',
    model: 'gemini-2.5-pro',
    change: (messages) => {
      for (const one of answers(messages)) delete one.tool_calls[0].extra_content;
    },
    shown: 0,
  },
  ...rows('litellm', 'claude-opus-5', [
    { what: 'blocks as they came', body: { reasoning_effort: 'high' }, change: same, shown: 2, plan: LATEST },
    {
      what: 'only the string came back',
      body: { reasoning_effort: 'high' },
      change: strip('thinking_blocks'),
      refused: /^messages\.2\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\.$/,
    },
    {
      what: 'modify_params: thinking is switched off in silence',
      body: { reasoning_effort: 'high' },
      conflicts: { litellmMissingBlocks: 'thinking_off' },
      change: strip('thinking_blocks'),
      shown: 0,
      verdict: { thinking: { silentlyDisabled: true } },
    },
    {
      what: 'modify_params: not where another answer has its blocks',
      body: { reasoning_effort: 'high' },
      conflicts: { litellmMissingBlocks: 'thinking_off' },
      change: (messages) => delete answers(messages)[1].thinking_blocks,
      refused: /Expected `thinking`/,
    },
  ]),
  ...rows('openai', 'gpt-5', [
    { what: 'nothing comes, nothing is read', change: same, shown: 0 },
    {
      what: 'what is sent is not looked at',
      change: (messages) => (answers(messages)[0].reasoning_content = 'x'),
      shown: 0,
      verdict: { stripped: [{ path: 'messages.2', reason: 'not_read' }] },
    },
  ]),
  { what: 'grok has no carrier', host: 'xai', model: 'grok-5', change: same, shown: 0 },
];

describe('each host by its own rule', () => {
  for (const { what, host, model, body, conflicts, rounds, change, refused, shown, plan, verdict } of ROWS) {
    it(`${host}, ${model}: ${what}`, async () => {
      const { sim, plans } = await planned(conflicts && { conflicts });
      const options: ChatRequestOptions = { host };
      const next = copy(await playLoop(sim, model, { ...options, ...(body && { body }), ...(rounds && { rounds }) }));
      plans.length = 0;
      change(next.messages, next);
      const sent = await chat(sim, next, options);
      if (refused) {
        expect(sent.verdict.error?.message).toMatch(refused);
        expect(sent.status).toBe(400);
        expect(plans).toEqual([]);
        return;
      }
      expect(sent.verdict.error).toBeUndefined();
      expect(sent.verdict.shown).toHaveLength(shown ?? 0);
      expect(plans).toEqual([plan]);
      expect(sent.verdict).toMatchObject(verdict ?? {});
    });
  }
});

describe('shapes', () => {
  const MEMBERS: readonly (readonly [host: string, model: string, body: Loose, expected: Loose])[] = [
    [
      'deepseek',
      'deepseek-v4-pro',
      {},
      { reasoning_content: 'The price is a hard limit. The arrival may give.', content: 'Looking.' },
    ],
    ['vllm', 'qwen', {}, { reasoning: expect.stringContaining('hard limit') }],
    ['minimax', 'MiniMax-M2', {}, { content: expect.stringMatching(/^<think>\n.*\n<\/think>\n\nLooking\.$/s) }],
    [
      'minimax',
      'MiniMax-M2',
      { reasoning_split: true },
      { content: 'Looking.', reasoning_details: [{ type: 'reasoning.text', text: expect.any(String), index: 0 }] },
    ],
    [
      'mistral',
      'mistral-medium',
      {},
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text' }] },
          { type: 'text', text: 'Looking.' },
        ],
      },
    ],
    [
      'gemini',
      'gemini-3-pro',
      {},
      { content: 'Looking.', tool_calls: [{ extra_content: { google: { thought_signature: expect.any(String) } } }] },
    ],
    ['groq', 'qwen', { tools: undefined }, { content: expect.stringMatching(/^<think>/) }],
    ['groq', 'qwen', { reasoning_format: 'parsed', tools: undefined }, { reasoning: expect.any(String) }],
    [
      'litellm',
      'claude-opus-5',
      { thinking: { type: 'enabled' } },
      { reasoning_content: expect.any(String), thinking_blocks: [{ type: 'thinking', signature: expect.any(String) }] },
    ],
  ];
  for (const [host, model, body, expected] of MEMBERS) {
    it(`${host} ${JSON.stringify(body)}`, async () => {
      const { sim } = await planned();
      const { messages: _, ...rest } = await playLoop(sim, model, { host, rounds: 0, body });
      const sent = await chat(sim, { ...rest, messages: [{ role: 'user', content: 'Go' }] }, { host });
      expect(sent.message).toMatchObject(expected);
      expect(sent.body.usage.completion_tokens_details).toEqual({ reasoning_tokens: 100 });
    });
  }

  it('hosts that show nothing: hidden, excluded, OpenAI, Grok', async () => {
    const { sim } = await planned();
    for (const [host, model, more] of [
      ['groq', 'qwen', { reasoning_format: 'hidden' }],
      ['openrouter', 'anthropic/claude-opus-5', { reasoning: { exclude: true } }],
      ['openai', 'o4-mini', {}],
      ['xai', 'grok-5', {}],
    ] as const) {
      const sent = await chat(sim, { model, messages: [{ role: 'user', content: 'Go' }], ...more }, { host });
      expect(Object.keys(sent.message).filter((name) => name.startsWith('reasoning'))).toEqual([]);
      expect(sent.message.content).toBe('Looking.');
      expect(sent.body.usage.completion_tokens_details.reasoning_tokens).toBe(100);
    }
  });

  it('an answer without a thought comes with an empty member, and must come back with it', async () => {
    const script = [{ content: [{ tool: 'book' }] }, { content: [{ text: 'Done.' }] }];
    for (const host of ['deepseek', 'kimi', 'mimo']) {
      const { sim } = await planned({ script });
      const next = await playLoop(sim, 'some-model', { host, rounds: 1 });
      expect(answersIn(next)[0]?.reasoning_content).toBe('');
      expect((await chat(sim, next, { host })).status).toBe(200);
      delete answersIn(next)[0]?.reasoning_content;
      expect((await chat(sim, next, { host })).status).toBe(400);
    }
  });

  it('usage in the words of the host', async () => {
    const { sim } = await planned();
    const body = { model: 'deepseek-v4-pro', messages: [{ role: 'user', content: 'x'.repeat(400) }] };
    await chat(sim, body, { host: 'deepseek' });
    expect((await chat(sim, body, { host: 'deepseek' })).body.usage).toMatchObject({
      prompt_tokens: 100,
      prompt_cache_hit_tokens: 100,
      prompt_cache_miss_tokens: 0,
    });
  });

  it('a wrong profile is named', async () => {
    await expect(planned({ profile: 'deepsek' })).rejects.toThrow('no profile "deepsek"; there are openai,');
  });
});
