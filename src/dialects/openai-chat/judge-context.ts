import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { Match } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import type { Rule } from './rules.ts';
import type { Turns } from './turns.ts';

/** A block of which nothing is said, unless the request is refused for it. */
export interface Silent {
  readonly block: IssuedBlock;
  readonly entry: Entry;
}

/** What every rule looks at, and where it puts what it finds. */
export interface JudgeContext {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly match: Match;
  readonly ledger: Ledger;
  readonly rule: Rule;
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  readonly silent: Silent[];
  /** Every answer stands behind the very answers that it was given behind. */
  readonly isLineage: boolean;
}
