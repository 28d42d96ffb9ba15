import type { IssuedBlock } from '../../continuity/answer.ts';
import type { BlockRow, Entry } from '../../continuity/summary.ts';
import type { FindingKind } from '../../continuity/vocabulary.ts';
import { FORBIDDEN, MISSING, type Refusal, UNREADABLE } from './errors.ts';
import { rawBlocks } from './issue.ts';
import { asChatAnswer, asChatBlock } from './issued.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';
import { type Rule, stanceOf } from './rules.ts';
import type { Turns } from './turns.ts';

/** Kinds that leave a message without what the target wants of it. */
const LOST: readonly FindingKind[] = ['dropped', 'edited', 'misplaced', 'reordered', 'converted_to_text'];

/** Kinds that explain why a seal could not be verified: of the block itself, and of what stands around it. */
const CHANGED: readonly FindingKind[] = ['edited', 'foreign', 'misplaced', 'reordered'];
const SURPLUS: readonly FindingKind[] = ['fabricated', 'duplicated', 'merged', 'split'];

export interface Settling {
  readonly rule: Rule;
  readonly draft: Draft;
  readonly facts: RequestFacts;
  readonly turns: Turns;
}

/** What a request is refused for is a loss, whoever still reads that turn. */
export function settleWithRefusal(settling: Settling, refusal: Refusal): void {
  const { draft } = settling;
  const { rejection } = refusal;
  if (MISSING.includes(rejection)) {
    const rows = draft.rows.filter(({ entry }) => entry !== undefined && LOST.includes(entry.kind));
    for (const row of rows) worsen(row);
    if (rows.some(({ entry }) => entry?.kind === 'dropped')) return;
    if (draft.silent.length === 0) settleEmpties(settling);
    // Nothing was said of what older turns left out, and this is what it is refused for.
    for (const { block, entry } of draft.silent) {
      if (entry.severity !== 'loss') continue;
      const { cycle, path } = entry;
      draft.rows.push({ block, cycle, path: () => path, entry: { ...entry, certainty: 'certain' } });
      const released = draft.released.findIndex((one) => one.block === block);
      if (released >= 0) draft.released.splice(released, 1);
    }
    draft.silent.splice(0);
    return;
  }
  if (UNREADABLE.includes(rejection)) settleSeals(settling, refusal);
  if (FORBIDDEN.includes(rejection)) settleForbidden(settling, refusal);
}

/** What arrived empty has to come back empty: the host looks for the member, and no reasoning is lost (deepseek-harness#739). */
function settleEmpties({ draft, facts, turns }: Settling): void {
  for (const { answer, message } of draft.compared) {
    const empties = asChatAnswer(answer)?.chat.empties ?? [];
    const sent = facts.messages[message];
    const there = [...(sent?.empties ?? []), ...(sent?.pieces ?? [])].some(
      (piece) => piece.kind === 'block' && piece.members.some((member) => empties.includes(member)),
    );
    if (empties.length === 0 || there) continue;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    draft.others.push({
      kind: 'dropped',
      count: 1,
      source: 'client',
      reason: cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle',
      path: `messages.${message}`,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer,
    });
  }
}

/**
 * A seal that could not be verified: a change of it explains that; else what was made elsewhere; else, where nothing
 * differs, everything that was sent: only then the account, the key or the route behind a router has changed.
 */
function settleSeals({ draft, facts }: Settling, { upstream }: Refusal): void {
  // Readable text of another maker becomes a block without a seal at the one that checks seals.
  const isSuspect = ({ block, entry }: BlockRow): boolean => block.seal !== undefined || entry?.kind === 'foreign';
  const sealed = draft.rows.filter((row) => isSuspect(row) && row.entry?.kind !== 'dropped');
  const explained = sealed.filter(({ entry }) => entry !== undefined && CHANGED.includes(entry.kind));
  for (const row of explained) worsen(row);
  if (explained.length > 0 || draft.others.some(({ kind }) => SURPLUS.includes(kind))) return;
  const whole = sealed.filter(({ entry }) => entry === undefined);
  const rerouted = whole.filter(({ block }) => isRerouted(block.answer, upstream));
  const otherModel = whole.filter(({ block }) => block.answer.request.model !== facts.model.id);
  // Several keys can be of one account: another one is no reason to doubt before there is a refusal.
  const otherKey = whole.filter(({ block: { answer } }) => isOther(answer.request.key, facts.key));
  const suspects = [rerouted, otherModel, otherKey].find((rows) => rows.length > 0) ?? whole;
  for (const row of suspects) {
    const server = isRerouted(row.block.answer, upstream);
    blame(row, 'foreign', {
      source: server ? 'server' : 'client',
      certainty: suspects === whole ? 'inferred' : 'certain',
    });
  }
}

