import { type Block, type Message, seal, th, tx, user } from '../dialects/anthropic-messages/blocks.ts';
import { blocksOf } from '../dialects/anthropic-messages/edits.ts';
import type { Report } from '../dialects/anthropic-messages/talk.ts';

/** One kind of damage, done to a faithful history at a random place, and exactly what it has to be called. */
export interface Damage {
  readonly history: readonly Message[];
  readonly config?: Record<string, unknown>;
  /** On a model that keeps all turns and checks no prefix. */
  readonly report: Report;
  /** On a model that ties blocks to their prefix and to one another; undefined where no rule decides it. */
  readonly checked?: Report;
}

/** A place, drawn anew for every run. `below(n)` is a number under n. */
export type Below = (limit: number) => number;
/** @returns undefined where the history has no place for this damage. */
export type Mutation = (history: readonly Message[], below: Below) => Damage | undefined;

interface Unit {
  readonly message: number;
  readonly at: number;
  readonly block: Block;
}

const isUnit = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';
const hasText = ({ thinking }: Block): boolean => typeof thinking === 'string' && thinking !== '';

const unitsOf = (history: readonly Message[]): Unit[] =>
  history.flatMap((entry, message) =>
    blocksOf(entry).flatMap((block, at) =>
      entry.role === 'assistant' && isUnit(block) ? [{ message, at, block }] : [],
    ),
  );

const pick = <T>(list: readonly T[], below: Below): T | undefined =>
  list.length > 0 ? list[below(list.length)] : undefined;

/** The history with other blocks in the place of one. */
const replaced = (history: readonly Message[], { message, at }: Omit<Unit, 'block'>, ...blocks: readonly Block[]) =>
  history.map((entry, index) =>
    index === message ? { ...entry, content: blocksOf(entry).toSpliced(at, 1, ...blocks) } : entry,
  );
const withContent = (history: readonly Message[], message: number, content: readonly Block[]) =>
  history.map((entry, index) => (index === message ? { ...entry, content } : entry));

/** A report without the keys that count nothing. */
const counts = (report: Report): Report => Object.fromEntries(Object.entries(report).filter(([, count]) => count > 0));

/** Units behind one of them: those that a gap breaks, where something is left of the chain in front of it. */
function brokenByGap(units: readonly Unit[], gap: Unit): number {
  const place = units.indexOf(gap);
  return place === 0 ? 0 : units.length - 1 - place;
}
const unitsAfter = (units: readonly Unit[], message: number): number =>
  units.filter((unit) => unit.message > message).length;

const onUnit =
  (
    fits: (block: Block) => boolean,
    damage: (unit: Unit, units: readonly Unit[], history: readonly Message[], below: Below) => Damage,
  ): Mutation =>
  (history, below) => {
    const units = unitsOf(history);
    const unit = pick(
      units.filter(({ block }) => fits(block)),
      below,
    );
    return unit && damage(unit, units, history, below);
  };

const sealMember = ({ type }: Block): 'signature' | 'data' => (type === 'thinking' ? 'signature' : 'data');

/** Pairs of an assistant message with calls and the results that follow it. */
const exchanges = (history: readonly Message[]): number[] =>
  history.flatMap((entry, index) =>
    entry.role === 'assistant' && blocksOf(entry).some(({ type }) => type === 'tool_use') ? [index] : [],
  );
const callCount = (entry: Message | undefined): number =>
  entry === undefined ? 0 : blocksOf(entry).filter(({ type }) => type === 'tool_use').length;
const unitsIn = (history: readonly Message[], message: number): number =>
  unitsOf(history).filter((unit) => unit.message === message).length;

