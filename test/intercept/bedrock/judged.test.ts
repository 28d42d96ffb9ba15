/** The real SDK, the real rules and the real telemetry against the simulator. */
import { createRequire } from 'node:module';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts';
import { meterHarness, total, tracerHarness } from '../../emit/telemetry.ts';
import type { Any } from '../support/call-shapes.ts';
import { converseLoop, type Harness, invokeLoop, type LoopOptions } from './support/loop.ts';

const require = createRequire(import.meta.url);
const VERSIONS = ['bedrock-runtime-3.840', '@aws-sdk/client-bedrock-runtime'];
const CLAUDE = 'us.anthropic.claude-opus-4-8-v1:0';
const BOUND = 'us.anthropic.claude-fable-5-1-v1:0';
const NOVA = 'us.amazon.nova-2-lite-v1:0';
const SEALED = 'openai.gpt-5-5-v1:0';
const ADAPTIVE = { thinking: { type: 'adaptive' } };
const DROPS = {
  thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
  anthropic_beta: ['thinking-binding-controls-2026-08-01'],
};
const REPORT = { additionalModelResponseFieldPaths: ['/input_transformations'] };

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({
    seed: 'judged',
    // A thought and a hidden one, two calls, one call, the answer.
    anthropic: {
      script: ({ step, body }) => ({
        content: [
          { think: `Thought of step ${step}. More is not shown.`, tokens: 200 },
          ...(step === 0 ? [{ think: 'Not for the eye.', redacted: true, tokens: 50 }] : []),
          ...(step === 0 && Array.isArray(body.tools) && body.tools.length > 1
            ? [
                { tool: 'look_up', input: { at: 'a' } },
                { tool: 'compare', input: { at: 'b' } },
              ]
            : step < 2
              ? [{ tool: 'look_up', input: { at: 'c' } }]
              : [{ text: 'Done.' }]),
        ],
      }),
    },
    bedrock: {
      script: ({ step }) => ({
        content: [
          { think: `Plain thought of step ${step}.`, tokens: 100 },
          step < 2 ? { tool: 'look_up', input: { at: `p${step}` } } : { text: 'Done.' },
        ],
      }),
    },
  });
});
afterAll(() => simulator.close());

function setUp(sdk: string, options: Record<string, unknown> = {}) {
  const Sdk: Any = require(sdk);
  const spans = tracerHarness();
  const meters = meterHarness();
  const client = instrumentClient(
    new Sdk.BedrockRuntimeClient({
      region: 'us-east-1',
      endpoint: simulator.url,
      credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
      maxAttempts: 1,
      ...options,
    }),
    { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider },
  );
  const judged = () =>
    spans.ended().map(({ attributes }) => ({
      continuity: attributes['reasoning.continuity'],
      counts: ['expected', 'returned', 'dropped', 'damaged'].map((name) => attributes[`reasoning.blocks.${name}`] ?? 0),
      kinds: attributes['reasoning.finding.kinds'] ?? [],
      rejection: attributes['reasoning.rejection'],
    }));
  const sums = async () => {
    const metrics = await meters.collect();
    await meters.meterProvider.shutdown();
    return (name: string) => total(metrics.get(name)?.points ?? []);
  };
  return { Sdk, client, judged, sums, last: () => spans.ended().at(-1) };
}

let loops = 0;
/** A text of its own for each loop, so that none is taken for another. */
const textOf = (name: string) => `Task ${++loops}: ${name}.`;

