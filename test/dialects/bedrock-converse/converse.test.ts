import { describe, expect, it } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import type { Transcript } from '../../../src/audit/transcript.ts';
import { createLedger as ledgerless } from '../../../src/continuity/ledger.ts';
import { dialects } from '../../../src/dialects/index.ts';

/** Converse in its own shapes: what is judged by Claude's rules, and what Bedrock adds. Texts and seals are our own. */

type Block = Record<string, unknown>;
interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

const CLAUDE = 'us.anthropic.claude-opus-4-8-v1:0';
const BOUND = 'anthropic.claude-fable-5-1-v1:0';
const NOVA = 'us.amazon.nova-2-lite-v1:0';

const seal = (name: string): string => Buffer.from(`${name} sealed by the provider, `.repeat(8)).toString('base64');
const think = (name: string, text = `Reasoning ${name}, step by step.`): Block => ({
  reasoningContent: { reasoningText: { text, signature: seal(name) } },
});
const redacted = (name: string): Block => ({ reasoningContent: { redactedContent: seal(name) } });
const call = (id: string): Block => ({ toolUse: { toolUseId: id, name: 'look', input: { at: id } } });
const user = (...content: Block[]): Message => ({ role: 'user', content });
const assistant = (...content: Block[]): Message => ({ role: 'assistant', content });
const result = (id: string): Message =>
  user({ toolResult: { toolUseId: id, content: [{ text: `seen at ${id}` }], status: 'success' } });

interface Options {
  readonly modelId?: string;
  readonly extra?: Block;
  readonly rest?: Block;
}

const request = (messages: readonly Message[], { modelId = CLAUDE, extra, rest }: Options = {}) => ({
  api: 'bedrock.converse' as const,
  request: {
    modelId,
    messages,
    additionalModelRequestFields: { thinking: { type: 'adaptive' }, ...extra },
    ...rest,
  },
});
const response = (content: readonly Block[], rest: Block = {}) => ({
  api: 'bedrock.converse' as const,
  response: { stopReason: 'tool_use', output: { message: { role: 'assistant', content } }, ...rest },
});

const judge = (...steps: Transcript['steps']) => {
  const { steps: reports, problems } = replay({ steps }, dialects);
  expect(problems).toEqual([]);
  const last = reports.at(-1);
  if (last === undefined || !('judgement' in last)) throw new Error('not judged');
  const report: Record<string, number> = {};
  for (const { kind, count } of last.judgement.findings) report[kind] = (report[kind] ?? 0) + count;
  return { verdict: last.judgement.verdict, report, judgement: last.judgement };
};

/** One answer, and what the next request makes of it. */
const sent = (answer: readonly Block[], returned: readonly Block[], options?: Options, next: Options = options ?? {}) =>
  judge(
    request([user({ text: 'Look there.' })], options),
    response(answer),
    request([user({ text: 'Look there.' }), assistant(...returned), result('t1')], next),
  );

const answer = [think('a'), { text: 'A look first.' }, call('t1')];

describe('Claude behind Converse', () => {
  it('sent back as it came', () => expect(sent(answer, answer)).toMatchObject({ verdict: 'clean', report: {} }));

  it.each<[string, readonly Block[], Record<string, number>]>([
    ['the block is gone', answer.slice(1), { dropped: 1 }],
    ['white space at the end is trimmed', [think('a', 'Reasoning a, step by step'), ...answer.slice(1)], { edited: 1 }],
    [
      'the signature is lost',
      [{ reasoningContent: { reasoningText: { text: 'Reasoning a, step by step.' } } }, ...answer.slice(1)],
      { edited: 1 },
    ],
    [
      'an empty signature is none',
      [
        { reasoningContent: { reasoningText: { text: 'Reasoning a, step by step.', signature: '' } } },
        ...answer.slice(1),
      ],
      { edited: 1 },
    ],
    [
      'text and signature stand one level too high',
      [{ reasoningContent: { text: 'Reasoning a, step by step.', signature: seal('a') } }, ...answer.slice(1)],
      { edited: 1 },
    ],
    [
      'the text alone stands one level too high',
      [{ reasoningContent: { text: 'Reasoning a, step by step.' } }, ...answer.slice(1)],
      { edited: 1 },
    ],
    ['the block is there and empty', [{ reasoningContent: {} }, ...answer.slice(1)], { edited: 1 }],
    [
      'rendered as text',
      [{ text: '<think>Reasoning a, step by step.</think>' }, ...answer.slice(1)],
      { converted_to_text: 1 },
    ],
    ['sent behind the call', [...answer.slice(1), think('a')], { reordered: 1 }],
    ['sent twice', [think('a'), ...answer], { duplicated: 1 }],
  ])('%s', (_name, returned, report) => expect(sent(answer, returned)).toMatchObject({ verdict: 'finding', report }));

  it('an empty text under a seal is a whole block, and may not be filtered', () => {
    const omitted = [think('a', ''), call('t1')];
    expect(sent(omitted, omitted)).toMatchObject({ verdict: 'clean' });
    expect(sent(omitted, omitted.slice(1))).toMatchObject({ report: { dropped: 1 } });
  });

  it('thinking turned off between call and result', () =>
    expect(sent(answer, answer, {}, { extra: { thinking: { type: 'disabled' } } })).toMatchObject({
      verdict: 'finding',
      report: { mode_toggled: 1 },
    }));
});

