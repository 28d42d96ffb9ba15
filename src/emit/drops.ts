import type { Finding, Judgement, ReasonCount } from '../continuity/judgement.ts';
import {
  type DropReason,
  FINDING_KINDS,
  type FindingKind,
  PLANNED_REASONS,
  type Source,
} from '../continuity/vocabulary.ts';

const PLANNED: ReadonlySet<DropReason> = new Set<DropReason>(PLANNED_REASONS);

/** Unplanned drops of a request by reason and source, most blocks first. Empty where nothing was dropped. */
export function dropsOf({ blocks, findings }: Judgement): readonly ReasonCount[] {
  if (blocks.dropped === 0) return [];
  const sums = new Map<string, { reason: DropReason; source: Source; count: number }>();
  for (const { reason, source, count, severity } of findings) {
    if (reason === undefined || severity !== 'loss' || PLANNED.has(reason)) continue;
    const key = `${reason} ${source}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { reason, source, count });
    else sum.count += count;
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** Kinds found, the primary first: losses before notes, then by count, then as the vocabulary lists them. */
export function kindsOf(findings: readonly Finding[]): readonly FindingKind[] {
  const ranks = new Map<FindingKind, { loss: boolean; count: number }>();
  for (const { kind, severity, count } of findings) {
    const rank = ranks.get(kind) ?? { loss: false, count: 0 };
    ranks.set(kind, { loss: rank.loss || severity === 'loss', count: rank.count + count });
  }
  return [...ranks]
    .sort(
      ([a, x], [b, y]) =>
        Number(y.loss) - Number(x.loss) || y.count - x.count || FINDING_KINDS.indexOf(a) - FINDING_KINDS.indexOf(b),
    )
    .map(([kind]) => kind);
}