/** Prefix changes say nothing on a model that does not look. */
const prefixOnly = (history: readonly Message[], count: number, config?: Record<string, unknown>): Damage => ({
  history,
  ...(config ? { config } : {}),
  report: {},
  checked: counts({ prefix_broken: count }),
});

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  drop: onUnit(
    () => true,
    (unit, units, history) => ({
      history: replaced(history, unit),
      report: { dropped: 1 },
      checked: counts({ dropped: 1, prefix_broken: brokenByGap(units, unit) }),
    }),
  ),

  'edit text': onUnit(hasText, (unit, _units, history) => ({
    history: replaced(history, unit, { ...unit.block, thinking: `${String(unit.block.thinking).slice(0, 25)}…` }),
    report: { edited: 1 },
    checked: { edited: 1 },
  })),

  'edit seal': onUnit(
    () => true,
    (unit, _units, history, below) => {
      const member = sealMember(unit.block);
      const value = String(unit.block[member]);
      const changed = [value.slice(0, 100), value.slice(50), `${value.slice(0, 60)}xyz${value.slice(63)}`, ''][
        below(4)
      ];
      return { history: replaced(history, unit, { ...unit.block, [member]: changed }), report: { edited: 1 } };
    },
  ),

  'lose seal': onUnit(
    () => true,
    (unit, _units, history) => {
      const { [sealMember(unit.block)]: _lost, ...rest } = unit.block;
      return { history: replaced(history, unit, rest as Block), report: { edited: 1 } };
    },
  ),

  'foreign seal': onUnit(
    () => true,
    (unit, _units, history) => ({
      history: replaced(history, unit, { ...unit.block, [sealMember(unit.block)]: seal('of nobody') }),
      report: { fabricated: 1, dropped: 1 },
    }),
  ),

  reorder: (history, below) => {
    // A unit to the end of its answer, past something that is no copy of it.
    const unit = pick(
      unitsOf(history).filter(({ message, at }) => at < blocksOf(history[message] as Message).length - 1),
      below,
    );
    if (unit === undefined) return undefined;
    const content = blocksOf(history[unit.message] as Message);
    return {
      history: withContent(history, unit.message, [...content.toSpliced(unit.at, 1), unit.block]),
      report: { reordered: 1 },
    };
  },

  duplicate: onUnit(
    () => true,
    (unit, _units, history) => ({
      history: replaced(history, unit, unit.block, unit.block),
      report: { duplicated: 1 },
    }),
  ),

  fabricate: (history, below) => {
    const answers = history.flatMap((entry, index) => (entry.role === 'assistant' ? [index] : []));
    const message = pick(answers, below);
    if (message === undefined) return undefined;
    const content = blocksOf(history[message] as Message);
    return {
      history: withContent(history, message, content.toSpliced(below(content.length + 1), 0, th('of nobody'))),
      report: { fabricated: 1 },
    };
  },

  'convert to text': onUnit(hasText, (unit, units, history) => {
    const gap = brokenByGap(units, unit);
    return {
      history: replaced(history, unit, tx(String(unit.block.thinking))),
      report: { converted_to_text: 1 },
      // Gone from the chain, and new text in a message that stands before those of later answers.
      checked: counts({ converted_to_text: 1, prefix_broken: Math.max(gap, unitsAfter(units, unit.message)) }),
    };
  }),

  merge: (history, below) => {
    // Two answers of one loop, with blocks in both, and their results.
    const first = pick(
      exchanges(history).filter(
        (at) => callCount(history[at + 2]) > 0 && unitsIn(history, at) > 0 && unitsIn(history, at + 2) > 0,
      ),
      below,
    );
    if (first === undefined) return undefined;
    const [a, ra, b, rb] = history.slice(first, first + 4).map(blocksOf);
    const joined = [
      { role: 'assistant', content: [...(a ?? []), ...(b ?? [])] },
      { role: 'user', content: [...(ra ?? []), ...(rb ?? [])] },
    ];
    return { history: history.toSpliced(first, 4, ...joined), report: { merged: 1 } };
  },

  split: (history, below) => {
    const message = pick(
      history.flatMap((entry, index) => (unitsIn(history, index) > 0 && blocksOf(entry).length > 1 ? [index] : [])),
      below,
    );
    if (message === undefined) return undefined;
    const content = blocksOf(history[message] as Message);
    const at = 1 + below(content.length - 1);
    const pieces = [content.slice(0, at), content.slice(at)].map((part) => ({ role: 'assistant', content: part }));
    return { history: history.toSpliced(message, 1, ...pieces), report: { split: 1 } };
  },

  'split results': (history, below) => {
    const at = pick(
      exchanges(history).filter((index) => callCount(history[index]) > 1),
      below,
    );
    if (at === undefined) return undefined;
    const results = blocksOf(history[at + 1] as Message);
    return {
      history: history.toSpliced(at + 1, 1, ...results.map((one) => user(one))),
      report: { split_results: results.length - 1 },
    };
  },

  'toggle mode': (history) => ({
    history,
    config: { thinking: { type: 'disabled' } },
    report: { mode_toggled: 1 },
  }),

  'change system': (history) =>
    prefixOnly(history, unitsOf(history).length, { system: 'You are another kind of help.' }),

  'add a tool': (history) =>
    prefixOnly(history, unitsOf(history).length, {
      tools: [{ name: 'lookup' }, { name: 'store' }, { name: 'refund' }],
    }),

  'reorder tools': (history) => prefixOnly(history, 0, { tools: [{ name: 'store' }, { name: 'lookup' }] }),

  'edit a user message': (history, below) => {
    const message = pick(
      history.flatMap((entry, index) => (entry.role === 'user' ? [index] : [])),
      below,
    );
    if (message === undefined) return undefined;
    const content = blocksOf(history[message] as Message);
    return prefixOnly(
      withContent(history, message, [...content, tx('Mind the time.')]),
      unitsAfter(unitsOf(history), message),
    );
  },

  'clear a result': (history, below) => {
    const at = pick(exchanges(history), below);
    if (at === undefined) return undefined;
    const [first, ...rest] = blocksOf(history[at + 1] as Message);
    return prefixOnly(
      withContent(history, at + 1, [{ ...(first as Block), content: '[cleared]' }, ...rest]),
      unitsAfter(unitsOf(history), at + 1),
    );
  },

  'trim an exchange': (history, below) => {
    // The whole answer and its results, while blocks from later on stay.
    const units = unitsOf(history);
    const at = pick(
      exchanges(history).filter((index) => unitsAfter(units, index) > 0),
      below,
    );
    if (at === undefined) return undefined;
    const gone = unitsIn(history, at);
    return {
      history: history.toSpliced(at, 2),
      report: counts({ trimmed: gone }),
      checked: counts({ trimmed: gone, prefix_broken: unitsAfter(units, at) }),
    };
  },

  downgrade: (history) => ({
    history,
    config: { model: 'MiniMax-M3' },
    report: counts({ foreign: unitsOf(history).length }),
    checked: counts({ foreign: unitsOf(history).length }),
  }),

  'echo exactly': (history) => ({
    history: JSON.parse(JSON.stringify(history)),
    report: {},
    checked: {},
  }),
};

