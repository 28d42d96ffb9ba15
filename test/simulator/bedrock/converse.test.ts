import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  InvokeModelCommand,
  type Message,
} from '@aws-sdk/client-bedrock-runtime';
import { afterEach, describe, expect, it } from 'vitest';
import type { Simulator, SimulatorOptions } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';

const clients: BedrockRuntimeClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A client as an application makes it: nothing but the endpoint is special. */
function clientOf({ url }: Simulator): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'of any kind' },
    maxAttempts: 1,
  });
  clients.push(client);
  return client;
}

const CLAUDE = 'us.anthropic.claude-opus-4-8-v1:0';
const BOUND = 'anthropic.claude-fable-5-1-v1:0';
const NOVA = 'us.amazon.nova-2-lite-v1:0';
const GPT_OSS = 'openai.gpt-oss-120b-1:0';
const SEALED = 'openai.gpt-5-5-v1:0';
const TOOLS = { tools: [{ toolSpec: { name: 'look_up', inputSchema: { json: { type: 'object', properties: {} } } } }] };
const THINKS = { thinking: { type: 'adaptive', display: 'summarized' } };
const user = (text: string): Message => ({ role: 'user', content: [{ text }] });

/** A thought, a call, then an answer: of Claude, and of everybody else. */
const SCRIPTED: SimulatorOptions = {
  anthropic: {
    script: ({ step }) => ({
      content: [
        { think: `Thought ${step}. More.`, tokens: 30, plan: step },
        ...(step === 0 ? [{ think: 'Hidden.', redacted: true, tokens: 10 }] : []),
        step === 0 ? { tool: 'look_up' } : { text: 'Done.' },
      ],
    }),
  },
  bedrock: {
    script: ({ step, plan }) => ({
      content: [
        { think: `Plain ${step}.`, plan: step },
        step === 0 ? { tool: 'look_up' } : { text: `Done, remembering ${plan}.` },
      ],
    }),
  },
};
const scripted = (more: SimulatorOptions = {}) => simulator({ ...SCRIPTED, ...more });

/** First request and answer, and the input that sends it all back. */
async function begin(sim: Simulator, modelId: string, more: Partial<ConverseCommandInput> = {}) {
  const client = clientOf(sim);
  const input: ConverseCommandInput = { modelId, messages: [user('Look there.')], toolConfig: TOOLS, ...more };
  const answer = await client.send(new ConverseCommand(input));
  const content: Loose[] = answer.output?.message?.content ?? [];
  const results = content
    .filter(({ toolUse }) => toolUse)
    .map(({ toolUse }) => ({ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: 'seen' }] } }));
  const back = (edit: (content: Loose[]) => Loose[] = (all) => all, rest: Partial<ConverseCommandInput> = {}) =>
    client.send(
      new ConverseCommand({
        ...input,
        messages: [
          ...(input.messages ?? []),
          { role: 'assistant', content: edit(content) },
          { role: 'user', content: results },
        ],
        ...rest,
      }),
    );
  return { client, input, answer, content, back };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ name, message }) => `${name}: ${message}`,
  );
const claude = { additionalModelRequestFields: THINKS };

