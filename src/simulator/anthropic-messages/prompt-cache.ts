import { digest } from '../json.ts';
import type { Segment } from './view.ts';

export interface CacheUse {
  /** Input that was neither read from the cache nor written to it. */
  readonly fresh: number;
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
}

export interface PromptCache {
  use(scope: string, segments: readonly Segment[]): CacheUse;
}

const LIFETIME = { '5m': 5 * 60_000, '1h': 60 * 60_000 } as const;

/**
 * Prefix caching: what was written up to a marker can be read by any later request that begins with the same segments.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function createPromptCache(now: () => number): PromptCache {
  const expiries = new Map<string, number>();
  return {
    use(scope, segments) {
      const time = now();
      const lastMarker = segments.findLastIndex(({ marker }) => marker !== undefined);
      const keys: string[] = [];
      let key = digest('cache', scope);
      for (const { hash } of segments.slice(0, lastMarker + 1)) {
        key = digest(key, hash);
        keys.push(key);
      }
      const hit = keys.findLastIndex((candidate) => (expiries.get(candidate) ?? 0) > time);
      const written = { '5m': 0, '1h': 0 };
      let from = hit + 1;
      for (const [index, { marker }] of segments.entries()) {
        const key = keys[index];
        if (marker === undefined || key === undefined) continue;
        expiries.set(key, Math.max(expiries.get(key) ?? 0, time + LIFETIME[marker]));
        if (index < from) continue;
        written[marker] += sum(segments.slice(from, index + 1));
        from = index + 1;
      }
      // Reading an entry renews it.
      const hitKey = keys[hit];
      if (hitKey !== undefined) expiries.set(hitKey, Math.max(expiries.get(hitKey) ?? 0, time + LIFETIME['5m']));
      return {
        read: sum(segments.slice(0, hit + 1)),
        written5m: written['5m'],
        written1h: written['1h'],
        fresh: sum(segments.slice(lastMarker + 1)),
      };
    },
  };
}

function sum(segments: readonly Segment[]): number {
  return segments.reduce((total, { tokens }) => total + tokens, 0);
}
