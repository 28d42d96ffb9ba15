import { adviceFor } from '../advice.ts';
import type { Finding } from '../continuity/judgement.ts';
import type { PrefixChange } from '../continuity/vocabulary.ts';
import type { ApiName } from '../dialects/dialect.ts';

/** A finding, and what the call that shows it was. */
export interface PlacedFinding extends Finding {
  readonly api: ApiName;
  readonly prefixChanged: PrefixChange;
}

/** One finding in one readable line: where, what happened, and what to change in the agent. No content. */
export function findingLine({ path, prefixChanged, ...finding }: PlacedFinding): string {
  const { kind, count, reason, culprit, api } = finding;
  const changed = prefixChanged === 'none' ? undefined : prefixChanged;
  const { what, mend } = adviceFor({ kind, count, reason, culprit, api, prefixChanged: changed });
  return `${path}: ${what}${mend === undefined ? '' : ` ${mend}`}`;
}
