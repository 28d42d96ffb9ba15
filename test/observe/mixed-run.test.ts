import Anthropic from '@anthropic-ai/sdk';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { type OpenAiScript, type Script, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';

/**
 * One task that goes from Claude to another maker's model while Claude is overloaded, and back. Each side is shown its
 * own reasoning whole, and of the other's steps only what was called and returned.
 */

/** Overloaded once two of its answers are there, until the other model has given two. */
const claude: Script = ({ step }) => {
  if (step === 2) return { content: [], fault: { kind: 'status', status: 529, message: 'Overloaded' } };
  const think = { think: `Claude at step ${step}.`, tokens: 300 };
  return { content: [think, step < 5 ? { tool: 'look_up', input: { step } } : { text: 'Done.' }] };
};
const other: OpenAiScript = ({ step }) => ({
  content: [
    { think: `The other at step ${step}.`, tokens: 200 },
    { tool: 'look_up', input: { step } },
  ],
});

const CLAUDE = 'claude-opus-4-8';
const TASK = 'Which crates are late?';
const SCHEMA = { type: 'object' as const, properties: { step: { type: 'number' } } };

/** A step of the task as the agent keeps it: who took it, its answer as it came, what was called. */
interface Taken {
  readonly by: 'claude' | 'other';
  readonly answer: unknown;
  readonly id: string;
  readonly input: string;
}

const resultOf = ({ input }: Taken): string => `result of ${input}`;

function claudeMessages(taken: readonly Taken[]): Anthropic.MessageParam[] {
  return [
    { role: 'user', content: TASK },
    ...taken.flatMap((step): Anthropic.MessageParam[] => [
      {
        role: 'assistant',
        content:
          step.by === 'claude'
            ? (step.answer as Anthropic.ContentBlockParam[])
            : [{ type: 'tool_use', id: step.id, name: 'look_up', input: JSON.parse(step.input) }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: step.id, content: resultOf(step) }] },
    ]),
  ];
}

/** A model of another maker, and the API that it is asked over. */
interface Other {
  readonly model: string;
  /** Path of its base URL. */
  readonly path: string;
  ask(client: OpenAI, model: string, taken: readonly Taken[]): Promise<Taken>;
}

async function askResponses(client: OpenAI, model: string, taken: readonly Taken[]): Promise<Taken> {
  const response = await client.responses.create({
    model,
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', name: 'look_up', parameters: SCHEMA, strict: false }],
    input: [
      { role: 'user', content: TASK },
      ...taken.flatMap((step): OpenAI.Responses.ResponseInputItem[] => [
        ...(step.by === 'other'
          ? (step.answer as OpenAI.Responses.ResponseInputItem[])
          : [{ type: 'function_call' as const, call_id: step.id, name: 'look_up', arguments: step.input }]),
        { type: 'function_call_output', call_id: step.id, output: resultOf(step) },
      ]),
    ],
  });
  const call = response.output.find((item) => item.type === 'function_call');
  return { by: 'other', answer: response.output, id: call?.call_id ?? '', input: call?.arguments ?? '' };
}

async function askChat(client: OpenAI, model: string, taken: readonly Taken[]): Promise<Taken> {
  const { choices } = await client.chat.completions.create({
    model,
    tools: [{ type: 'function', function: { name: 'look_up', parameters: SCHEMA } }],
    messages: [
      { role: 'system', content: 'You track crates.' },
      { role: 'user', content: TASK },
      ...taken.flatMap((step): OpenAI.ChatCompletionMessageParam[] => [
        step.by === 'other'
          ? (step.answer as OpenAI.ChatCompletionMessageParam)
          : {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: step.id, type: 'function', function: { name: 'look_up', arguments: step.input } }],
            },
        { role: 'tool', tool_call_id: step.id, content: resultOf(step) },
      ]),
    ],
  });
  const answer = choices[0]?.message;
  const call = answer?.tool_calls?.find(({ type }) => type === 'function');
  return { by: 'other', answer, id: call?.id ?? '', input: call?.type === 'function' ? call.function.arguments : '' };
}

