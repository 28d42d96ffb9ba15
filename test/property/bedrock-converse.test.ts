import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { createLedger, type Ledger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';
import { converseEvents } from '../../src/simulator/bedrock-converse/events.ts';
import { type Part, type Simulator, startSimulator, type Verdict } from '../../src/simulator/index.ts';
import { reportOf } from '../dialects/anthropic-messages/check.ts';
import { bounds } from './conversations.ts';

/**
 * Random loops in Converse's shape, faithful or bent in one way. The simulator and the judge are written from the same
 * documents and not from one another: what the one refuses, drops or lets pass the other has to call by its name.
 */

type Block = Record<string, unknown>;
type Message = { role: string; content: Block[] };
type Body = { modelId: string; messages: Message[]; [member: string]: unknown };

let simulator: Simulator;
/** What the model says next. */
let next: readonly Part[] = [];
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'converse',
    anthropic: { script: () => ({ content: next }), conflicts: { thinkingOffWithBlocks: 'strip' } },
    bedrock: { script: () => ({ content: next as never }) },
  });
});
afterAll(() => simulator.close());

const CLAUDE = 'us.anthropic.claude-opus-4-8-v1:0';
const BOUND = 'anthropic.claude-fable-5-1-v1:0';
const REFUSING = ['us.amazon.nova-2-lite-v1:0', 'us.deepseek.r1-v1:0'];
const TOOLS = {
  tools: ['lookup', 'store'].map((name) => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } })),
};

interface Exchange {
  readonly verdict: Verdict;
  readonly after: Judgement;
  readonly content: readonly Block[];
}

