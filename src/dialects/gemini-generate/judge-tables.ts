import type { ModelRow } from './models.ts';

/** Rows that a user adds to the tables of this dialect. */
export interface JudgeTables {
  readonly models: Readonly<Record<string, ModelRow>>;
}