describe.each(VERSIONS)('a sound loop with %s', (sdk) => {
  const WAYS: readonly (readonly [string, LoopOptions])[] = [
    ['adaptive thinking', { modelId: CLAUDE, extra: ADAPTIVE }],
    ['shown text', { modelId: CLAUDE, extra: { thinking: { type: 'adaptive', display: 'summarized' } } }],
    ['a model that checks the prefix', { modelId: BOUND, extra: DROPS, more: REPORT }],
    ['sealed reasoning of another maker', { modelId: SEALED }],
  ];
  it.each(WAYS.flatMap(([name, way]) => [false, true].map((stream) => [name, stream, way] as const)))(
    '%s, streamed: %s, gives no finding',
    async (name, stream, way) => {
      const { Sdk, client, judged, sums } = setUp(sdk);
      await converseLoop(Sdk, client, { ...way, stream, text: textOf(name) });
      const sealed = way.modelId === SEALED;
      const rows = judged();
      expect(rows.map(({ counts }) => counts)).toEqual(
        sealed
          ? [
              [0, 0, 0, 0],
              [1, 1, 0, 0],
              [2, 2, 0, 0],
            ]
          : [
              [0, 0, 0, 0],
              [2, 2, 0, 0],
              [3, 3, 0, 0],
            ],
      );
      expect(rows.map(({ continuity }) => continuity)).toEqual(['not_applicable', 'intact', 'intact']);
      expect(rows.flatMap(({ kinds }) => kinds as string[])).toEqual([]);
      const sum = await sums();
      expect([sum('reasoning.calls'), sum('reasoning.blocks.dropped'), sum('reasoning.findings')]).toEqual([3, 0, 0]);
    },
  );

  it.each([false, true])(
    'InvokeModel in the shape of the Messages API, streamed: %s, gives no finding',
    async (stream) => {
      const { Sdk, client, judged, last } = setUp(sdk);
      await invokeLoop(Sdk, client, { modelId: CLAUDE, stream, extra: ADAPTIVE, text: textOf('invoke') });
      expect(judged().map(({ counts }) => counts)).toEqual([
        [0, 0, 0, 0],
        [2, 2, 0, 0],
        [3, 3, 0, 0],
      ]);
      expect(judged().flatMap(({ kinds }) => kinds as string[])).toEqual([]);
      expect(last()?.attributes).toMatchObject({
        'gen_ai.provider.name': 'aws.bedrock',
        'gen_ai.request.model': CLAUDE,
      });
    },
  );

  it.each([NOVA, 'us.deepseek.r1-v1:0'])('%s, whose reasoning is not sent back, gives no finding', async (modelId) => {
    const { Sdk, client, judged } = setUp(sdk);
    const harness: Harness = (block) => (block.reasoningContent ? [] : [block]);
    const extra = { reasoningConfig: { type: 'enabled' } };
    await converseLoop(Sdk, client, { modelId, harness, extra, text: textOf('left out') });
    expect(judged()).toHaveLength(3);
    expect(judged().flatMap(({ kinds }) => kinds as string[])).toEqual([]);
    expect(judged().map(({ continuity }) => continuity)).toEqual(Array(3).fill('not_applicable'));
  });
});

const only =
  (edit: Harness): Harness =>
  (block) =>
    block.reasoningContent ? edit(block) : [block];
const redacted =
  (edit: (bytes: Uint8Array) => unknown): Harness =>
  (block) => {
    const bytes = block.reasoningContent?.redactedContent;
    return bytes ? [{ reasoningContent: { redactedContent: edit(bytes) } }] : [block];
  };

