import { asText } from '../json.ts';
import { type ApiFailure, failure } from '../openai/api-failure.ts';
import { isReasoning, type PlacedItem } from './items.ts';
import type { ItemSealer, SealedItem } from './seal.ts';

/** What the seals of a history say, by place. */
export type OpenedSeals = ReadonlyMap<PlacedItem, SealedItem>;

/** Opens the ciphertext of every reasoning and compaction item. */
export function openSeals(items: readonly PlacedItem[], sealer: ItemSealer): OpenedSeals | ApiFailure {
  const opened = new Map<PlacedItem, SealedItem>();
  for (const placed of items) {
    const { item, type } = placed;
    if (!isReasoning(placed) && type !== 'compaction') continue;
    const token = asText(item.encrypted_content) ?? '';
    const sealed = sealer.open(token);
    if (sealed?.kind !== type) return unverified(placed, 'Encrypted content could not be decrypted or parsed.');
    if (item.id != null && item.id !== sealed.id) {
      return unverified(placed, 'Encrypted content item_id did not match the target item id.');
    }
    opened.set(placed, sealed);
  }
  return opened;
}

/** Names the item where it has an id, otherwise the ends of its ciphertext. */
export function unverified({ item }: PlacedItem, reason: string): ApiFailure {
  const token = asText(item.encrypted_content) ?? '';
  const what = typeof item.id === 'string' ? `for item ${item.id}` : `${token.slice(0, 4)}...${token.slice(-4)}`;
  return failure(`The encrypted content ${what} could not be verified. Reason: ${reason}`, {
    code: 'invalid_encrypted_content',
  });
}