const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

const isRerouted = (answer: Parameters<typeof asChatAnswer>[0], upstream: string | undefined): boolean => {
  const before = asChatAnswer(answer)?.chat.upstream;
  return isOther(before, upstream);
};

/** A member that the host does not take: whatever is sent under it is what the request is refused for. */
function settleForbidden({ draft, facts, turns }: Settling, { member }: Refusal): void {
  const named = (members: readonly string[]): boolean => member === undefined || members.includes(member);
  // Switched off inside the cycle is what is said of it; that its reasoning was sent all the same is no second fault.
  const toggled = draft.others.some(({ kind }) => kind === 'mode_toggled');
  for (const row of draft.rows) {
    if (toggled && row.cycle === 'open' && row.entry === undefined) continue;
    const members = asChatBlock(row.block)?.chat.members ?? [];
    const { entry } = row;
    if (entry?.kind === 'carried' || entry?.kind === 'edited') worsen(row);
    else if (entry === undefined && named(members)) blame(row, 'carried', { certainty: 'certain' });
  }
  const known = new Set(draft.rows.map((row) => row.path().split('.')[1]));
  facts.messages.forEach((message, m) => {
    if (known.has(String(m))) return;
    const sent = message.pieces.filter((piece) => piece.kind === 'block' && named(piece.members));
    if (sent.length === 0) return;
    draft.others.push({
      kind: 'carried',
      count: sent.length,
      source: 'client',
      path: `messages.${m}`,
      cycle: turns.open && turns.turnOf[m] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'certain',
    });
  });
}

/** Blocks that a refused request shows to be of no use there: they are not owed any more. */
export function givenUpBy({ rows }: Draft, { rejection }: Refusal): readonly IssuedBlock[] {
  const kind = UNREADABLE.includes(rejection) ? 'foreign' : FORBIDDEN.includes(rejection) ? 'carried' : undefined;
  return rows.flatMap(({ block, entry }) => (kind !== undefined && entry?.kind === kind ? [block] : []));
}

/** Routes whose seals are good on one another (platform.claude.com preserved-thinking: the same on every platform). */
const SAME_SEALS = /anthropic|bedrock|google|vertex|azure/i;

/** The answer names who gave it: behind a router the route may have changed, through no fault of the client. */
export function settleWithRoute({ draft, facts, turns, rule }: Settling, upstream: string | undefined): void {
  if (upstream === undefined) return;
  for (const row of draft.rows) {
    const { block, entry } = row;
    if (entry !== undefined || block.seal === undefined || !isRerouted(block.answer, upstream)) continue;
    const before = asChatAnswer(block.answer)?.chat.upstream ?? '';
    if (facts.model.vendor === 'anthropic' && SAME_SEALS.test(before) && SAME_SEALS.test(upstream)) continue;
    const { leftOut } = stanceOf(rule, row.cycle === 'open', turns.open, true);
    const severity = leftOut === 'loss' ? 'loss' : 'note';
    blame(row, 'foreign', { source: 'server', certainty: 'inferred', severity });
  }
}

/**
 * A request that went through shows that what was taken for unreadable was not; an answer that reasons, though nothing asked
 * it to, that the host's default is not the maker's.
 */
export function settleWithSuccess({ draft, facts }: Settling, response: Response): void {
  if (response.choices.length === 0) return;
  const { usage, choices } = response;
  const reasons = (usage.reasoning ?? 0) > 0 || choices.some(({ message }) => rawBlocks(message).length > 0);
  const toggled = draft.others.findIndex(({ kind }) => kind === 'mode_toggled');
  if (reasons && toggled >= 0 && facts.thinking.member === undefined) draft.others.splice(toggled, 1);
  for (const row of draft.rows) {
    if (row.entry?.kind === 'foreign' && row.entry.certainty === 'inferred' && row.entry.source === 'client') {
      row.entry = undefined;
    }
  }
}

function worsen(row: BlockRow): void {
  if (row.entry !== undefined) row.entry = { ...row.entry, severity: 'loss', certainty: 'certain' };
}

function blame(row: BlockRow, kind: FindingKind, rest: Partial<Entry>): void {
  row.entry = {
    kind,
    count: 1,
    source: 'client',
    path: row.path(),
    cycle: row.cycle,
    severity: 'loss',
    certainty: 'certain',
    answer: row.block.answer,
    ...rest,
  };
}
