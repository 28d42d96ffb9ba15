import type { ModelRow } from './models.ts';
import type { ReaderRows } from './readers.ts';

/** Rows that a user adds to the tables of this dialect. */
export interface JudgeTables {
  readonly models: Readonly<Record<string, ModelRow>>;
  readonly readers: ReaderRows;
}
