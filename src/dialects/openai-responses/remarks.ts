import type { Ledger } from '../../continuity/ledger.ts';
import type { Remark } from '../../continuity/vocabulary.ts';
import type { Draft } from './context.ts';
import type { Response } from './read-response.ts';

export interface Step {
  readonly draft: Draft;
  readonly response: Response;
  /** Class of the refusal that the same request met before. */
  readonly refusedBefore: string | undefined;
  /** Whether the answer holds reasoning; undefined where it says nothing about that. */
  readonly present: boolean | undefined;
}

/** What is worth knowing about a run and is no fault of this request. */
const REMARKS: readonly (readonly [Remark, (step: Step) => boolean])[] = [
  ['hidden_at_source', ({ present, response }) => present === false && (response.usage.reasoning ?? 0) > 0],
  ['recovered_by_discarding', isRecovered],
];

/** Each is said once a run. */
export function remarksOn(step: Step, ledger: Ledger, runId: string): readonly Remark[] {
  const { remarks } = ledger.run(runId);
  const found = REMARKS.filter(([name, holds]) => !remarks.has(name) && holds(step)).map(([name]) => name);
  for (const name of found) remarks.add(name);
  return found;
}

/** After a refusal for its reasoning the same request went through without it. */
function isRecovered({ refusedBefore, draft, response }: Step): boolean {
  if (refusedBefore === undefined || refusedBefore === 'unclassified' || response.status === 'failed') return false;
  const { rows, released, others } = draft;
  const discarded = rows.some(({ entry }) => entry?.kind === 'dropped') || released.length > 0;
  return discarded || others.some(({ kind }) => kind === 'mode_toggled');
}
