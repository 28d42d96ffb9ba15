import type { ProducerRef } from './judgement.ts';
import type { BlockRow } from './summary.ts';

/** As many as a span links to. */
const MAX_PRODUCERS = 8;

/** Steps whose blocks come back in a request, newest first; a refused try of the same request before them. */
export function producersOf(rows: readonly BlockRow[], refused: ProducerRef | undefined): readonly ProducerRef[] {
  const found = new Map<string, ProducerRef>();
  if (refused !== undefined) found.set(refused.spanId, refused);
  for (let i = rows.length - 1; i >= 0 && found.size < MAX_PRODUCERS; i--) {
    const row = rows[i];
    const from = row?.block.answer.producer;
    const gone = row?.entry?.kind === 'dropped' || row?.entry?.kind === 'trimmed';
    if (from !== undefined && !gone) found.set(from.spanId, from);
  }
  return [...found.values()];
}
