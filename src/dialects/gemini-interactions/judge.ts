import { type Answer, type Chain, extend, type IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { answersAfter, goneFrom } from '../../continuity/lineage.ts';
import { isAside } from '../../continuity/sideline.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { CycleState, FindingKind, PrefixChange } from '../../continuity/vocabulary.ts';
import { type History, leftBehind, sealsIn } from './chain.ts';
import { type ComparedAnswer, compareAnswer } from './compare.ts';
import type { Match } from './match.ts';
import { makerOf } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import { API } from './slots.ts';
import type { Turns } from './turns.ts';

export interface Draft {
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  readonly compared: readonly ComparedAnswer[];
  /** The newest answer that the request goes on from, named or sent. */
  readonly newest: Answer | undefined;
  readonly answers: Chain<Answer> | undefined;
  /** Answers of the turn that the request goes on with. */
  readonly turnAnswers: number;
  readonly prefixChanged: PrefixChange;
  /** A helper call or a fork that took no thought along: nothing is owed. */
  readonly sideline: boolean;
}

interface Context {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly match: Match;
  readonly history: History;
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
}

/** Holds one request against what was issued, with the rules of the Interactions API. */
export function judgeRequest(facts: RequestFacts, turns: Turns, match: Match, history: History, ledger: Ledger): Draft {
  const compared = match.seen.map((seen) => compareAnswer(seen, match, facts, turns));
  const rows: BlockRow[] = [];
  const others: Entry[] = [];
  const released: ReleasedBlock[] = [];
  const context: Context = { facts, turns, match, history, rows, others, released };
  const newest = compared.at(-1)?.answer ?? history.parent;
  const sideline = isSideline(compared, context);
  // Behind an interaction that nobody here saw there may be anything.
  const unknown = facts.parent !== undefined && history.parent === undefined;

  judgeHeld(context);
  if (!sideline) for (const answer of compared) judgeAnswer(answer, context);
  if (!sideline && !unknown) judgeGone(compared, context, ledger);
  judgeMerged(compared, context);
  judgeBorrowed(context);
  if (!sideline) judgeMode(compared, context);
  const held = new Set(history.held);
  const sent = compared.map(({ answer }) => answer).filter((answer) => !held.has(answer));
  const before = history.parent === undefined ? undefined : answersAfter(history.parent);
  const answers = sent.reduce<Chain<Answer> | undefined>(
    (all, answer) => (all === answer.request.answers ? answersAfter(answer) : extend(all, answer)),
    before,
  );
  const inTurn = compared.filter(({ last }) => turns.turnOf[last] === turns.lastTurn).length;
  return {
    rows,
    others,
    released,
    compared,
    newest,
    answers,
    turnAnswers: turns.open ? inTurn + (turns.lastTurn === 0 ? (history.parent?.after?.turnAnswers ?? 0) : 0) : 0,
    prefixChanged: newest === undefined ? 'none' : changeSince(newest, compared.at(-1), context),
    sideline,
  };
}

/**
 * What an interaction that is named holds is not sent: it is returned, unless it was not kept, or is somebody else's. What
 * one before it in the chain was sent without is still missing.
 */
function judgeHeld({ facts, turns, history, rows, others, match }: Context): void {
  const path = 'previous_interaction_id';
  const { parent, held, lost } = history;
  const all = [...held, ...lost];
  const kept = sealsIn(history);
  const sent = new Set(facts.steps.map(({ seal }) => seal));
  const open = turns.open && turns.lastTurn === 0 ? (parent?.after?.turnAnswers ?? 0) : 0;
  const missing = (common: Omit<Entry, 'kind'>): Entry =>
    common.cycle === 'open'
      ? { ...common, kind: 'dropped', reason: 'omitted_in_cycle' }
      : {
          ...common,
          kind: 'dropped',
          reason: 'omitted_after_cycle',
          severity: facts.model.readsEarlier ? 'loss' : 'note',
        };
  const isKept = ({ seal }: IssuedBlock): boolean => seal !== undefined && kept.has(seal);
  const isThere = (seal: Digest): boolean => kept.has(seal) || sent.has(seal);
  const foreign =
    parent?.request.account !== undefined && facts.account !== undefined && parent.request.account !== facts.account;
  for (const [i, answer] of all.entries()) {
    const cycle: CycleState = all.length - i <= open ? 'open' : 'closed';
    const common = { count: 1, source: 'client', path, cycle, severity: 'loss', certainty: 'certain', answer } as const;
    for (const block of answer.blocks) {
      if (block.seal === undefined || answer.discardable) continue;
      const kind: FindingKind | undefined = lost.length > 0 ? 'unsealed' : foreign ? 'foreign' : undefined;
      const entry = kind === undefined ? undefined : { kind, ...common };
      rows.push({
        block,
        cycle,
        path: () => path,
        entry: lost.length > 0 || isThere(block.seal) ? entry : missing(common),
      });
    }
    // Sent again beside it, it is there twice.
    const twice = lost.length > 0 ? undefined : match.byAnswer.get(answer);
    const copies =
      twice === undefined
        ? 0
        : answer.blocks.filter((block) => isKept(block) && (twice.exact || match.occurrences.has(block))).length;
    if (copies > 0)
      others.push({ ...common, kind: 'duplicated', count: copies, path: facts.paths[twice?.at ?? 0] ?? 'input' });
  }
}

function judgeAnswer(compared: ComparedAnswer, context: Context): void {
  const { facts, turns, history } = context;
  const { answer } = compared;
  if (history.held.includes(answer)) return;
  const turn = turns.turnOf[compared.last] ?? 0;
  const cycle: CycleState = turns.open && turn === turns.lastTurn ? 'open' : 'closed';
  const reads = cycle === 'open' || facts.model.readsEarlier;
  const pathAt = (at: number | undefined): string => facts.paths[at ?? compared.at] ?? 'input';
  for (const { block, state, at } of compared.blocks) {
    if (state === 'exempt') continue;
    const path = pathAt(at);
    const make = (kind: FindingKind, rest: Partial<Entry>): Entry => ({
      kind,
      count: 1,
      source: 'client',
      path,
      cycle,
      severity: reads ? 'loss' : 'note',
      certainty: 'certain',
      answer,
      ...rest,
    });
    const push = (entry: Entry | undefined): void => void context.rows.push({ block, cycle, path: () => path, entry });
    if (state === 'unsigned') {
      context.others.push(make('unsigned_on_arrival', { source: 'server' }));
      continue;
    }
    const foreign = isForeign(block, facts);
    if (foreign && at === undefined) {
      context.released.push({ block, reason: 'model_switch' });
      continue;
    }
    const gone = cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
    if (state === 'converted_to_text') push(make('converted_to_text', { reason: 'converted_to_text' }));
    else if (state === 'dropped') push(make('dropped', { reason: block.type === 'thought' ? gone : 'seal_missing' }));
    else if (foreign) push(make('foreign', { severity: 'loss' }));
    // A seal that is damaged, or missing from the step that is there for it, cannot be verified wherever it stands.
    else if (state === 'edited') push(make('edited', { severity: 'loss' }));
    else push(state === 'intact' ? undefined : make(state, {}));
  }
  const extra = (kind: FindingKind, count: number, at = compared.at): void => {
    if (count === 0) return;
    const rest = { source: 'client', severity: 'loss', certainty: 'certain', cycle, answer } as const;
    context.others.push({ kind, count, path: pathAt(at), ...rest });
  };
  extra('duplicated', compared.duplicated);
  extra('split', compared.split);
  for (const at of compared.fabricated) extra('fabricated', 1, at);
  if (compared.callRemoved) extra('edited', 1);
}

/** Answers that are gone whole: dropped where results of their calls are still given, else trimmed. */
function judgeGone(compared: readonly ComparedAnswer[], context: Context, ledger: Ledger): void {
  const { facts, turns, match, history, rows, released } = context;
  const dropped = leftBehind(turns.orphans, history, match.byAnswer, ledger);
  const held = new Set([...history.held, ...history.lost, ...dropped]);
  const trimmed = goneFrom(compared, (answer) => held.has(answer) || match.byAnswer.has(answer));
  const cycle = turns.open ? 'open' : 'closed';
  const path = facts.parent === undefined ? 'input' : 'previous_interaction_id';
  for (const answer of [...dropped, ...trimmed]) {
    for (const block of answer.blocks) {
      if (block.seal === undefined || !block.complete || answer.discardable) continue;
      if (isForeign(block, facts)) {
        released.push({ block, reason: 'model_switch' });
        continue;
      }
      const common = { count: 1, source: 'client', cycle, certainty: 'certain', answer } as const;
      const entry: Entry = trimmed.has(answer)
        ? { ...common, kind: 'trimmed', path: 'input', severity: 'note', reason: 'history_reset' }
        : { ...common, kind: 'dropped', path, severity: 'loss', reason: 'omitted_in_cycle' };
      rows.push({ block, cycle, path: () => entry.path, entry });
    }
  }
}

/** Answers joined into one run of steps, as long as a seal survives in it. */
function judgeMerged(compared: readonly ComparedAnswer[], { facts, turns, others }: Context): void {
  const homes = new Map<number, ComparedAnswer[]>();
  for (const answer of compared)
    for (const group of answer.groups) homes.set(group, [...(homes.get(group) ?? []), answer]);
  for (const [group, answers] of homes) {
    const joined = answers.slice(1).filter((_, i) => !answers[i]?.answer.unfinished).length;
    const sealed = answers.some(({ blocks }) =>
      blocks.some(({ at }) => at !== undefined && turns.groupOf[at] === group),
    );
    if (joined === 0 || !sealed) continue;
    others.push({
      kind: 'merged',
      count: joined,
      source: 'client',
      path: facts.paths[group] ?? 'input',
      cycle: turns.open && turns.turnOf[group] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'certain',
      answer: (answers[1] as ComparedAnswer).answer,
    });
  }
}

/** Seals that another maker's model put into a history that came from another API. */
function judgeBorrowed({ facts, turns, match, rows }: Context): void {
  for (const { at, block } of match.borrowed) {
    if (makerOf(block.model) === facts.model.vendor) continue;
    const path = facts.paths[at] ?? 'input';
    const cycle = turns.open && turns.turnOf[at] === turns.lastTurn ? 'open' : 'closed';
    const common = {
      count: 1,
      source: 'client',
      severity: 'loss',
      certainty: 'certain',
      answer: block.answer,
    } as const;
    rows.push({ block, cycle, path: () => path, entry: { kind: 'foreign', path, cycle, ...common } });
  }
}

/** Thinking gone between a call and its result, because the settings have to be sent with every interaction. */
function judgeMode(compared: readonly ComparedAnswer[], { facts, turns, history, others }: Context): void {
  if (!turns.open || facts.on !== false) return;
  const inTurn = compared.filter(({ last }) => turns.turnOf[last] === turns.lastTurn).map(({ answer }) => answer);
  const opener = [...inTurn, history.parent].find(
    (answer) => answer !== undefined && (answer.request.reasoningOn === true || answer.blocks.length > 0),
  );
  if (opener === undefined) return;
  const rest = { source: 'client', severity: 'loss', certainty: 'certain', answer: opener } as const;
  others.push({ kind: 'mode_toggled', count: 1, path: 'generation_config', cycle: 'open', ...rest });
}

/** Among Gemini models the back end sees to it that old thoughts can be read; other accounts' are another matter. */
function isForeign({ model, answer }: IssuedBlock, facts: RequestFacts): boolean {
  if (makerOf(model) !== facts.model.vendor) return true;
  const { account } = answer.request;
  return account !== undefined && facts.account !== undefined && account !== facts.account;
}

function isSideline(compared: readonly ComparedAnswer[], { facts, turns, match, history }: Context): boolean {
  if (history.parent !== undefined || match.occurrences.size > 0 || compared.length === 0) return false;
  if (compared.some(({ blocks, fabricated }) => fabricated.length > 0 || blocks.some(({ at }) => at !== undefined)))
    return false;
  const { system, tools, hasTools, model } = facts;
  const { open, prefix } = turns;
  const asking = { api: API, system, tools, hasTools, model: model.id, isReasoningOff: false, open, prefix };
  return isAside(
    asking,
    compared.map(({ answer }) => answer),
  );
}

/** What is not the same as when the newest answer was given: tools and settings are each interaction's own. */
function changeSince(newest: Answer, compared: ComparedAnswer | undefined, { facts, turns }: Context): PrefixChange {
  const { request } = newest;
  if (request.system !== facts.system) return 'system';
  if (request.tools !== facts.tools) return 'tools';
  if (compared !== undefined) {
    const prefix = turns.prefixOf[turns.groupOf[compared.at] ?? compared.at];
    if (prefix !== request.prefix) return 'messages';
  }
  return request.config === facts.config ? 'none' : 'config';
}
