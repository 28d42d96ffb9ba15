import type { Ledger } from '../../continuity/ledger.ts';
import { answersAfter } from '../../continuity/lineage.ts';
import { compareEcho } from './compare.ts';
import { findEcho } from './echo.ts';
import { type Draft, judgeAnswer, overallChange } from './judge.ts';
import type { JudgeContext } from './judge-context.ts';
import type { JudgeTables } from './judge-tables.ts';
import type { Match } from './match.ts';
import type { MessageFacts } from './read-message.ts';
import type { RequestFacts } from './read-request.ts';
import { readTurns, type Turns } from './turns.ts';

/** A request that has been judged, as far as the next one of its run may go on from it. */
export interface Judged {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly draft: Draft;
  /** Says whether the ledger still holds every answer of it. Absent: it has been asked for each just now. */
  readonly isHeld?: () => boolean;
}

/** Of a request in which nothing was wrong. Digests only: it may outlive the messages that it tells of. */
interface Sound extends Pick<Judged, 'turns' | 'draft'> {
  readonly messages: readonly MessageFacts[];
  readonly settings: readonly unknown[];
  readonly ledger: Ledger;
  readonly tables: JudgeTables;
  readonly isHeld: () => boolean;
}

/** By the last message of the request, which the application holds. */
const sound = new WeakMap<MessageFacts, Sound>();

/** Keeps a request in which nothing was wrong, so that the next step need not judge all of its history again. */
export function noteSound({ facts, turns, draft, isHeld }: Judged, ledger: Ledger, tables: JudgeTables): void {
  const last = facts.messages.at(-1);
  // Each holds as much as its history is long: the newest of a history is enough.
  for (const message of facts.messages.slice(-LOOK_BACK, -1)) sound.delete(message);
  const { rows, others, released, compared, sideline, prefixChanged, answers } = draft;
  if (last === undefined || sideline || prefixChanged !== 'none' || others.length > 0 || released.length > 0) return;
  if (facts.tools.deferred.size > 0 || facts.thread !== undefined || turns.compactionAt >= 0) return;
  const newest = compared.at(-1);
  // The list of answers is one by identity where each was given behind the very ones before it.
  if (newest !== undefined && answers !== answersAfter(newest.answer)) return;
  // Of those that are settled both have been seen to.
  for (let i = draft.settled; i < rows.length; i++) if (rows[i]?.entry !== undefined) return;
  if (draft.settled === 0 && !compared.every(({ echo }) => echo)) return;
  sound.set(last, {
    ...{ messages: facts.messages, settings: settingsOf(facts), turns, draft, ledger, tables },
    isHeld: isHeld ?? ledger.hold(),
  });
}

/** Whatever the provider ties reasoning to, or a rule looks at. */
const settingsOf = (facts: RequestFacts): readonly unknown[] => [
  facts.requestModel,
  facts.platform,
  facts.endpoint,
  facts.leg,
  facts.account,
  facts.system,
  facts.tools.bound,
  facts.thinking.on,
  facts.effort,
  facts.config,
  facts.reportsBinding,
  facts.mismatchBehavior,
  facts.interleaved,
  facts.thread,
  facts.thinkingTurnsKept,
];

/** A few messages may have come behind the request before. */
const LOOK_BACK = 4;

/**
 * The common case of a loop: the request before, in which nothing was wrong, with its answer as it was issued and the
 * results of its calls behind it. Comes to what judging the whole history would, for the cost of what is new.
 * @returns undefined for everything else
 */
export function goStraightOn(facts: RequestFacts, ledger: Ledger, tables: JudgeTables): Judged | undefined {
  const { messages } = facts;
  const before = soundBefore(messages);
  if (before === undefined || before.ledger !== ledger || before.tables !== tables || !before.isHeld()) return;
  if (settingsOf(facts).some((value, at) => value !== before.settings[at])) return;
  if (facts.tools.deferred.size > 0 || facts.thinking.on === undefined) return;

  const at = before.messages.length;
  const [said, done, ...more] = messages.slice(at);
  if (said?.role !== 'assistant' || done?.role !== 'user' || more.length > 0) return;
  if (done.hasOther || done.strayBlocks.length > 0) return;
  const answer = findEcho(said.pieces, before.turns.prefix, facts.leg, ledger);
  if (answer === undefined || answer.request.answers !== before.draft.answers || !ledger.touch(answer)) return;
  if (answer.sealsAfter === undefined || answer.request.seals !== before.draft.seals.chain) return;
  if (!done.results.every((id) => said.pieces.some((piece) => piece.kind === 'call' && piece.id === id))) return;

  const turns = readTurns(messages, before.turns);
  if (turns.lastTurn !== before.turns.lastTurn || !turns.open || turns.compactionAt >= 0) return;
  // A cycle that opens with this answer lets the blocks of the turn before it stand in another light.
  if (!before.turns.open && before.draft.rows.length > 0) return;
  const seen = { answer, sightings: [], message: at, exact: true };
  const compared = compareEcho(seen);
  const match: Match = { ...NOTHING_FOUND, seen: [seen], byAnswer: new Map([[answer, seen]]) };
  const draft: Draft = {
    rows: [...before.draft.rows],
    settled: before.draft.rows.length,
    others: [],
    released: [],
    compared: [...before.draft.compared, compared],
    seals: { chain: answer.sealsAfter, broken: new Set() },
    answers: answersAfter(answer),
    sideline: false,
    prefixChanged: overallChange(compared, facts, turns),
  };
  const { rows, others, seals } = draft;
  const context: JudgeContext = {
    ...{ facts, turns, match, ledger, tables, rows, others, seals },
    released: [],
    strays: new Map(),
    isLineage: true,
  };
  judgeAnswer(compared, context);
  if (rows.length === 0 || draft.prefixChanged !== 'none' || others.length > 0 || context.released.length > 0) return;
  if (rows.at(-1)?.entry !== undefined) return;
  return { facts, turns, draft, isHeld: before.isHeld };
}

const NOTHING_FOUND = { strays: [], relabelled: [], copies: [] };

function soundBefore(messages: readonly MessageFacts[]): Sound | undefined {
  for (let at = messages.length - 2; at >= 0 && at >= messages.length - LOOK_BACK; at--) {
    const last = messages[at];
    const found = last && sound.get(last);
    if (found === undefined || found.messages.length !== at + 1) continue;
    if (found.messages.every((message, m) => message === messages[m])) return found;
  }
  return undefined;
}
