import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../src/simulator/index.ts';
import { copy, type Loose, simulator } from '../support.ts';
import { BOOK, outputsFor, place, playChain, playLoop, ROUNDS, respond, SEARCH } from './support.ts';

const BINDS = 'gpt-6.2-astra';
const LOOSE = 'gpt-5.6-sol';
const scripted = (responses: Loose = {}) => simulator({ responses: { script: ROUNDS, ...responses } });
const reasons = (body: Loose): Loose[] | undefined => body.input_transformations?.map(({ reason }: Loose) => reason);

/** What each change does to the two items of reasoning of a loop on a model that checks its prefix. */
const CHANGES: readonly { what: string; change: (body: Loose) => void; kept: number; removed: number }[] = [
  { what: 'nothing', change: () => {}, kept: 2, removed: 0 },
  {
    what: 'the developer message rewritten',
    change: ({ input }) => (input[0].content += ' Soon.'),
    kept: 0,
    removed: 2,
  },
  { what: 'the user message shortened', change: ({ input }) => (input[1].content = 'A flight'), kept: 0, removed: 2 },
  {
    what: 'an item inserted in front',
    change: ({ input }) => input.unshift({ role: 'user', content: 'Hi' }),
    kept: 0,
    removed: 2,
  },
  {
    what: 'a tool result trimmed after its first submission',
    change: (body) => (body.input[place(body, 'function_call_output')].output = 'short'),
    kept: 1,
    removed: 1,
  },
  { what: 'a tool added', change: (body) => body.tools.push({ ...BOOK, name: 'pay' }), kept: 0, removed: 2 },
  { what: 'the order of tools', change: (body) => body.tools.reverse(), kept: 0, removed: 2 },
  { what: 'a tool described', change: (body) => (body.tools[0].description = 'Finds'), kept: 0, removed: 2 },
  { what: 'the text format', change: (body) => (body.text = { format: { type: 'json_object' } }), kept: 0, removed: 2 },
  { what: 'instructions', change: (body) => (body.instructions = 'Be brief.'), kept: 2, removed: 0 },
  {
    what: 'tool choice, effort, verbosity',
    change: (body) =>
      Object.assign(body, { tool_choice: 'none', reasoning: { effort: 'low' }, text: { verbosity: 'low' } }),
    kept: 2,
    removed: 0,
  },
  {
    what: 'something appended',
    change: ({ input }) => input.push({ role: 'developer', content: 'Hurry.' }),
    kept: 2,
    removed: 0,
  },
  {
    what: 'a tool appended as an item',
    change: ({ input }) => input.push({ type: 'additional_tools', role: 'developer', tools: [BOOK] }),
    kept: 2,
    removed: 0,
  },
  {
    what: 'the first reasoning and the ids of its followers left out',
    change: ({ input }) => {
      for (const item of input) delete item.id;
      input.splice(2, 1);
    },
    kept: 0,
    removed: 1,
  },
  { what: 'ids left out', change: ({ input }) => input.map((item: Loose) => delete item.id), kept: 2, removed: 0 },
  {
    what: 'a text as a plain message',
    change: ({ input }) => Object.assign(input[0], { content: [{ type: 'input_text', text: input[0].content }] }),
    kept: 2,
    removed: 0,
  },
];

