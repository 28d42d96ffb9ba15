import { digest } from '../json.ts';

/** A piece of the rendered prompt. */
export interface Segment {
  readonly hash: string;
  readonly tokens: number;
  /** An explicit cache breakpoint stands behind it. */
  readonly breakpoint?: boolean;
}

export interface CacheUse {
  /** Input tokens in all. */
  readonly total: number;
  readonly cached: number;
  readonly written: number;
}

export interface PrefixCache {
  /** Reads the longest known beginning and writes what is to be known from now on. */
  use(scope: string, segments: readonly Segment[], options?: { explicit?: boolean; lifetimeMs?: number }): CacheUse;
}

const LIFETIME_MS = 30 * 60_000;

/**
 * Implicit caching: a request's prompt can be read again by any later one that begins with the same pieces. Without the
 * real minimum of 1,024 tokens, so that short tests see it.
 * https://platform.openai.com/docs/guides/prompt-caching
 */
export function createPrefixCache(now: () => number): PrefixCache {
  const expiries = new Map<string, number>();
  return {
    use(scope, segments, { explicit = false, lifetimeMs = LIFETIME_MS } = {}) {
      const time = now();
      const keys: string[] = [];
      let key = digest('cache', scope);
      for (const { hash } of segments) {
        key = digest(key, hash);
        keys.push(key);
      }
      const end = explicit ? segments.findLastIndex(({ breakpoint }) => breakpoint === true) : segments.length - 1;
      const hit = keys.findLastIndex((known, at) => at <= end && (expiries.get(known) ?? 0) > time);
      for (const [at, known] of keys.entries()) {
        if (at <= end) expiries.set(known, Math.max(expiries.get(known) ?? 0, time + lifetimeMs));
      }
      return {
        total: sum(segments),
        cached: sum(segments.slice(0, hit + 1)),
        written: sum(segments.slice(hit + 1, end + 1)),
      };
    },
  };
}

function sum(segments: readonly Segment[]): number {
  return segments.reduce((total, { tokens }) => total + tokens, 0);
}
