import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { contains } from '../../continuity/passage.ts';
import { longestRise } from '../longest-rise.ts';
import type { Match, SeenAnswer, Sighting } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import { sealOf, textOf } from './read-step.ts';
import { type Slot, slotsOf } from './slots.ts';
import type { Turns } from './turns.ts';

/** What became of one unit in one request. */
export type BlockState =
  | 'intact'
  | 'edited'
  | 'misplaced'
  | 'reordered'
  | 'dropped'
  | 'converted_to_text'
  | 'unsigned'
  | 'exempt';

export interface ComparedBlock {
  readonly block: IssuedBlock;
  state: BlockState;
  /** Step of the request; undefined for what is absent. */
  readonly at: number | undefined;
}

export interface ComparedAnswer {
  readonly answer: Answer;
  readonly blocks: readonly ComparedBlock[];
  /** First step that holds something of it, and the last. */
  readonly at: number;
  readonly last: number;
  /** Runs of steps in which it stands. */
  readonly groups: ReadonlySet<number>;
  readonly duplicated: number;
  readonly fabricated: readonly number[];
  readonly split: number;
  readonly callRemoved: boolean;
}

/** Holds what a request shows of one answer against what was issued. */
export function compareAnswer(seen: SeenAnswer, match: Match, facts: RequestFacts, turns: Turns): ComparedAnswer {
  const { answer, sightings, at } = seen;
  const slots = slotsOf(answer);
  const copies = (block: IssuedBlock): number => match.occurrences.get(block)?.length ?? 0;
  if (seen.exact) {
    return {
      answer,
      blocks: slots.flatMap(({ block, index }) =>
        block === undefined
          ? []
          : [{ block, state: block.seal === undefined ? ('unsigned' as const) : ('intact' as const), at: at + index }],
      ),
      at,
      last: at + slots.length - 1,
      groups: new Set([turns.groupOf[at] ?? at]),
      duplicated: answer.blocks.reduce((sum, block) => sum + copies(block), 0),
      fabricated: [],
      split: 0,
      callRemoved: false,
    };
  }
  const placed = new Map<Slot, Sighting>();
  for (const sighting of sightings) {
    if (sighting.slot !== undefined && !placed.has(sighting.slot)) placed.set(sighting.slot, sighting);
  }
  const groupOf = (step: number): number => turns.groupOf[step] ?? step;
  const body = new Set([...placed].flatMap(([slot, one]) => (slot.kind === 'thought' ? [] : [groupOf(one.at)])));
  const isHome = (step: number): boolean => body.size === 0 || body.has(groupOf(step));
  const claimed = new Set<number>();
  const loose = sightings.filter(({ slot }) => slot === undefined);

  const blocks = slots.flatMap((slot): ComparedBlock[] => {
    const { block } = slot;
    if (block === undefined) return [];
    const row = (state: BlockState, where?: number): ComparedBlock[] => [{ block, state, at: where }];
    const places = match.occurrences.get(block) ?? [];
    const own = placed.get(slot);
    const home = places.find((place) => (own === undefined ? isHome(place) : own.at === place));
    if (home !== undefined) {
      const step = facts.steps[home];
      const whole = slot.kind !== 'thought' || (step?.kind === 'thought' && step.summary === block.text);
      // Only thoughts and a provider's own tools are signed: on any other step the seal is out of place.
      if (!isHome(home) || step?.kind !== slot.kind) return row('misplaced', home);
      return row(whole ? 'intact' : 'edited', home);
    }
    const [stray] = places;
    if (stray !== undefined) return row('misplaced', stray);
    const damaged = findDamaged(slot, block, own, loose, claimed, facts);
    if (damaged !== undefined) {
      claimed.add(damaged);
      if (block.seal === undefined) return row('unsigned', damaged);
      return row(block.complete ? 'edited' : 'exempt', damaged);
    }
    if (!block.complete || answer.discardable || block.seal === undefined) return row('exempt');
    return row(isSaid(block, seen, facts) ? 'converted_to_text' : 'dropped');
  });

  const order = outOfOrder(placed, blocks);
  for (const row of blocks) if (row.state === 'intact' && order.has(row.block)) row.state = 'reordered';
  const known = new Set([...match.occurrences.values()].flat());
  const fabricated = sightings.flatMap(({ at: step, step: { kind, seal }, slot }) => {
    const invented = seal === undefined ? kind === 'thought' && slot === undefined : !known.has(step);
    return invented && !claimed.has(step) && !match.borrowed.some((one) => one.at === step) ? [step] : [];
  });
  const groups = new Set(
    [...placed.values()].map((one) => groupOf(one.at)).filter((group) => body.size === 0 || body.has(group)),
  );
  const sealsLeft = blocks.some((one) => one.at !== undefined && one.block.seal !== undefined);
  return {
    answer,
    blocks,
    at,
    last: Math.max(at, ...sightings.map((one) => one.at)),
    groups,
    duplicated: answer.blocks.reduce((sum, block) => sum + Math.max(0, copies(block) - 1), 0),
    fabricated,
    split: Math.max(0, groups.size - 1),
    callRemoved:
      sealsLeft &&
      answer.complete &&
      slots.some((slot) => slot.call !== undefined && !slot.call.optional && !placed.has(slot)),
  };
}