describe('the prefix of GPT-6.2 and later', () => {
  for (const { what, change, kept, removed } of CHANGES) {
    it(`${what}: ${kept} kept, ${removed} removed`, async () => {
      const sim = await scripted();
      const body = await playLoop(sim, BINDS);
      change(body);
      const sent = await respond(sim, body);
      expect(sent.body.error?.message).toBeUndefined();
      expect(sent.verdict.shown).toHaveLength(kept);
      expect(sent.verdict.dropped.map(({ reason }) => reason)).toEqual(Array(removed).fill('prefix_mismatch'));
      expect(sent.body.input_transformations ?? []).toEqual(
        sent.verdict.dropped.map(({ path }) => ({
          id: body.input[Number(path.split('.')[1])].id ?? expect.stringMatching(/^rs_/),
          type: 'reasoning',
          action: 'removed',
          reason: 'prefix_mismatch',
        })),
      );
      // Older models do not look.
      const older = await scripted();
      const same = await playLoop(older, LOOSE);
      change(same);
      expect((await respond(older, same)).verdict.dropped).toEqual([]);
    });
  }

  it('holds for a chain: tools and format, not instructions', async () => {
    const sim = await scripted();
    const next = await playChain(sim, BINDS);
    expect(reasons((await respond(sim, { ...next, instructions: 'Other.' })).body)).toBeUndefined();
    expect(reasons((await respond(sim, { ...next, tools: [SEARCH] })).body)).toEqual([
      'prefix_mismatch',
      'prefix_mismatch',
    ]);
  });

  it('what was removed does not spoil what is thought afterwards, whether or not it is sent again', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, BINDS);
    body.input[1].content = 'A train.';
    const sent = await respond(sim, body);
    const input = [...body.input, ...sent.body.output, ...outputsFor(sent.body.output)];
    const again = await respond(sim, { ...body, input });
    expect(again.verdict.shown).toHaveLength(1);
    expect(reasons(again.body)).toEqual(['prefix_mismatch', 'prefix_mismatch']);
    const lean = copy(input).filter((_: Loose, index: number) => ![2, 6].includes(index));
    for (const item of lean.slice(0, 8)) delete item.id;
    const without = await respond(sim, { ...body, input: lean });
    expect(without.verdict.shown).toHaveLength(1);
    expect(without.body.input_transformations).toBeUndefined();
  });

  it('reasoning put back breaks what was thought without it', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, BINDS, { rounds: 1 });
    for (const item of body.input) delete item.id;
    const [taken] = body.input.splice(2, 1);
    const second = await respond(sim, body);
    body.input.push(...second.body.output, ...outputsFor(second.body.output));
    expect((await respond(sim, body)).verdict).toMatchObject({ dropped: [], shown: ['input.5'] });
    body.input.splice(2, 0, taken);
    const back = await respond(sim, body);
    expect(back.verdict.shown).toEqual(['input.2']);
    expect(reasons(back.body)).toEqual(['prefix_mismatch']);
  });
});

describe('whose reasoning it is', () => {
  const organizations = { theirs: { id: 'theirs' } };

  it('another organization: E4 on older models, removed on those that bind', async () => {
    const sim = await scripted({ organizations });
    const older = await respond(sim, await playLoop(sim, LOOSE), { key: 'theirs' });
    expect(older.body.error).toMatchObject({
      code: 'invalid_encrypted_content',
      message: expect.stringMatching(/Encrypted content organization_id did not match the target organization\.$/),
    });
    const binding = await respond(sim, await playLoop(sim, BINDS), { key: 'theirs' });
    expect(reasons(binding.body)).toEqual(['organization_mismatch', 'organization_mismatch']);
    expect(binding.verdict.shown).toEqual([]);
  });

  it('two simulators of one seed read each other', async () => {
    const next = await playLoop(await scripted(), LOOSE);
    expect((await respond(await scripted(), next)).verdict.shown).toHaveLength(2);
    const foreign = await simulator({ seed: 'elsewhere', responses: { script: ROUNDS } });
    expect((await respond(foreign, next)).body.error.code).toBe('invalid_encrypted_content');
  });

  for (const member of ['safety_identifier', 'user'] as const) {
    it(`another end user by ${member}`, async () => {
      const sim = await scripted();
      const next = await playLoop(sim, BINDS, { body: { [member]: 'a' } });
      expect(reasons((await respond(sim, { ...next, [member]: 'b' })).body)).toEqual(
        Array(2).fill('end_user_mismatch'),
      );
      expect(reasons((await respond(sim, next)).body)).toBeUndefined();
      const older = await playLoop(sim, LOOSE, { body: { [member]: 'a' } });
      expect((await respond(sim, { ...older, [member]: 'b' })).verdict.shown).toHaveLength(2);
    });
  }

  it('a model of an earlier generation cannot read it, one of a later can', async () => {
    const sim = await scripted();
    const next = await playLoop(sim, BINDS);
    const down = await respond(sim, { ...next, model: 'gpt-6-sol' });
    expect(reasons(down.body)).toEqual(['model_mismatch', 'model_mismatch']);
    expect((await respond(sim, { ...next, model: 'gpt-6.2-sol' })).verdict.shown).toHaveLength(2);
    const up = await respond(sim, { ...(await playLoop(sim, 'gpt-6-sol')), model: BINDS });
    expect(up.verdict).toMatchObject({ dropped: [], status: 200 });
    expect(up.verdict.shown).toHaveLength(2);
    // Before models bound it, a downgrade within the family was read.
    expect((await respond(sim, { ...(await playLoop(sim, LOOSE)), model: 'gpt-5' })).verdict.shown).toHaveLength(2);
  });
});

