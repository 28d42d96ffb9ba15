import type { Answer, Chain, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { CycleState, FindingKind, PrefixChange } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer } from './compare.ts';
import type { JudgeTables } from './foreign.ts';
import type { History } from './history.ts';
import type { Match } from './match.ts';
import type { Row } from './prefix.ts';
import type { ItemFacts } from './read-item.ts';
import type { RequestFacts } from './read-request.ts';
import type { ResolvedReasoning } from './reasoning.ts';
import type { Turns } from './turns.ts';

/** A request with everything that is known of it when it is judged. */
export interface Request {
  readonly facts: RequestFacts & { readonly reasoning: ResolvedReasoning };
  readonly items: readonly ItemFacts[];
  readonly history: History;
  readonly turns: Turns;
  readonly match: Match;
}

/** What comes out of judging a request alone; the response or error may still change it. */
export interface Draft {
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  readonly compared: readonly ComparedAnswer[];
  /** Rows whose damage is disproved by a request that goes through. */
  readonly contested: ReadonlySet<BlockRow>;
  /** Blocks that the client leaves out since the provider refused them. */
  readonly givenUp: readonly IssuedBlock[];
  readonly row: Row;
  /** The answers that the request shows its model, in order. */
  readonly answers: Chain<Answer> | undefined;
  /** Those of the turn that is going on. */
  readonly turnAnswers: readonly Answer[];
  readonly prefixChanged: PrefixChange;
  /** A helper call or a fork that took no reasoning along: nothing is owed. */
  readonly sideline: boolean;
}

/** What the parts of the judge share while one request is judged. */
export interface Context extends Request {
  readonly ledger: Ledger;
  readonly tables: JudgeTables;
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  readonly contested: Set<BlockRow>;
  readonly givenUp: IssuedBlock[];
  /** Known blocks found where none was issued, and where. */
  readonly strays: ReadonlyMap<IssuedBlock, string>;
  readonly row: Row;
  /** Keys of the blocks that the provider has for this request. */
  readonly heldKeys: ReadonlySet<Digest>;
  /** Blocks that stand among another answer's items in the wrong order. */
  readonly crossed: ReadonlySet<IssuedBlock>;
  /** Every answer stands behind the very answers that it was given behind. */
  readonly isLineage: boolean;
  /** The same request was refused before, for a payload that could not be read, or for holding reasoning at all. */
  readonly sealsRefused: boolean;
  readonly pairing: 'enforced' | 'upstream' | 'none';
  /** Whether an item is, by what it is, one that some answer held. */
  readonly isIssued: (at: number) => boolean;
}

/** Turn of what the request shows of an answer; -1 for what the provider holds of turns that are over. */
export function turnOf(compared: ComparedAnswer, { history, turns }: Request): number {
  if (compared.at >= 0) return turns.turnOf[compared.end] ?? 0;
  return (history.fromEnd.get(compared.answer) ?? 0) <= (history.standing?.turnAnswers ?? 0) ? 0 : -1;
}

export function cycleOf(turn: number, { turns }: Request): CycleState {
  return turns.open && turn === turns.lastTurn ? 'open' : 'closed';
}

/** Whether the model is shown the reasoning of a turn (`reasoning.context`); undefined where nobody knows. */
export function reads(turn: number, { facts, turns }: Request): boolean | undefined {
  const { context, on } = facts.reasoning;
  if (context === 'with_tools') return facts.toolCount > 0;
  if (turn === turns.lastTurn) return true;
  if (context === undefined) return undefined;
  return context === 'all_turns' && on !== false;
}

/** The place that stands for what the request names instead of sending it, or for the whole input. */
export const placeOf = (at: number, { history }: Request): string =>
  at >= 0 ? `input.${at}` : (history.by ?? 'input');

/** Adds an entry that belongs to a turn, a pair or the request rather than to one block. */
export function addOther(
  kind: FindingKind,
  count: number,
  path: string,
  cycle: CycleState,
  context: Pick<Context, 'others'>,
  rest: Partial<Entry> = {},
): void {
  if (count === 0) return;
  context.others.push({ kind, count, source: 'client', path, cycle, severity: 'loss', certainty: 'certain', ...rest });
}
