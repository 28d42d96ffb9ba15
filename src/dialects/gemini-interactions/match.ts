import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { RequestFacts } from './read-request.ts';
import type { Step } from './read-step.ts';
import { isOwn, isSame, type Slot, slotsOf } from './slots.ts';
import { isModels, type Turns } from './turns.ts';

/** A step of the request and the issued step that it is; without `slot` it belongs to the answer by its place only. */
export interface Sighting {
  /** Index in the request. */
  readonly at: number;
  readonly step: Step;
  readonly slot: Slot | undefined;
}

/** An answer of which the request holds something. */
export interface SeenAnswer {
  readonly answer: Answer;
  readonly sightings: Sighting[];
  /** First step that holds something of it. */
  readonly at: number;
  /** One run of steps is the answer, untouched; then the sightings are what stands elsewhere. */
  readonly exact: boolean;
}

export interface Match {
  /** In the order in which the request holds them. */
  readonly seen: readonly SeenAnswer[];
  readonly byAnswer: ReadonlyMap<Answer, SeenAnswer>;
  /** Every place of a seal, those in untouched answers left out. */
  readonly occurrences: ReadonlyMap<IssuedBlock, readonly number[]>;
  /** Seals that nobody here issued, on steps that nobody here issued. */
  readonly unknown: readonly number[];
  /** Seals that another API issued. */
  readonly borrowed: readonly { readonly at: number; readonly block: IssuedBlock }[];
}

const POINTS = { seal: 100, call: 40, unique: 27, text: 10, short: 2, samePrefix: 40, seen: 20, goesOn: 30 } as const;
const ACCEPT = 26;
const SENTENCE = 24;

/** Finds out which answers a request re-sends, by seals, ids of calls and texts, never by position alone. */
export function matchRequest(facts: RequestFacts, turns: Turns, ledger: Ledger): Match {
  const byAnswer = new Map<Answer, SeenAnswer>();
  const seen: SeenAnswer[] = [];
  const occurrences = new Map<IssuedBlock, number[]>();
  const unknown: number[] = [];
  const borrowed: { at: number; block: IssuedBlock }[] = [];
  const taken = new Map<Answer, Set<Slot>>();

  const meet = (answer: Answer, at: number, exact: boolean): SeenAnswer => {
    const known = byAnswer.get(answer);
    if (known !== undefined) return known;
    const entry: SeenAnswer = { answer, sightings: [], at, exact };
    byAnswer.set(answer, entry);
    seen.push(entry);
    ledger.touch(answer);
    return entry;
  };
  const sight = (answer: Answer, at: number, slot: Slot | undefined): void => {
    const step = facts.steps[at];
    if (step === undefined) return;
    meet(answer, at, false).sightings.push({ at, step, slot });
    if (slot === undefined) return;
    const own = taken.get(answer) ?? new Set();
    taken.set(answer, own.add(slot));
  };
  const occur = (block: IssuedBlock, at: number): void => {
    meet(block.answer, at, false);
    const known = occurrences.get(block);
    if (known === undefined) occurrences.set(block, [at]);
    else known.push(at);
  };
  const isFree = ({ answer, slot }: Hit): boolean =>
    byAnswer.get(answer)?.exact !== true && taken.get(answer)?.has(slot) !== true;

  const matchRun = (from: number, to: number): void => {
    const prefix = turns.prefixOf[from] ?? 0;
    const run = facts.steps.slice(from, to);
    const hits = run.map((step) => hitsOf(step, prefix, ledger));
    const sealed = run.map(({ seal }) => (seal === undefined ? NOTHING : blocksOf(seal, ledger)));
    const rank = new Map<Answer, number>();
    const count = (answer: Answer, points: number): void => {
      const context = (): number => {
        let own = answer.request.prefix === prefix ? POINTS.samePrefix : 0;
        if (byAnswer.has(answer)) own += POINTS.seen;
        const before = seen.at(-1)?.answer;
        if (before !== undefined && answer.request.answers?.value === before) own += POINTS.goesOn;
        return own;
      };
      rank.set(answer, (rank.get(answer) ?? context()) + points);
    };
    for (const { answer, points } of hits.flat()) count(answer, points);
    for (const { answer } of sealed.flat()) if (isOwn(answer)) count(answer, POINTS.seal);
    for (const [answer, points] of rank) if (points < ACCEPT) rank.delete(answer);

    const home = new Map<number, Answer>();
    const blocks = sealed.map((own) => best(own, (block) => rank.get(block.answer) ?? 0));
    for (const [i, own] of hits.entries()) {
      const block = blocks[i];
      const open = own.filter((hit) => rank.has(hit.answer) && isFree(hit));
      const hit =
        open.find(({ slot }) => block !== undefined && slot.block === block) ??
        best(open, ({ answer }) => rank.get(answer) ?? 0);
      if (hit === undefined) continue;
      home.set(i, hit.answer);
      sight(hit.answer, from + i, hit.slot);
    }
    for (const [i, step] of run.entries()) {
      const block = blocks[i];
      if (block !== undefined) {
        occur(block, from + i);
        if (home.has(i)) continue;
        const slot = slotsOf(block.answer).find((one) => one.block === block);
        const whole =
          step.kind === slot?.kind && slot.kind === 'thought' && isFree({ answer: block.answer, slot, points: 0 });
        home.set(i, block.answer);
        sight(block.answer, from + i, whole ? slot : undefined);
        continue;
      }
      const other = sealed[i]?.at(-1);
      if (other !== undefined) borrowed.push({ at: from + i, block: other });
      if (home.has(i)) continue;
      const near = nearest(i, run.length, home);
      if (near !== undefined) sight(near, from + i, undefined);
      else if (step.seal !== undefined && other === undefined) unknown.push(from + i);
    }
  };

  for (let s = 0; s < facts.steps.length; s++) {
    const step = facts.steps[s];
    if (step === undefined || !isModels(step)) continue;
    let to = s + 1;
    while (to < facts.steps.length && isModels(facts.steps[to] as Step)) to++;
    const echoed = findEcho(facts.steps.slice(s, to), turns.prefixOf[s] ?? 0, ledger);
    if (echoed !== undefined && !byAnswer.has(echoed)) meet(echoed, s, true);
    else matchRun(s, to);
    s = to - 1;
  }
  for (const [at, { kind, seal }] of facts.steps.entries()) {
    if (seal === undefined || (kind !== 'user' && kind !== 'result')) continue;
    const block = blocksOf(seal, ledger).findLast(({ answer }) => isOwn(answer));
    if (block !== undefined) occur(block, at);
  }
  seen.sort((x, y) => x.at - y.at);
  return { seen, byAnswer, occurrences, unknown, borrowed };
}