describe('reasoning.context', () => {
  /** A closed turn of two answers, then the first answer of the next. */
  const twoTurns = async (sim: Simulator, model: string, body: Loose = {}): Promise<Loose> => {
    const next = await playLoop(sim, model, { rounds: 4, body });
    next.input.push({ role: 'user', content: 'And back?' });
    return next;
  };

  const ROWS: readonly (readonly [model: string, asked: Loose, used: string, shown: number])[] = [
    ['gpt-5', undefined, 'current_turn', 0],
    ['gpt-5', 'all_turns', 'current_turn', 0],
    ['gpt-5.6-sol', undefined, 'all_turns', 4],
    ['gpt-5.6-sol', 'auto', 'all_turns', 4],
    ['gpt-5.6-sol', 'current_turn', 'current_turn', 0],
    ['gpt-6-sol', undefined, 'all_turns', 4],
    [BINDS, undefined, 'all_turns', 4],
    [BINDS, 'current_turn', 'current_turn', 0],
  ];
  for (const [model, asked, used, shown] of ROWS) {
    it(`${model}, ${asked ?? 'omitted'}: ${used}`, async () => {
      const sim = await scripted();
      const body = await twoTurns(sim, model);
      const sent = await respond(sim, { ...body, reasoning: { context: asked } });
      expect(sent.body.reasoning.context).toBe(used);
      expect(sent.verdict.shown).toHaveLength(shown);
      expect(sent.verdict.dropped).toEqual([]);
      expect(sent.verdict.stripped).toHaveLength(4 - shown);
      expect(reasons(sent.body)).toEqual(
        model === BINDS && used === 'current_turn' ? Array(4).fill('turn_boundary') : undefined,
      );
    });
  }

  it('developer messages and results do not end a turn', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, 'gpt-5');
    body.input.push({ role: 'developer', content: 'Hurry.' });
    expect((await respond(sim, body)).verdict.shown).toHaveLength(2);
  });

  it('reasoning of closed turns may be left out where only the current turn is read', async () => {
    const sim = await scripted({ conflicts: { gpt6Context: 'current_turn' } });
    const body = await twoTurns(sim, BINDS);
    const first = await respond(sim, body);
    body.input.push(...first.body.output, ...outputsFor(first.body.output));
    const closed = body.input.findLastIndex(({ role }: Loose) => role === 'user');
    const lean = copy(body);
    for (const item of lean.input.slice(0, closed)) delete item.id;
    lean.input = lean.input.filter(({ type }: Loose, index: number) => index > closed || type !== 'reasoning');
    for (const request of [body, lean]) {
      const sent = await respond(sim, request);
      expect(sent.verdict.shown).toHaveLength(1);
      expect(sent.verdict.dropped).toEqual([]);
    }
    // And a later change of mind about the context is not a change of the prefix.
    expect((await respond(sim, { ...body, reasoning: { context: 'all_turns' } })).verdict.dropped).toEqual([]);
  });
});