describe('Claude behind Converse', () => {
  it('answers with signed and hidden reasoning, and reads it when it comes back', async () => {
    const sim = await scripted();
    const { content, answer, back } = await begin(sim, CLAUDE, claude);
    expect(content.map((block) => Object.keys(block)[0])).toEqual(['reasoningContent', 'reasoningContent', 'toolUse']);
    expect(content[0].reasoningContent.reasoningText).toEqual({ text: 'Thought 0.', signature: expect.any(String) });
    expect(content[1].reasoningContent.redactedContent).toBeInstanceOf(Uint8Array);
    expect(answer).toMatchObject({ stopReason: 'tool_use', usage: { outputTokens: expect.any(Number) } });
    expect((await back()).stopReason).toBe('end_turn');
    expect(sim.requests[1]?.verdict.shown).toEqual(['messages.1.content.0', 'messages.1.content.1']);
  });

  it('gives the same in a stream, the signature in a delta of its own', async () => {
    const sim = await scripted();
    const { input, content } = await begin(sim, CLAUDE, claude);
    const { stream } = await clientOf(await scripted()).send(new ConverseStreamCommand(input));
    const events: Loose[] = [];
    for await (const event of stream ?? []) events.push(event);
    const deltas = events.flatMap(({ contentBlockDelta: change }) => (change ? [change] : []));
    const ofFirst = deltas
      .filter(({ contentBlockIndex }) => contentBlockIndex === 0)
      .map(({ delta }) => delta.reasoningContent);
    expect(ofFirst.at(-1)).toEqual({ signature: expect.any(String) });
    expect(
      ofFirst
        .slice(0, -1)
        .map(({ text }) => text)
        .join(''),
    ).toBe('Thought 0.');
    expect(
      deltas.find(({ contentBlockIndex }) => contentBlockIndex === 1).delta.reasoningContent.redactedContent,
    ).toHaveLength(content[1].reasoningContent.redactedContent.length);
    expect(
      events
        .filter(({ contentBlockStart }) => contentBlockStart)
        .map(({ contentBlockStart }) => contentBlockStart.contentBlockIndex),
    ).toEqual([2]);
    expect(events.slice(-2).map((event) => Object.keys(event)[0])).toEqual(['messageStop', 'metadata']);
  });

  const first = (edit: (reasoning: Loose) => Loose) => (content: Loose[]) =>
    content.map((block, at) =>
      at === 0 ? { reasoningContent: { reasoningText: edit(block.reasoningContent.reasoningText) } } : block,
    );
  const hidden = (edit: (bytes: Uint8Array) => Loose) => (content: Loose[]) =>
    content.map((block, at) =>
      at === 1 ? { reasoningContent: { redactedContent: edit(block.reasoningContent.redactedContent) } } : block,
    );
  const SAYS = 'ValidationException: The model returned the following errors: messages.1.content';
  it.each<readonly [string, (content: Loose[]) => Loose[], string]>([
    ['a signature missing', first(({ text }) => ({ text })), `${SAYS}.0.thinking.signature: Field required`],
    [
      'an empty one, which counts as missing',
      first(({ text }) => ({ text, signature: '' })),
      `${SAYS}.0.thinking.signature: Field required`,
    ],
    [
      'a cut one',
      first(({ text, signature }) => ({ text, signature: signature.slice(4) })),
      'Invalid `signature` in `thinking` block',
    ],
    [
      'bytes that are text of bytes',
      hidden((bytes) => Buffer.from(Buffer.from(bytes).toString('base64'))),
      'messages.1.content.1: Invalid `signature`',
    ],
    [
      'bytes that went through JSON',
      hidden((bytes) => JSON.parse(JSON.stringify(Buffer.from(bytes)))),
      'SerializationException',
    ],
    ['a run torn apart', ([thought, _, ...rest]) => [thought, ...rest], 'cannot be modified'],
  ])('refuses %s', async (_name, edit, expected) => {
    const { back } = await begin(await scripted(), CLAUDE, claude);
    expect(await refusal(back(edit))).toContain(expected);
  });

  it('counts places as Converse does, cache points among them', async () => {
    const { back } = await begin(await scripted(), CLAUDE, claude);
    const said = await refusal(
      back(([{ reasoningContent }, second, ...rest]) => [
        { text: 'Before.' },
        { cachePoint: { type: 'default' } },
        { reasoningContent: { reasoningText: { text: reasoningContent.reasoningText.text } } },
        second,
        ...rest,
      ]),
    );
    expect(said).toContain('messages.1.content.2.thinking.signature: Field required');
  });

  it('refuses forced tools while it thinks', async () => {
    const client = clientOf(await scripted());
    const input = {
      modelId: CLAUDE,
      messages: [user('Go.')],
      toolConfig: { ...TOOLS, toolChoice: { any: {} } },
      ...claude,
    };
    expect(await refusal(client.send(new ConverseCommand(input)))).toContain(
      'Thinking may not be enabled when tool_choice forces tool use',
    );
  });

  it('reads over InvokeModel what Converse has issued', async () => {
    const sim = await scripted();
    const { client, content } = await begin(sim, CLAUDE, claude);
    const { text, signature } = content[0].reasoningContent.reasoningText;
    const data = Buffer.from(content[1].reasoningContent.redactedContent).toString('base64');
    const { toolUseId, name, input } = content[2].toolUse;
    const body = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 4000,
      ...THINKS,
      messages: [
        { role: 'user', content: 'Look there.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: text, signature },
            { type: 'redacted_thinking', data },
            { type: 'tool_use', id: toolUseId, name, input },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: toolUseId, content: 'seen' }] },
      ],
    };
    await client.send(new InvokeModelCommand({ modelId: CLAUDE, body: JSON.stringify(body) }));
    expect(sim.requests.at(-1)?.verdict.shown).toHaveLength(2);
  });
});

