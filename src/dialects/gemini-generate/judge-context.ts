import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockRow, Entry, ReleasedBlock } from '../../continuity/summary.ts';
import type { JudgeTables } from './judge-tables.ts';
import type { Match } from './match.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** What every rule looks at, and where it puts what it finds. */
export interface JudgeContext {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly match: Match;
  readonly ledger: Ledger;
  readonly tables: JudgeTables;
  readonly rows: BlockRow[];
  readonly others: Entry[];
  readonly released: ReleasedBlock[];
  /** Every answer stands behind the very answers that it was given behind. */
  readonly isLineage: boolean;
}