const OTHERS: readonly (readonly [string, Other])[] = [
  ['GPT over Responses', { model: 'gpt-5.6-sol', path: 'v1', ask: askResponses }],
  ['GLM over Chat', { model: 'glm-5.1', path: 'glm/v1', ask: askChat }],
  ['GPT over Chat, which has no member for reasoning', { model: 'gpt-5-mini', path: 'v1', ask: askChat }],
];

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({
    seed: 'mixed-run',
    anthropic: { script: claude },
    responses: { script: other },
    chat: { script: other },
  });
});
afterAll(() => simulator.close());

async function play({ model, path, ask }: Other) {
  const spans = tracerHarness();
  const meters = meterHarness();
  const options = { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider };
  const anthropic = instrumentClient(
    new Anthropic({ baseURL: simulator.url, apiKey: 'key', maxRetries: 0, openTelemetry: false }),
    options,
  );
  const openai = instrumentClient(
    new OpenAI({ baseURL: `${simulator.url}/${path}`, apiKey: 'key', maxRetries: 0 }),
    options,
  );
  const taken: Taken[] = [];
  const askClaude = async (): Promise<boolean> => {
    const { content } = await anthropic.messages.create({
      model: CLAUDE,
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'look_up', input_schema: SCHEMA }],
      messages: claudeMessages(taken),
    });
    const call = content.find((block) => block.type === 'tool_use');
    if (call) taken.push({ by: 'claude', answer: content, id: call.id, input: JSON.stringify(call.input) });
    return call !== undefined;
  };
  await askClaude();
  await askClaude();
  await expect(askClaude()).rejects.toMatchObject({ status: 529 });
  taken.push(await ask(openai, model, taken));
  taken.push(await ask(openai, model, taken));
  expect(await askClaude()).toBe(true);
  expect(await askClaude()).toBe(false);
  const points = await meters.collect();
  await meters.meterProvider.shutdown();
  return { spans: spans.ended(), points };
}

describe.each(OTHERS)('Claude, then %s, then Claude', (_, other) => {
  const { model } = other;
  /** Blocks that its second step sends back. */
  const own = model === 'gpt-5-mini' ? 0 : 1;
  let played: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    played = await play(other);
  });
  const column = (name: string): unknown[] => played.spans.map(({ attributes }) => attributes[name]);

  it('is one run', () => {
    expect(column('gen_ai.request.model')).toEqual([CLAUDE, CLAUDE, CLAUDE, model, model, CLAUDE, CLAUDE]);
    expect(new Set(column('reasoning.run.id')).size).toBe(1);
  });

  it('tells both switches, and that nothing survives either', () => {
    const from = [undefined, undefined, undefined, CLAUDE, undefined, model, undefined];
    expect(column('reasoning.switch.from')).toEqual(from);
    const there = (value: string) => from.map((one) => one && value);
    expect(column('reasoning.switch.direction')).toEqual(there('cross_provider'));
    expect(column('reasoning.switch.survives')).toEqual(there('dropped'));
    const switches = pointsOf(played.points, 'reasoning.model.switches');
    expect(total(switches)).toBe(2);
    expect(total(pointsOf(played.points, 'reasoning.model.switches', { 'reasoning.switch.survives': 'dropped' }))).toBe(
      2,
    );
  });

  it('is open all the way, and counts its steps on', () => {
    expect(column('reasoning.cycle.state')).toEqual(['closed', ...Array(6).fill('open')]);
    expect(column('reasoning.cycle.step')).toEqual([1, 2, 3, 3, 4, 5, 6]);
  });

  it('expects of each side its own reasoning, the first side again once it is back', () => {
    const expected = [0, 1, 2, 0, own, 2, 3];
    expect(column('reasoning.blocks.expected')).toEqual(expected);
    expect(column('reasoning.blocks.returned')).toEqual(expected);
  });

  it('raises no alarm: what was left behind is released', () => {
    expect(column('reasoning.dropped')).toEqual(Array(7).fill(false));
    expect(column('reasoning.finding.kinds')).toEqual(Array(7).fill(undefined));
    expect(total(pointsOf(played.points, 'reasoning.blocks.dropped'))).toBe(0);
    // Two of Claude's on the way there, those of the other's on the way back.
    const released = pointsOf(played.points, 'reasoning.blocks.released');
    expect(total(released)).toBe(2 + 2 * own);
    expect(total(released.filter(({ attributes }) => attributes['reasoning.drop.reason'] === 'model_switch'))).toBe(
      2 + 2 * own,
    );
  });
});