/** Damage that no rule decides on a model that checks prefixes. */
export const UNDECIDED_ON_CHECKED = new Set([
  'edit seal',
  'lose seal',
  'foreign seal',
  'reorder',
  'duplicate',
  'fabricate',
  'merge',
  'split',
  'split results',
  'toggle mode',
]);

type Fate = (block: Block) => { readonly blocks: readonly Block[]; readonly key?: keyof Report } | undefined;

const FATES: readonly Fate[] = [
  (block) => ({ blocks: [block] }),
  () => ({ blocks: [], key: 'dropped' }),
  (block) => ({ blocks: [block, block], key: 'duplicated' }),
  (block) => {
    const { [sealMember(block)]: _lost, ...rest } = block;
    return { blocks: [rest as Block], key: 'edited' };
  },
  (block) => (hasText(block) ? { blocks: [{ ...block, thinking: 'Shorter.' }], key: 'edited' } : undefined),
  (block) => (hasText(block) ? { blocks: [tx(String(block.thinking))], key: 'converted_to_text' } : undefined),
];

/** Something else for every block of the history: kept, dropped, copied, edited, without its seal, as text. */
export function damageEach(history: readonly Message[], below: Below): Damage & { readonly report: Report } {
  const report: Record<string, number> = {};
  const damaged = history.map((entry) => ({
    ...entry,
    content: blocksOf(entry).flatMap((block) => {
      const fate = isUnit(block) ? FATES[below(FATES.length)]?.(block) : undefined;
      if (fate?.key) report[fate.key] = (report[fate.key] ?? 0) + 1;
      return fate?.blocks ?? [block];
    }),
  }));
  return { history: damaged, report };
}

/** `trimmed` alone is a note; every other key here is a finding. */
export function verdictOf(report: Report): string {
  const kinds = Object.keys(report);
  if (kinds.length === 0) return 'clean';
  return kinds.every((kind) => kind === 'trimmed') ? 'note' : 'finding';
}
