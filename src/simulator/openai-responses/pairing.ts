import { type ApiFailure, failure } from '../openai/api-failure.ts';
import type { IssuedItems } from './issued-items.ts';
import { CALLS, isReasoning, OUTPUTS, type PlacedItem } from './items.ts';
import type { OpenedSeals } from './sealed-items.ts';

/**
 * Reasoning and what it led to travel together, as long as the two carry their ids. Checked over the whole context, so
 * that an answer that ended in its reasoning spoils everything that is chained to it.
 * https://platform.openai.com/docs/guides/reasoning
 */
export function checkReasoningPairs(
  items: readonly PlacedItem[],
  seals: OpenedSeals,
  issued: IssuedItems,
): ApiFailure | undefined {
  const from = items.findLastIndex(({ type }) => type === 'compaction') + 1;
  const seen = new Set<unknown>();
  for (const [index, placed] of items.entries()) {
    if (index < from) continue;
    const { item, type } = placed;
    if (typeof item.id !== 'string') continue;
    if (isReasoning(placed)) {
      seen.add(item.id);
      const sealed = seals.get(placed);
      const next = items.slice(index + 1).find((other) => !isReasoning(other));
      if (sealed?.kind !== 'reasoning' || (sealed.follower !== null && sealed.follower === next?.item.id)) continue;
      return failure(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`, {
        param: 'input',
      });
    }
    const known = issued.of(item.id);
    const nearest = known?.leads.at(-1);
    if (known === undefined || nearest === undefined) continue;
    const isLed = known.isFirst ? items[index - 1]?.item.id === nearest : seen.has(nearest);
    if (!isLed) {
      return failure(
        `Item '${item.id}' of type '${type}' was provided without its required 'reasoning' item: '${nearest}'.`,
        { param: 'input' },
      );
    }
  }
  return undefined;
}

/** Every call is answered, unless it is asynchronous; every result has its call. */
export function checkToolPairs(items: readonly PlacedItem[]): ApiFailure | undefined {
  const called = new Map<string, { readonly label: string; readonly id: string }>();
  const answered = new Set<string>();
  for (const { item, type } of items) {
    const call = CALLS[type];
    if (call) {
      const id = String(item.call_id ?? item.id);
      if (item.async !== true) called.set(`${call.output} ${id}`, { label: call.label, id });
      else answered.add(`${call.output} ${id}`);
      continue;
    }
    const output = OUTPUTS[type];
    if (!output) continue;
    const id = String(item[output.key] ?? item.call_id);
    const key = `${type} ${id}`;
    if (!called.has(key) && !answered.has(key)) {
      return failure(`No tool call found for ${output.label} output with call_id ${id}.`, { param: 'input' });
    }
    answered.add(key);
  }
  for (const [key, { label, id }] of called) {
    if (!answered.has(key)) return failure(`No tool output found for ${label} ${id}.`, { param: 'input' });
  }
  return undefined;
}