describe('block binding', () => {
  const binding = (behaviour?: string) => ({
    thinking: { type: 'adaptive', ...(behaviour && { block_binding: { prefix_mismatch_behavior: behaviour } }) },
    ...(behaviour && { anthropic_beta: ['thinking-binding-controls-2026-08-01'] }),
  });
  const other = { system: [{ text: 'Another day.' }] };

  it('refuses blocks behind a changed beginning, unless it is told to drop them', async () => {
    const { back } = await begin(await scripted(), BOUND, { additionalModelRequestFields: binding() as Loose });
    expect(await refusal(back(undefined, other))).toContain('bound to a different conversation');
  });

  it('lists what it dropped where the request asks for the list, and nowhere else', async () => {
    const sim = await scripted();
    const { back } = await begin(sim, BOUND, { additionalModelRequestFields: binding('drop_block') as Loose });
    const silent = await back(undefined, other);
    expect(silent.additionalModelResponseFields).toBeUndefined();
    expect(sim.requests.at(-1)?.verdict.dropped).toHaveLength(2);
    const said = await back(undefined, { ...other, additionalModelResponseFieldPaths: ['/input_transformations'] });
    const entry = { type: 'thinking_dropped', reason: 'prefix_binding_mismatch' };
    expect(said.additionalModelResponseFields).toEqual({
      input_transformations: [0, 1].map((at) => ({ ...entry, path: `messages.1.content.${at}` })),
    });
  });
});

describe('other families', () => {
  it.each([NOVA, 'us.deepseek.r1-v1:0'])('%s gives unsigned reasoning and refuses it', async (modelId) => {
    const extra = { additionalModelRequestFields: { reasoningConfig: { type: 'enabled' } } };
    const { content, back } = await begin(await scripted(), modelId, extra);
    expect(content[0].reasoningContent).toEqual({ reasoningText: { text: 'Plain 0.' } });
    expect(await refusal(back())).toBe('ValidationException: User messages cannot contain reasoning content');
    expect((await back((all) => all.slice(1))).stopReason).toBe('end_turn');
  });

  it('does not think where it is not asked to', async () => {
    const { content } = await begin(await scripted(), NOVA);
    expect(content.map((block) => Object.keys(block)[0])).toEqual(['toolUse']);
  });

  it('refuses or ignores unsigned reasoning of a family of which nobody knows', async () => {
    const strict = await begin(await scripted(), GPT_OSS);
    expect(await refusal(strict.back())).toContain('cannot contain reasoning content');
    const sim = await scripted({ bedrock: { ...SCRIPTED.bedrock, conflicts: 'lenient' } });
    const { back } = await begin(sim, GPT_OSS);
    await back();
    expect(sim.requests.at(-1)?.verdict).toMatchObject({ shown: [], stripped: [{ path: 'messages.1.content.0' }] });
  });

  it('sealed reasoning carries the plan, must come back in an open cycle, byte for byte', async () => {
    const { content, back } = await begin(await scripted(), SEALED);
    expect(content[0].reasoningContent.redactedContent).toBeInstanceOf(Uint8Array);
    expect((await back()).output?.message?.content?.at(-1)).toEqual({ text: 'Done, remembering 0.' });
    expect(await refusal(back((all) => all.slice(1)))).toContain('without its required reasoning');
    const bent = (all: Loose[]) => {
      const bytes = Uint8Array.from(all[0].reasoningContent.redactedContent);
      bytes[20] = (bytes[20] ?? 0) ^ 1;
      return [{ reasoningContent: { redactedContent: bytes } }, ...all.slice(1)];
    };
    expect(await refusal(back(bent))).toContain('could not be verified');
  });

  it('knows the model behind an application inference profile', async () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc';
    const sim = await scripted({ bedrock: { ...SCRIPTED.bedrock, profiles: { [arn]: SEALED } } });
    expect((await begin(sim, arn)).content[0].reasoningContent.redactedContent).toBeDefined();
    expect(await refusal(begin(sim, 'no.such-model'))).toContain('The provided model identifier is invalid');
  });
});