describe.each(VERSIONS)('a broken loop with %s', (sdk) => {
  const newest = sdk.startsWith('@');
  const OLD_SDK_REFUSES = 'before it is sent';
  it.each<readonly [string, Harness, Partial<LoopOptions>, unknown]>([
    ['reasoning filtered', only(() => []), { extra: ADAPTIVE }, [['dropped'], undefined]],
    [
      'signature lost',
      only(({ reasoningContent: { reasoningText, redactedContent } }) => [
        { reasoningContent: redactedContent ? { redactedContent } : { reasoningText: { text: reasoningText.text } } },
      ]),
      { extra: ADAPTIVE },
      [['edited'], 'member_missing'],
    ],
    [
      'bytes sent as their base64, which the SDK encodes once more',
      redacted((bytes) => Buffer.from(bytes).toString('base64')),
      { extra: ADAPTIVE },
      [['edited'], 'signature_invalid'],
    ],
    [
      'bytes through JSON as a Buffer',
      redacted((bytes) => JSON.parse(JSON.stringify(Buffer.from(bytes)))),
      { extra: ADAPTIVE },
      newest ? [['edited'], 'malformed'] : OLD_SDK_REFUSES,
    ],
    [
      'rendered as text',
      only(({ reasoningContent: { reasoningText } }) =>
        reasoningText?.text ? [{ text: `<think>${reasoningText.text}</think>` }] : [],
      ),
      { extra: { thinking: { type: 'adaptive', display: 'summarized' } } },
      [['converted_to_text', 'dropped'], undefined],
    ],
    [
      'reasoning sent to a family that refuses it',
      (block) => [block],
      { modelId: NOVA, extra: { reasoningConfig: { type: 'enabled' } } },
      [['carried'], 'reasoning_refused'],
    ],
    ['sealed reasoning of another maker filtered', only(() => []), { modelId: SEALED }, [['dropped'], 'unclassified']],
  ])('%s', async (name, harness, way, expected) => {
    const { Sdk, client, judged, sums } = setUp(sdk);
    const loop = converseLoop(Sdk, client, { modelId: CLAUDE, ...way, harness, text: textOf(name) });
    await loop.catch(() => undefined);
    const bad = judged()[1];
    if (expected === OLD_SDK_REFUSES) {
      expect(bad).toBeUndefined();
      return;
    }
    expect([bad?.kinds, bad?.rejection]).toEqual(expected);
    expect((await sums())('reasoning.findings')).toBeGreaterThan(0);
  });

  it('a prefix changed in mid-run: the list in the answer says so', async () => {
    const { Sdk, client, judged } = setUp(sdk);
    let days = 0;
    const more = {
      ...REPORT,
      get system() {
        days += 1;
        return [{ text: `Day ${days}.` }];
      },
    };
    await converseLoop(Sdk, client, { modelId: BOUND, extra: DROPS, more, text: textOf('prefix') });
    expect(judged()[1]).toMatchObject({ kinds: ['prefix_broken'], counts: [2, 0, 2, 0] });
  });
});

describe('what is counted', () => {
  it('carried reasoning once a block, however often it is sent', async () => {
    const { Sdk, client, sums } = setUp('@aws-sdk/client-bedrock-runtime');
    const extra = { reasoningConfig: { type: 'enabled' } };
    const input = {
      modelId: NOVA,
      additionalModelRequestFields: extra,
      messages: [{ role: 'user', content: [{ text: textOf('twice') }] }],
    };
    const { output } = await client.send(new Sdk.ConverseCommand(input));
    const again = {
      ...input,
      messages: [...input.messages, output.message, { role: 'user', content: [{ text: 'And?' }] }],
    };
    for (let attempt = 0; attempt < 3; attempt += 1)
      await client.send(new Sdk.ConverseCommand(again)).catch(() => undefined);
    const sum = await sums();
    expect([sum('reasoning.findings'), sum('reasoning.rejections'), sum('reasoning.blocks.expected')]).toEqual([
      1, 3, 0,
    ]);
  });

  it('keys that change by the hour name no account', async () => {
    const keys = ['ASIAONE', 'ASIATWO'];
    const { Sdk, client, judged } = setUp('@aws-sdk/client-bedrock-runtime', {
      // Each call asks for credentials anew.
      credentials: async () => ({
        accessKeyId: keys.shift() ?? 'ASIATHREE',
        secretAccessKey: 's',
        expiration: new Date(0),
      }),
    });
    await converseLoop(Sdk, client, {
      modelId: 'us.anthropic.claude-sonnet-5-5-v1:0',
      extra: ADAPTIVE,
      text: textOf('keys'),
    });
    expect(judged().flatMap(({ kinds }) => kinds as string[])).toEqual([]);
  });
});
