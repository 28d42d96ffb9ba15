import type { Entry } from '../../continuity/summary.ts';
import type { Culprit, FindingKind } from '../../continuity/vocabulary.ts';
import type { RequestInput } from '../dialect.ts';

/** What becomes of a history, and not what a caller asks for beside it. */
const OF_HISTORY: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'dropped',
  'trimmed',
  'edited',
  'misplaced',
  'reordered',
  'merged',
  'split',
  'duplicated',
  'converted_to_text',
]);

/**
 * Whether `@google/genai` itself lost it. Its `Chat` sends a curated copy of the history that it keeps (measured on 2.32
 * and 3.3: an exchange is left out where a chunk of the answer had no parts, and chunks become contents of their own), and
 * before 1.3.0 it copied parts without their signature. Undefined where nothing points to it.
 */
export function culpritOf(
  { kind, source, reason, path }: Entry,
  { keeper, losesSeals }: RequestInput,
): Culprit | undefined {
  if (source !== 'client') return undefined;
  if (losesSeals && kind === 'dropped' && reason === 'seal_missing') return 'sdk';
  if (keeper === undefined || !OF_HISTORY.has(kind)) return undefined;
  const content = /^contents\.(\d+)/.exec(path)?.[1];
  // What the application began the conversation with is its own.
  return content !== undefined && Number(content) < keeper.given ? undefined : 'sdk';
}