describe('Converse itself', () => {
  const ask = async (input: Loose, more: SimulatorOptions = {}) =>
    refusal(clientOf(await scripted(more)).send(new ConverseCommand({ modelId: CLAUDE, ...input })));
  const called = { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'look_up', input: {} } }] };
  const result = { toolResult: { toolUseId: 't1', content: [{ text: 'x' }] } };

  it.each<readonly [string, Loose, string]>([
    ['no message', { messages: [] }, 'must start with a user message'],
    ['an answer first', { messages: [called] }, 'must start with a user message'],
    [
      'tools in the history and none beside it',
      { messages: [user('x'), called, { role: 'user', content: [result] }] },
      'The toolConfig field must be defined',
    ],
    [
      'a call without result',
      { messages: [user('x'), called, user('y')], toolConfig: TOOLS },
      'Expected toolResult blocks at messages.2.content for the following Ids: t1',
    ],
    [
      'a result too many',
      { messages: [user('x'), called, { role: 'user', content: [result, result] }], toolConfig: TOOLS },
      'exceeds the number of toolUse blocks',
    ],
    [
      'a block of two members',
      { messages: [{ role: 'user', content: [{ text: 'x', reasoningContent: { reasoningText: { text: 'y' } } }] }] },
      'one member only',
    ],
  ])('refuses %s', async (_name, input, expected) => expect(await ask(input)).toContain(expected));

  it('goes wrong where a script says so: a status, an exception in mid-stream, a cut', async () => {
    const say = (fault: Loose) =>
      scripted({
        bedrock: { script: () => ({ content: [{ text: 'A longer answer than one piece of a stream.' }], fault }) },
      });
    const input = { modelId: NOVA, messages: [user('x')] };
    const throttled = clientOf(await say({ kind: 'status', status: 429, message: 'Slow down' }));
    expect(await refusal(throttled.send(new ConverseCommand(input)))).toBe('ThrottlingException: Slow down');
    const read = async (sim: Simulator) => {
      const { stream } = await clientOf(sim).send(new ConverseStreamCommand(input));
      let count = 0;
      for await (const _ of stream ?? []) count += 1;
      return count;
    };
    const at = { event: 'contentBlockDelta', nth: 2 };
    expect(
      await refusal(read(await say({ kind: 'error_event', type: 'modelStreamErrorException', message: 'Gone', at }))),
    ).toBe('ModelStreamErrorException: Gone');
    expect(await refusal(read(await say({ kind: 'malformed', at })))).toMatch(/JSON/);
    expect(await refusal(read(await say({ kind: 'cut', at })))).not.toBe('accepted');
  });
});