describe('redacted bytes', () => {
  const hidden = [redacted('r'), call('t1')];
  const bytes = Buffer.from(seal('r'), 'base64');
  const with_ = (content: unknown): readonly Block[] => [
    { reasoningContent: { redactedContent: content } },
    call('t1'),
  ];

  it.each<[string, unknown]>([
    ['as base64', seal('r')],
    ['as bytes', new Uint8Array(bytes)],
    ['as a Buffer', bytes],
  ])('%s are whole', (_name, content) => expect(sent(hidden, with_(content))).toMatchObject({ verdict: 'clean' }));

  it.each<[string, unknown]>([
    ['a Buffer that went through JSON', JSON.parse(JSON.stringify(bytes))],
    ['numbered bytes', { ...new Uint8Array(bytes) }],
    ['base64 encoded once more', Buffer.from(seal('r')).toString('base64')],
    ['cut', seal('r').slice(0, 120)],
  ])('%s are edited', (_name, content) =>
    expect(sent(hidden, with_(content))).toMatchObject({ verdict: 'finding', report: { edited: 1 } }),
  );
});

describe('what stands before a block', () => {
  const tools = (...names: string[]) => ({
    toolConfig: { tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } })) },
  });

  it.each<[string, Options, Options, Record<string, number>]>([
    ['the order of tools', { rest: tools('a', 'b') }, { rest: tools('b', 'a') }, {}],
    ['a tool more', { rest: tools('a') }, { rest: tools('a', 'b') }, { prefix_broken: 1 }],
    [
      'the system text',
      { rest: { system: [{ text: 'Day.' }] } },
      { rest: { system: [{ text: 'Night.' }] } },
      { prefix_broken: 1 },
    ],
    [
      'a cache point behind it',
      { rest: { system: [{ text: 'Day.' }] } },
      { rest: { system: [{ text: 'Day.' }, { cachePoint: { type: 'default' } }] } },
      {},
    ],
  ])('%s, on a model that checks', (_name, before, now, report) =>
    expect(sent(answer, answer, { modelId: BOUND, ...before }, { modelId: BOUND, ...now }).report).toEqual(report),
  );

  it("the provider's own list decides", () => {
    const asked: Options = { modelId: BOUND, extra: { anthropic_beta: ['thinking-binding-controls-2026-08-01'] } };
    const steps = [
      request([user({ text: 'Look there.' })], asked),
      response(answer),
      request([user({ text: 'Look here.' }), assistant(...answer), result('t1')], asked),
    ];
    const entry = { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' };
    const listed = judge(
      ...steps,
      response([{ text: 'Done.' }], {
        stopReason: 'end_turn',
        additionalModelResponseFields: { input_transformations: [entry] },
      }),
    );
    expect(listed.report).toEqual({ prefix_broken: 1 });
    expect(listed.judgement.findings[0]).toMatchObject({
      source: 'server',
      reason: 'prefix_mismatch',
      certainty: 'certain',
    });
    const none = judge(
      ...steps,
      response([{ text: 'Done.' }], {
        stopReason: 'end_turn',
        additionalModelResponseFields: { input_transformations: [] },
      }),
    );
    expect(none.report).toEqual({});
  });
});

describe('streams', () => {
  const events = [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Reasoning a, ' } } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { text: 'step by step.' } } } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { reasoningContent: { signature: seal('a') } } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { text: 'A look first.' } } },
    { contentBlockStop: { contentBlockIndex: 1 } },
    { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'look' } } } },
    { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: '{"at":' } } } },
    { contentBlockDelta: { contentBlockIndex: 2, delta: { toolUse: { input: '"t1"}' } } } },
    { contentBlockStop: { contentBlockIndex: 2 } },
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } } },
  ];
  const streamed = (returned: readonly Block[]) =>
    judge(
      request([user({ text: 'Look there.' })]),
      { api: 'bedrock.converse', response: { stream: events } },
      request([user({ text: 'Look there.' }), assistant(...returned), result('t1')]),
    );

  it('a block whose signature came in a delta of its own', () =>
    expect(streamed(answer)).toMatchObject({ verdict: 'clean' }));
  it('the same, recorded without its envelope: a tool loop is open, and the loop that answers it closes', () => {
    const shortened = { stream: events.slice(1, -2), stopReason: 'tool_use' };
    const steps = [
      request([user({ text: 'Look there.' })]),
      { api: 'bedrock.converse' as const, response: shortened },
      request([user({ text: 'Look there.' }), assistant(...answer), result('t1')]),
      {
        api: 'bedrock.converse' as const,
        response: {
          stream: [{ contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Done.' } } }],
          stopReason: 'end_turn',
        },
      },
    ];
    expect(judge(...steps)).toMatchObject({ verdict: 'clean', judgement: { closedCycle: { steps: 2, toolCalls: 1 } } });
  });
  it('the same, put together without it', () =>
    expect(
      streamed([{ reasoningContent: { reasoningText: { text: 'Reasoning a, step by step.' } } }, ...answer.slice(1)]),
    ).toMatchObject({ report: { edited: 1 } }));
});

