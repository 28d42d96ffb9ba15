/** Gaps between chunks are kept up to here; a longer stream is described well enough by its start. */
const MAX_GAPS = 2_000;

/** The times of one call, in seconds from its start. */
export interface Stopwatch {
  /** Something arrived: headers, a whole answer, an event without output. */
  seen(): void;
  /** A chunk of output arrived. */
  chunk(): void;
  readonly timeToFirstChunk: number | undefined;
  /** From each chunk to the next. */
  readonly gaps: readonly number[];
  /** Until now. */
  elapsed(): number;
  /** Until something last arrived. */
  lastSeen(): number;
}

export function startStopwatch(now: () => number = () => performance.now()): Stopwatch {
  const start = now();
  const since = (time: number, from = start) => Math.max(0, time - from) / 1000;
  const gaps: number[] = [];
  let firstChunk: number | undefined;
  let lastChunk = start;
  let last = start;
  return {
    seen() {
      last = now();
    },
    chunk() {
      last = now();
      if (firstChunk === undefined) firstChunk = last;
      else if (gaps.length < MAX_GAPS) gaps.push(since(last, lastChunk));
      lastChunk = last;
    },
    get timeToFirstChunk() {
      return firstChunk === undefined ? undefined : since(firstChunk);
    },
    gaps,
    elapsed: () => since(now()),
    lastSeen: () => since(last),
  };
}