interface Hit {
  readonly answer: Answer;
  readonly slot: Slot;
  readonly points: number;
}

const NOTHING: readonly never[] = [];

/** The common case: a run of steps is one answer, untouched. */
function findEcho(run: readonly Step[], prefix: Digest, ledger: Ledger): Answer | undefined {
  let found: Answer | undefined;
  let count = 0;
  for (const answer of candidatesOf(run, prefix, ledger)) {
    if (!isEcho(run, answer)) continue;
    if (answer.request.prefix === prefix) return answer;
    found = answer;
    count++;
  }
  const telling = found !== undefined && (found.blocks.length > 0 || run.some(({ kind }) => kind === 'call'));
  return count === 1 && telling ? found : undefined;
}

function isEcho(run: readonly Step[], answer: Answer): boolean {
  if (!isOwn(answer)) return false;
  const slots = slotsOf(answer);
  return slots.length === run.length && run.every((step, i) => isSame(step, slots[i] as Slot));
}

function candidatesOf([first]: readonly Step[], prefix: Digest, ledger: Ledger): readonly Answer[] {
  if (first === undefined) return NOTHING;
  if (first.seal !== undefined) return ledger.bySeal(first.seal).map(({ answer }) => answer);
  return [...(first.kind === 'call' ? ledger.byCall(first.key, prefix) : ledger.byPiece(first.key, prefix))].reverse();
}

function hitsOf(step: Step, prefix: Digest, ledger: Ledger): readonly Hit[] {
  const hits = (holders: readonly Answer[], points: number): readonly Hit[] =>
    holders.filter(isOwn).flatMap((answer) => {
      const slots = slotsOf(answer).filter((slot) => slot.kind === step.kind && slot.key === step.key);
      return slots.map((slot) => ({ answer, slot, points }));
    });
  switch (step.kind) {
    case 'thought':
      return NOTHING;
    case 'call':
      return hits(ledger.byCall(step.key, prefix), POINTS.call);
    default: {
      const holders = ledger.byPiece(step.key, prefix).filter(isOwn);
      const long = step.kind === 'tool' || step.length >= SENTENCE;
      return hits(holders, !long ? POINTS.short : holders.length === 1 ? POINTS.unique : POINTS.text);
    }
  }
}

/** The blocks that have exactly this seal; those of this API where there are any. */
function blocksOf(seal: Digest, ledger: Ledger): readonly IssuedBlock[] {
  const all = ledger.bySeal(seal).filter((block) => block.seal === seal);
  const own = all.filter(({ answer }) => isOwn(answer));
  return own.length > 0 ? own : all;
}

/** At equal scores the newest is meant. */
function best<T>(list: readonly T[], score: (one: T) => number): T | undefined {
  let found: T | undefined;
  let high = 1;
  for (const one of list) {
    const own = score(one);
    if (own < high) continue;
    found = one;
    high = own;
  }
  return found;
}

/** The next answer known, else the one before. */
function nearest(at: number, length: number, home: ReadonlyMap<number, Answer>): Answer | undefined {
  for (let i = at + 1; i < length; i++) if (home.has(i)) return home.get(i);
  for (let i = at - 1; i >= 0; i--) if (home.has(i)) return home.get(i);
  return undefined;
}