describe('compaction', () => {
  it('by threshold stands first in the output, and what was before may be left out', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, BINDS, {
      body: { context_management: [{ type: 'compaction', compact_threshold: 9000 }] },
    });
    body.context_management[0].compact_threshold = 10;
    const sent = await respond(sim, body);
    expect(sent.body.output.map(({ type }: Loose) => type)).toEqual(['compaction', 'reasoning', 'function_call']);
    delete body.context_management;
    const input = [...body.input, ...sent.body.output, ...outputsFor(sent.body.output)];
    const whole = await respond(sim, { ...body, input });
    expect(whole.verdict).toMatchObject({ shown: [`input.${input.length - 3}`], dropped: [] });
    expect(whole.verdict.stripped.map(({ reason }) => reason)).toEqual(['compaction', 'compaction']);
    const lean = await respond(sim, { ...body, input: input.slice(body.input.length) });
    expect(lean.verdict).toMatchObject({ shown: ['input.1'], dropped: [], stripped: [] });
    expect(lean.body.usage.input_tokens).toBe(whole.body.usage.input_tokens);
  });

  it('by trigger, with its event, and by the endpoint; the plan lives on', async () => {
    const plans: unknown[] = [];
    const sim = await scripted({
      script: (call: Loose) => {
        plans.push(call.plan);
        return ROUNDS[Math.min(call.answers, 3)];
      },
    });
    const body = await playLoop(sim, BINDS);
    const asked = await respond(sim, { ...body, input: [...body.input, { type: 'compaction_trigger' }] });
    expect(asked.body.output.map(({ type }: Loose) => type)).toEqual(['compaction']);
    await respond(sim, { ...body, input: [...asked.body.output, { role: 'user', content: 'On.' }] });
    expect(plans.at(-1)).toEqual({ round: 1 });
    const compacted = await respond(sim, { model: BINDS, tools: undefined, input: body.input }, { path: '/compact' });
    expect(compacted.body).toMatchObject({
      object: 'response.compaction',
      usage: { output_tokens_details: { reasoning_tokens: 0 } },
    });
    expect(compacted.body.output.map(({ type, role }: Loose) => type ?? role)).toEqual(['user', 'compaction']);
    plans.length = 0;
    const next = { ...body, input: [...compacted.body.output, { role: 'user', content: 'On.' }] };
    expect((await respond(sim, next)).status).toBe(200);
    expect(plans).toEqual([{ round: 1 }]);
    const item = next.input[1];
    item.encrypted_content = `${item.encrypted_content.slice(0, -4)}AAA=`;
    expect((await respond(sim, next)).body.error.message).toMatch(
      /^The encrypted content for item cmp_\w+ could not be verified/,
    );
  });

  it('says settings in force again', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, 'gpt-6-sol', { rounds: 1 });
    body.input.push({ type: 'configuration_update', reasoning: { effort: 'low' } });
    body.context_management = [{ type: 'compaction', compact_threshold: 10 }];
    const sent = await respond(sim, body);
    expect(sent.body.reasoning.effort).toBe('low');
    expect(sent.body.output.slice(0, 2)).toMatchObject([
      { type: 'compaction' },
      { type: 'configuration_update', reasoning: { effort: 'low' } },
    ]);
    const input = [...sent.body.output, ...outputsFor(sent.body.output)];
    expect((await respond(sim, { ...body, context_management: undefined, input })).verdict).toMatchObject({
      status: 200,
      dropped: [],
    });
  });
});

describe('where sources are silent', () => {
  it('an empty list of transformations, a report of closed turns by every model, no end user', async () => {
    const sim = await scripted({ conflicts: 'lenient' });
    const next = await playLoop(sim, BINDS, { body: { user: 'a' } });
    expect((await respond(sim, { ...next, user: 'b' })).body.input_transformations).toEqual([]);
    const older = await playLoop(sim, 'gpt-5', { rounds: 1 });
    older.input.push({ role: 'user', content: 'New.' });
    expect(reasons((await respond(sim, older)).body)).toEqual(['turn_boundary']);
  });
});