/** A step that stands for the unit, with its seal damaged or gone. */
function findDamaged(
  slot: Slot,
  block: IssuedBlock,
  own: Sighting | undefined,
  loose: readonly Sighting[],
  claimed: ReadonlySet<number>,
  facts: RequestFacts,
): number | undefined {
  for (const { at, step } of own === undefined ? loose : [own, ...loose]) {
    if (claimed.has(at)) continue;
    if (block.seal !== undefined && step.strings.includes(block.seal)) return at;
    if (step.seal !== undefined) {
      const value = sealOf(facts.rawSteps[at] ?? {}) ?? '';
      if (block.sealLikeness !== undefined && isDerived(value, block.sealLikeness)) return at;
      continue;
    }
    // A thought is there, without its seal; of a tool's step the seal alone was the unit.
    if (
      slot.kind === 'thought' &&
      step.kind === 'thought' &&
      (step.summary === block.text || step.summary === undefined)
    )
      return at;
  }
  return undefined;
}

/** The summary of an absent thought stands in something that the model is made to have said. */
function isSaid({ passage, answer }: IssuedBlock, seen: SeenAnswer, facts: RequestFacts): boolean {
  if (passage === undefined) return false;
  const issued = new Set(slotsOf(answer).map(({ key }) => key));
  return seen.sightings.some(
    ({ at, step }) =>
      step.kind === 'output' && !issued.has(step.key) && contains(textOf(facts.rawSteps[at] ?? {}), passage),
  );
}

/** Units to take out so that what is left of the answer stands in issued order. */
function outOfOrder(placed: ReadonlyMap<Slot, Sighting>, blocks: readonly ComparedBlock[]): ReadonlySet<IssuedBlock> {
  const intact = new Set(blocks.flatMap(({ block, state }) => (state === 'intact' ? [block] : [])));
  const row = [...placed].sort(([, x], [, y]) => x.at - y.at).map(([slot]) => slot);
  const out = new Set<IssuedBlock>();
  if (row.every((slot, i) => i === 0 || slot.index > (row[i - 1]?.index ?? -1))) return out;
  const isUnit = ({ block }: Slot): boolean => block !== undefined && intact.has(block);
  row.forEach((slot, i) => {
    if (!isUnit(slot)) return;
    const wrong = row.some(
      (other, j) => !isUnit(other) && (j < i ? other.index > slot.index : other.index < slot.index),
    );
    if (wrong && slot.block !== undefined) out.add(slot.block);
  });
  const kept = row.filter((slot) => isUnit(slot) && slot.block !== undefined && !out.has(slot.block));
  const longest = longestRise(kept.map(({ index }) => index));
  kept.forEach(({ block }, i) => {
    if (!longest.has(i) && block !== undefined) out.add(block);
  });
  return out;
}
