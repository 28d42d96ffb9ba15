import { isWire, type Wire } from '../json.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import type { ResponsesContext } from './context.ts';
import type { Evaluated } from './evaluate.ts';
import { isUserMessage, textOf, turnStart } from './items.ts';

/** A compaction of all that the request brought, and how long it is. */
export interface Compaction {
  readonly item: Wire;
  readonly tokens: number;
}

/**
 * The item that stands for the conversation so far. Its content is sealed; a plan that the model was shown lives on
 * in it. https://platform.openai.com/docs/guides/compaction
 */
export function compact(
  context: ResponsesContext,
  { request, history, seals, binding }: Evaluated,
  ids: Seeded,
  summary: string | undefined,
): Compaction {
  const { items } = history;
  const text = summary ?? `Summary of ${items.length} items: ${textOf(items[turnStart(items) - 1]?.item ?? {})}`;
  const before = items.map((placed) => seals.get(placed)).filter((sealed) => sealed?.kind === 'compaction');
  const plans = [...before, ...binding.shown.map(({ sealed }) => sealed)];
  const known = plans.findLast((sealed) => sealed !== undefined && 'plan' in sealed);
  const id = ids.id('cmp_', 40);
  const tokens = textTokens(text);
  const sealed = {
    kind: 'compaction',
    id,
    organization: request.organization.id,
    tokens,
    ...(known && { plan: known.plan }),
  } as const;
  return { item: { id, type: 'compaction', encrypted_content: context.sealer.seal(sealed) }, tokens };
}

/** Whether `context_management` asks for a compaction of a prompt of this size. */
export function isCompactionDue({ request, view }: Evaluated): boolean {
  const entries = Array.isArray(request.body.context_management) ? request.body.context_management.filter(isWire) : [];
  return entries.some(
    ({ type, compact_threshold: threshold }) =>
      type === 'compaction' && typeof threshold === 'number' && view.inputTokens >= threshold,
  );
}

export function asksForCompaction({ history }: Evaluated): boolean {
  return history.items.at(-1)?.type === 'compaction_trigger';
}

/** Settings in force are said again behind a compaction, since the items that made them may now be left out. */
export function freshUpdate({ config, history }: Evaluated, ids: Seeded): Wire[] {
  const updates = history.items.filter(({ type }) => type === 'configuration_update').map(({ item }) => item);
  if (updates.length === 0) return [];
  return [
    {
      id: ids.id('cu_', 40),
      type: 'configuration_update',
      ...(updates.some(({ reasoning }) => reasoning != null) && { reasoning: { effort: config.effort } }),
      ...(updates.some(({ text }) => text != null) && { text: { format: config.format } }),
    },
  ];
}

/** What `/responses/compact` keeps beside the compaction: every message of the user. */
export function retainedItems({ history }: Evaluated): Wire[] {
  return history.items.filter(isUserMessage).map(({ item }) => item);
}
