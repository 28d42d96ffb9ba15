import { AsyncLocalStorage } from 'node:async_hooks';
import type { ApiName } from '../../dialects/dialect.ts';
import { experimentError } from './experiment-error.ts';
import { isJson, type Json } from './json.ts';
import { WIRES } from './strip/wires.ts';

/** What is known of one run of one task. It sees the requests, never the answers: streams stay as they are. */
export interface RunRecord {
  /** The body to send: the very one given in an arm that carries reasoning. Once the run has ended, in every arm. */
  send(api: ApiName, body: Json): Json;
  /** After this no request is changed any more. */
  end(): void;
  readonly requests: number;
  readonly toolCalls: number;
  /** Same name and equal arguments as an earlier call of the run. */
  readonly repeatedCalls: number;
  /** Pieces of reasoning left out, each counted in every request that lacks it. */
  readonly leftOut: number;
  /** Requests for which thinking had to be switched off. */
  readonly thinkingOff: number;
  /** Why nothing can be left out. The agent may have swallowed it. */
  readonly failure: unknown;
}

/** The run that the code is part of. */
export const currentRun = new AsyncLocalStorage<RunRecord>();

export function createRunRecord(strips: boolean): RunRecord {
  const calls = new Map<string, string | undefined>();
  const sums = { requests: 0, leftOut: 0, thinkingOff: 0 };
  let failure: unknown;
  let ended = false;

  const note = (api: ApiName, body: Json): void => {
    sums.requests++;
    for (const { id, name, input } of WIRES[api].calls(body)) {
      const key = name === undefined ? undefined : `${name} ${stable(input)}`;
      if (!calls.has(id) || key !== undefined) calls.set(id, key);
    }
  };

  return {
    send(api, body) {
      if (ended) return body;
      if (!Object.hasOwn(WIRES, api)) {
        failure ??= experimentError(
          `strip(): there is no API ${JSON.stringify(api)}; there are ${Object.keys(WIRES).join(', ')}`,
        );
        throw failure;
      }
      note(api, body);
      if (!strips) return body;
      try {
        const stripped = WIRES[api].strip(body);
        sums.leftOut += stripped.blocks;
        if (stripped.thinkingOff) sums.thinkingOff++;
        return stripped.body;
      } catch (error) {
        failure ??= error;
        throw error;
      }
    },
    end() {
      ended = true;
    },
    get requests() {
      return sums.requests;
    },
    get toolCalls() {
      return calls.size;
    },
    get repeatedCalls() {
      const known = [...calls.values()].filter((key) => key !== undefined);
      return known.length - new Set(known).size;
    },
    get leftOut() {
      return sums.leftOut;
    },
    get thinkingOff() {
      return sums.thinkingOff;
    },
    get failure() {
      return failure;
    },
  };
}

/** JSON with its members in one order; arguments may come as text. */
function stable(value: unknown): string {
  const sorted = (_: string, one: unknown): unknown =>
    isJson(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  if (typeof value !== 'string') return JSON.stringify(value, sorted) ?? '';
  try {
    return JSON.stringify(JSON.parse(value), sorted);
  } catch {
    return value;
  }
}