/** Sends one request to the simulator and shows request and answer, whole or in events, to the judge. */
async function exchange(body: Body, ledger: Ledger, streamed: boolean): Promise<Exchange> {
  const call = dialects['bedrock.converse']?.open({ body, account: 'one' }, ledger);
  if (call === undefined) throw new Error('not read as a request');
  const { modelId, ...rest } = body;
  const response = await fetch(`${simulator.url}/model/${encodeURIComponent(modelId)}/converse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: JSON.stringify(rest),
  });
  const answer = (await response.json()) as { output?: { message: Message }; message?: string };
  const verdict = simulator.requests.at(-1)?.verdict;
  if (verdict === undefined) throw new Error('the request was not recorded');
  if (!response.ok) {
    const type = response.headers.get('x-amzn-errortype') ?? '';
    call.error({ status: response.status, type, message: String(answer.message) });
  } else if (streamed) {
    for (const { event, data } of converseEvents(answer)) call.event({ [event]: data });
  } else {
    call.response(answer);
  }
  return {
    verdict,
    after: call.close(response.ok ? 'completed' : 'failed'),
    content: answer.output?.message.content ?? [],
  };
}

type Piece = 'shown' | 'hidden' | 'text' | 'call';
let made = 0;
const PARTS: Readonly<Record<Piece, () => Part>> = {
  shown: () => ({ think: `Thought ${++made}, and what follows from it for the task. More is not shown.`, tokens: 50 }),
  hidden: () => ({ think: `Flagged thought ${++made}.`, redacted: true, tokens: 50 }),
  text: () => ({ text: `Remark ${++made} on the state of the work.` }),
  call: () => ({ tool: 'lookup', input: { key: `k${++made}` } }),
};

const step = fc
  .tuple(
    fc.array(fc.constantFrom<Piece>('shown', 'hidden'), { minLength: 1, maxLength: 2 }),
    fc.boolean(),
    fc.integer({ min: 1, max: 2 }),
  )
  .map(([thoughts, text, calls]): Piece[] => [
    ...thoughts,
    ...(text ? ['text' as const] : []),
    ...Array<Piece>(calls).fill('call'),
  ]);
const run = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  streamed: fc.boolean(),
  display: fc.constantFrom('summarized', 'omitted'),
  behaviour: fc.constantFrom('drop_block', 'error'),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const isReasoning = (block: Block): boolean => block.reasoningContent !== undefined;

interface Played {
  readonly body: Body;
  /** The content of each answer, as it came. */
  readonly issued: readonly (readonly Block[])[];
}

/** Plays a faithful client, checks that nobody complains, and returns the request that comes next. */
async function playFaithfully(
  modelId: string,
  { steps, streamed, display, behaviour }: Run,
  ledger: Ledger,
): Promise<Played> {
  const issued: (readonly Block[])[] = [];
  const body: Body = {
    modelId,
    system: [{ text: 'You are of help.' }],
    toolConfig: TOOLS,
    messages: [{ role: 'user', content: [{ text: `Question ${++made}: what is to be done?` }] }],
    additionalModelRequestFields: {
      thinking: { type: 'adaptive', display, block_binding: { prefix_mismatch_behavior: behaviour } },
      anthropic_beta: ['thinking-binding-controls-2026-08-01'],
      reasoningConfig: { type: 'enabled' },
    },
    additionalModelResponseFieldPaths: ['/input_transformations'],
  };
  if (!modelId.includes('claude')) body.additionalModelRequestFields = { reasoningConfig: { type: 'enabled' } };
  else delete (body.additionalModelRequestFields as Block).reasoningConfig;
  for (const pieces of steps) {
    next = pieces.map((piece) => PARTS[piece]());
    const { verdict, after, content } = await exchange(body, ledger, streamed);
    expect(verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
    expect(reportOf(after)).toEqual({});
    issued.push(content);
    const results = content
      .filter((block) => block.toolUse !== undefined)
      .map(({ toolUse }) => ({
        toolResult: { toolUseId: (toolUse as Block).toolUseId, content: [{ text: 'found' }] },
      }));
    body.messages = [
      ...body.messages,
      { role: 'assistant', content: content.filter((block) => modelId.includes('claude') || !isReasoning(block)) },
      { role: 'user', content: results },
    ];
  }
  return { body, issued };
}

/** One way to bend a request: what it edits, and what the judge calls that; undefined where there is nothing to bend. */
interface Mutation {
  readonly name: string;
  bend(body: Body, at: number): Readonly<Record<string, number>> | undefined;
  /** Where the provider refuses, its class; absent: it may refuse or not. */
  readonly rejection?: string;
}

/** The reasoning blocks of one answer. */
const blocksOf = (body: Body, at: number): Block[] => (body.messages[at]?.content ?? []).filter(isReasoning);
const put = (body: Body, at: number, content: (content: readonly Block[]) => Block[]): void => {
  body.messages = body.messages.map((message, index) =>
    index === at ? { ...message, content: content(message.content) } : message,
  );
};
const textOf = (block: Block): Block | undefined =>
  (block.reasoningContent as Block).reasoningText as Block | undefined;
/** Changes the first block for which there is a change. */
const change =
  (edit: (block: Block) => Block | undefined) =>
  (body: Body, at: number): Readonly<Record<string, number>> | undefined => {
    const target = blocksOf(body, at).find((block) => edit(block) !== undefined);
    if (target === undefined) return undefined;
    put(body, at, (content) => content.map((block) => (block === target ? (edit(block) as Block) : block)));
    return { edited: 1 };
  };
const withText =
  (edit: (text: Block) => Block | undefined) =>
  (block: Block): Block | undefined => {
    const text = textOf(block);
    const edited = text && edit(text);
    return edited && { reasoningContent: { reasoningText: edited } };
  };
const withBytes =
  (edit: (bytes: string) => unknown) =>
  (block: Block): Block | undefined => {
    const bytes = (block.reasoningContent as Block).redactedContent;
    return typeof bytes === 'string' ? { reasoningContent: { redactedContent: edit(bytes) } } : undefined;
  };

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'all reasoning of one answer left out',
    bend(body, at) {
      const count = blocksOf(body, at).length;
      put(body, at, (content) => content.filter((block) => !isReasoning(block)));
      return { dropped: count };
    },
  },
  { name: 'signature lost', bend: change(withText(({ text }) => ({ text }))), rejection: 'member_missing' },
  {
    name: 'signature empty',
    bend: change(withText(({ text }) => ({ text, signature: '' }))),
    rejection: 'member_missing',
  },
  {
    name: 'signature cut',
    bend: change(withText(({ text, signature }) => ({ text, signature: String(signature).slice(0, -8) }))),
    rejection: 'signature_invalid',
  },
  {
    name: 'text trimmed',
    bend: change(
      withText(({ text, signature }) => (text === '' ? undefined : { text: String(text).slice(0, -1), signature })),
    ),
  },
  {
    name: 'bytes encoded once more',
    bend: change(withBytes((bytes) => Buffer.from(bytes).toString('base64'))),
    rejection: 'signature_invalid',
  },
  {
    name: 'bytes as a Buffer that went through JSON',
    bend: change(withBytes((bytes) => JSON.parse(JSON.stringify(Buffer.from(bytes, 'base64'))))),
    rejection: 'malformed',
  },
  {
    name: 'reasoning sent behind the calls',
    bend(body, at) {
      const count = blocksOf(body, at).length;
      put(body, at, (content) => [...content.filter((block) => !isReasoning(block)), ...content.filter(isReasoning)]);
      return { reordered: count };
    },
  },
];

const decision = fc.record({ mutation: fc.constantFrom(...MUTATIONS), place: fc.nat() });

describe('Claude behind Converse: the simulator and the judge agree', () => {
  it.each([CLAUDE, BOUND])('on faithful loops and on one bend of %s', async (modelId) => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(run, decision, async (one, { mutation, place }) => {
        const ledger = createLedger();
        const { body } = await playFaithfully(modelId, one, ledger);
        const at = 1 + 2 * (place % one.steps.length);
        const report = mutation.bend(body, at);
        if (report === undefined) return;
        next = [PARTS.text()];
        const { verdict, after } = await exchange(body, ledger, one.streamed);
        const said = reportOf(after);
        // A gap in what a model reads in order breaks what comes behind it.
        const { prefix_broken: broken = 0, ...own } = said;
        expect(own, mutation.name).toEqual(report);
        if (modelId === CLAUDE) expect(broken).toBe(0);
        expect(after.verdict).toBe('finding');
        if (verdict.error) {
          refused += 1;
          expect([after.rejection, mutation.name], verdict.error.message).not.toContain('unclassified');
          if (mutation.rejection) expect(after.rejection, verdict.error.message).toBe(mutation.rejection);
          expect(verdict.status).toBe(400);
        } else {
          expect(mutation.rejection, mutation.name).toBeUndefined();
          expect(after.rejection).toBeUndefined();
          const server = after.findings
            .filter(({ source }) => source === 'server')
            .reduce((sum, { count }) => sum + count, 0);
          expect(server).toBe(verdict.dropped.length);
        }
      }),
      bounds(60),
    );
    expect(refused).toBeGreaterThan(0);
  });

  it.each([CLAUDE, BOUND])('on a changed beginning before %s', async (modelId) => {
    await fc.assert(
      fc.asyncProperty(run, async (one) => {
        const ledger = createLedger();
        const { body } = await playFaithfully(modelId, one, ledger);
        const sent = body.messages.reduce((sum, _, at) => sum + blocksOf(body, at).length, 0);
        next = [PARTS.text()];
        const { verdict, after } = await exchange(
          { ...body, system: [{ text: 'Another day.' }] },
          ledger,
          one.streamed,
        );
        const refused = modelId === BOUND && one.behaviour === 'error';
        expect([verdict.status, after.rejection]).toEqual(refused ? [400, 'prefix_mismatch'] : [200, undefined]);
        expect(reportOf(after)).toEqual(modelId === BOUND ? { prefix_broken: sent } : {});
        expect(verdict.dropped.length).toBe(modelId === BOUND && !refused ? sent : 0);
        expect(after.blocks.dropped).toBe(verdict.dropped.length);
      }),
      bounds(20),
    );
  });
});

describe('families that refuse their reasoning: the simulator and the judge agree', () => {
  it.each(REFUSING)('%s: clean without it, refused with it', async (modelId) => {
    await fc.assert(
      fc.asyncProperty(run, fc.nat(), async (one, place) => {
        const ledger = createLedger();
        const { body, issued } = await playFaithfully(modelId, one, ledger);
        const answer = place % one.steps.length;
        put(body, 1 + 2 * answer, () => [...(issued[answer] ?? [])]);
        const { verdict, after } = await exchange(body, ledger, one.streamed);
        expect([verdict.status, after.rejection]).toEqual([400, 'reasoning_refused']);
        expect(reportOf(after)).toEqual({ carried: issued[answer]?.filter(isReasoning).length });
      }),
      bounds(15),
    );
  });
});