describe('families that refuse their reasoning', () => {
  const unsigned = [{ reasoningContent: { reasoningText: { text: 'Plain reasoning.' } } }, call('t1')];
  it('sent back', () =>
    expect(sent(unsigned, unsigned, { modelId: NOVA })).toMatchObject({ verdict: 'finding', report: { carried: 1 } }));
  it('stands in the cycle that it is sent in, and is counted', () => {
    const { judgement } = sent(unsigned, unsigned, { modelId: NOVA });
    expect(judgement.findings[0]).toMatchObject({ path: 'messages.1.content.0', cycle: 'open', source: 'client' });
    expect(judgement.firstSeen.findings).toEqual([{ kind: 'carried', source: 'client', count: 1 }]);
    expect(judgement.blocks).toMatchObject({ expected: 0, dropped: 0, damaged: 0 });
  });
  it('of a turn that is over, by whoever issued it', () => {
    const history = [user({ text: 'One.' }), assistant(...unsigned), result('t1'), assistant({ text: 'So.' })];
    const { judgement } = judge(request([...history, user({ text: 'Two.' })], { modelId: NOVA }));
    expect(judgement.findings).toMatchObject([{ kind: 'carried', count: 1, cycle: 'closed' }]);
    expect(judgement.firstSeen.findings).toEqual([{ kind: 'carried', source: 'client', count: 1 }]);
  });
  it('left out', () =>
    expect(sent(unsigned, unsigned.slice(1), { modelId: NOVA })).toMatchObject({ verdict: 'clean', report: {} }));
});

describe('refusals', () => {
  const MODEL = 'The model returned the following errors: ';
  it.each<[string, string, string, string]>([
    [
      'unsigned reasoning',
      'ValidationException',
      'User messages cannot contain reasoning content',
      'reasoning_refused',
    ],
    [
      'forced tools',
      'ValidationException',
      `${MODEL}Thinking may not be enabled when tool_choice forces tool use.`,
      'tool_choice_forced',
    ],
    ['bytes that are none', 'SerializationException', 'Unexpected value', 'malformed'],
    [
      'a result missing',
      'ValidationException',
      'Expected toolResult blocks at messages.2.content for the following Ids: t1',
      'tool_result_missing',
    ],
    [
      'a signature missing, in the words of the model',
      'ValidationException',
      `${MODEL}messages.1.content.0.thinking.signature: Field required`,
      'member_missing',
    ],
    [
      'a block in the shape of a delta',
      'ValidationException',
      'Unknown parameter in messages[1].content[0].reasoningContent: "text", must be one of: reasoningText, redactedContent',
      'malformed',
    ],
    [
      'reasoning that does not come first',
      'ValidationException',
      'messages.1.content.0.type: If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.',
      'leading_thinking_missing',
    ],
    ['anything else', 'ValidationException', 'Something new', 'unclassified'],
  ])('%s', (_name, type, message, rejection) => {
    const { request: body } = request([user({ text: 'Look there.' }), assistant(...answer), result('t1')]);
    const opened = dialects['bedrock.converse']?.open({ body }, ledgerless());
    opened?.error({ status: 400, type, message });
    expect(opened?.close('failed').rejection).toBe(rejection);
  });
});

it('bytes written over in place are seen', () => {
  const ledger = ledgerless();
  const bytes = new Uint8Array(Buffer.from(seal('r'), 'base64'));
  const open = (messages: readonly Message[]) =>
    dialects['bedrock.converse']?.open({ body: request(messages).request }, ledger);
  const first = open([user({ text: 'Look there.' })]);
  first?.response(response([redacted('r'), call('t1')]).response);
  first?.close('completed');
  const history = [
    user({ text: 'Look there.' }),
    assistant({ reasoningContent: { redactedContent: bytes } }, call('t1')),
    result('t1'),
  ];
  expect(open(history)?.judgement().verdict).toBe('clean');
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  expect(open(history)?.judgement().findings).toMatchObject([{ kind: 'edited', count: 1 }]);
});

it('facts of the call', () => {
  const opened = dialects['bedrock.converse']?.open(
    { body: request([user({ text: 'Hello.' })]).request },
    ledgerless(),
  );
  expect(opened?.facts()).toMatchObject({ provider: 'aws.bedrock', requestModel: CLAUDE });
  expect(dialects['bedrock.converse']?.open({ body: { messages: [] } }, ledgerless())).toBeUndefined();
});
