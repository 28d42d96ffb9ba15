import type { StreamEvent } from '../http/exchange.ts';
import type { Wire } from '../json.ts';

/** An interaction as the server holds it. */
export interface HeldInteraction {
  readonly id: string;
  readonly project: string;
  /** All that the model had read, then what it said. */
  readonly steps: readonly Wire[];
  readonly interaction: Wire;
  readonly events: readonly StreamEvent[];
  readonly expires: number;
}

export interface InteractionStore {
  keep(held: HeldInteraction): void;
  /** While it lasts, and only for its own project. */
  find(id: unknown, project: string): HeldInteraction | undefined;
  forget(id: string): void;
}

const DAY_MS = 24 * 60 * 60_000;
/** https://ai.google.dev/gemini-api/docs/interactions#data-retention */
export const LIFETIME_MS = { paid: 55 * DAY_MS, free: DAY_MS } as const;
/** Oldest first out, so that a long test does not grow without end. */
const LIMIT = 20_000;

export function createInteractionStore(now: () => number): InteractionStore {
  const interactions = new Map<string, HeldInteraction>();
  return {
    keep(held) {
      interactions.set(held.id, held);
      for (const id of interactions.keys()) {
        if (interactions.size <= LIMIT) break;
        interactions.delete(id);
      }
    },
    find(id, project) {
      const held = interactions.get(String(id));
      return held?.project === project && held.expires > now() ? held : undefined;
    },
    forget: (id) => interactions.delete(id),
  };
}
