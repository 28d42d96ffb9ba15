import type { Answer, Chain } from '../../continuity/answer.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import { lineageOf } from '../../continuity/lineage.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { PrefixChange } from '../../continuity/vocabulary.ts';
import { type ComparedAnswer, compareAnswer, compareEcho } from './compare.ts';
import { foreignTo } from './foreign.ts';
import { asChatAnswer } from './issued.ts';
import { judgeBlock, placeOf } from './judge-block.ts';
import type { JudgeContext, Silent } from './judge-context.ts';
import { judgeFillers, judgeUnknownFillers } from './judge-fillers.ts';
import { judgeTrimmed } from './judge-history.ts';
import { judgeCopies, judgeMerged, judgeMode } from './judge-shape.ts';
import type { Match, SeenAnswer } from './match.ts';
import { breaksPrefix, changeBefore, type SealRow, sealRow } from './prefix.ts';
import type { RequestFacts } from './read-request.ts';
import { type Rule, readsMember } from './rules.ts';
import { isSideline } from './sideline.ts';
import type { Turns } from './turns.ts';

export interface Draft {
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  /** Said only if the request is refused for it. */
  readonly silent: Silent[];
  readonly compared: readonly ComparedAnswer[];
  readonly seals: SealRow;
  /** The answers that the request re-sends, in order. */
  readonly answers: Chain<Answer> | undefined;
  readonly prefixChanged: PrefixChange;
  /** A helper call or a fork that took no reasoning along: nothing is owed. */
  readonly sideline: boolean;
}

/** Holds one request against what was issued, with the rules of its host. */
export function judgeRequest(facts: RequestFacts, turns: Turns, match: Match, ledger: Ledger, rule: Rule): Draft {
  const homes = homesByAnswer(match);
  const compared = match.seen.map((seen) =>
    seen.exact ? compareEcho(seen) : compareAnswer(seen, facts, elsewhere(seen, homes)),
  );
  const sideline = isSideline(facts, turns, compared, match);
  const newest = compared.at(-1);
  const { answers, isLineage } = lineageOf(compared);
  const seals = sealRow(compared);
  const context: JudgeContext = {
    facts,
    turns,
    match,
    ledger,
    rule,
    rows: [],
    others: [],
    released: [],
    silent: [],
    isLineage,
  };
  if (!sideline) {
    for (const answer of compared) judgeAnswer(answer, seals, context);
    judgeCopies(context);
    if (rule.returns !== 'nothing') judgeMerged(compared, context);
    judgeTrimmed(compared, context);
    judgeMode(compared, context);
  }
  judgeUnknownFillers(context);
  judgeRelabelled(context);
  const { rows, others, released, silent } = context;
  return {
    rows,
    others,
    released,
    silent,
    compared,
    seals,
    answers,
    sideline,
    prefixChanged: newest === undefined ? 'none' : overallChange(newest, facts, turns),
  };
}

/** Messages that hold calls or texts of each answer. */
function homesByAnswer(match: Match): ReadonlyMap<SeenAnswer, ReadonlySet<number>> {
  const homes = new Map<SeenAnswer, ReadonlySet<number>>();
  for (const seen of match.seen) {
    const own = seen.exact
      ? [seen.message]
      : seen.sightings.flatMap(({ message, issued }) =>
          issued !== undefined && issued.block === undefined ? [message] : [],
        );
    homes.set(seen, new Set(own));
  }
  return homes;
}

function elsewhere(seen: SeenAnswer, homes: ReadonlyMap<SeenAnswer, ReadonlySet<number>>): ReadonlySet<number> {
  const others = new Set<number>();
  for (const [other, messages] of homes) if (other !== seen) for (const message of messages) others.add(message);
  return others;
}

function judgeAnswer(compared: ComparedAnswer, seals: SealRow, context: JudgeContext): void {
  const { facts, turns, rule } = context;
  const { answer } = compared;
  const checks = facts.model.row.prefixCheck === true && answer.blocks.some(({ seal }) => seal !== undefined);
  const place = placeOf(
    compared,
    context,
    checks && (seals.broken.has(answer) || breaksPrefix(compared, facts, turns)),
  );
  for (const row of compared.blocks) judgeBlock(row, compared, place, context);
  judgeFillers(compared, place, context);

  const { cycle, stance } = place;
  const owed = stance.leftOut === 'loss' ? 'loss' : 'note';
  const common = {
    path: `messages.${compared.message}`,
    cycle,
    answer,
    certainty: 'certain',
    source: 'client',
  } as const;
  if (rule.returns !== 'nothing') {
    const { duplicated, joined, split } = compared;
    if (duplicated > 0) context.others.push({ kind: 'duplicated', count: duplicated, severity: 'loss', ...common });
    if (joined > 0) context.others.push({ kind: 'merged', count: joined, severity: 'loss', ...common });
    if (split > 0) context.others.push({ kind: 'split', count: split, severity: 'loss', ...common });
    if (compared.callRemoved) context.others.push({ kind: 'edited', count: 1, severity: owed, ...common });
  }
  const unsigned = asChatAnswer(answer)?.chat.unsignedCall;
  const carried = unsigned !== undefined && facts.messages[compared.message]?.pieces.some(isCall(unsigned));
  if (carried && facts.model.row.seals === 'calls') {
    context.others.push({ kind: 'unsigned_on_arrival', count: 1, severity: owed, ...common, source: 'server' });
  }
}

const isCall =
  (id: number) =>
  (piece: { readonly kind: string; readonly id?: number | undefined }): boolean =>
    piece.kind === 'call' && piece.id === id;

/** Reasoning that another API issued, in a message of which nothing else is known. */
function judgeRelabelled({ facts, turns, match, rule, others }: JudgeContext): void {
  for (const { message, piece, issued } of match.relabelled) {
    const foreign = foreignTo(issued, facts, rule);
    const presented = piece.seal !== undefined || piece.members.some((member) => readsMember(rule, member));
    if (foreign === undefined || !presented) continue;
    others.push({
      kind: 'foreign',
      count: 1,
      source: 'client',
      path: `messages.${message}.${piece.path}`,
      cycle: turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: foreign.certainty,
      answer: issued.answer,
    });
  }
}

function overallChange(newest: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const change = changeBefore(newest, facts, turns);
  return change === 'none' && newest.answer.request.config !== facts.config ? 'config' : change;
}
