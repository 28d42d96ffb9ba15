import { asText, type Wire } from '../json.ts';

/** What the server knows of an item by its id alone: which reasoning it belongs to. */
export interface IssuedItem {
  /** The run of reasoning items before it in its answer. */
  readonly leads: readonly string[];
  /** Whether it is the item directly behind that run. */
  readonly isFirst: boolean;
}

export interface IssuedItems {
  remember(output: readonly Wire[]): void;
  of(id: unknown): IssuedItem | undefined;
}

/** Oldest first out; a conversation that old is then treated as one from elsewhere. */
const LIMIT = 100_000;

export function createIssuedItems(): IssuedItems {
  const issued = new Map<string, IssuedItem>();
  return {
    remember(output) {
      let leads: string[] = [];
      let isFirst = false;
      for (const [index, item] of output.entries()) {
        const id = asText(item.id);
        if (item.type === 'reasoning') {
          const before = output[index - 1];
          leads = [...(before?.type === 'reasoning' ? leads : []), ...(id === undefined ? [] : [id])];
          isFirst = true;
          continue;
        }
        if (id !== undefined && leads.length > 0) issued.set(id, { leads, isFirst });
        isFirst = false;
      }
      for (const id of issued.keys()) {
        if (issued.size <= LIMIT) break;
        issued.delete(id);
      }
    },
    of: (id) => issued.get(String(id)),
  };
}
