import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OtlpTarget } from './otlp-target.ts';

/**
 * Whether a collector listens. OTLP exporters wait and try again for up to ten seconds, on timers that keep a process
 * alive. Asked first, with a bare connection, a process without a collector ends when it would have ended.
 */
export interface Reachability {
  /** Somebody listened the last time. False also before the first time. */
  readonly isUp: boolean;
  /** Nobody listened the last time. False also before the first time. */
  readonly isDown: boolean;
  /**
   * Resolves to true once somebody listens, to false when nobody has for ten seconds, or at once where the process is
   * about to end. The pauses in between keep no process alive.
   */
  wait(): Promise<boolean>;
  /** An export has failed although somebody listened: ask again before the next. */
  doubt(): void;
  /** The process is about to end (or, with false, goes on after all): nobody waits any longer. */
  hurry(ending: boolean): void;
}

const PATIENCE_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;
const CONNECT_TIMEOUT_MS = 1000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export function reachability(target: OtlpTarget): Reachability {
  const address = addressOf(target);
  let state: 'unknown' | 'up' | 'down' = address ? 'unknown' : 'up';
  let pauses = new AbortController();
  let ending = false;

  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { ref: false, signal: pauses.signal }).catch(() => undefined);

  return {
    get isUp() {
      return state === 'up';
    },
    get isDown() {
      return state === 'down';
    },
    async wait() {
      if (!address) return true;
      const deadline = Date.now() + PATIENCE_MS;
      for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
        state = (await isListening(address)) ? 'up' : 'down';
        if (state === 'up') return true;
        if (ending || Date.now() + ms > deadline) return false;
        await pause(ms);
      }
    },
    doubt() {
      if (address && state === 'up') state = 'unknown';
    },
    hurry(now) {
      ending = now;
      if (!now) return;
      pauses.abort();
      pauses = new AbortController();
    },
  };
}

/** gRPC goes through a proxy by itself, and then the collector may be out of reach from here. */
const PROXIES = ['grpc_proxy', 'https_proxy', 'http_proxy'];

/** Undefined where there is nothing to ask. */
function addressOf({ protocol, url }: OtlpTarget): Address | undefined {
  if (url === undefined || (protocol === 'grpc' && PROXIES.some((name) => process.env[name]))) return undefined;
  const { hostname, port, protocol: scheme } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (scheme === 'https:' ? 443 : 80)) };
}

function isListening({ host, port }: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const settle = (listening: boolean) => () => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', settle(true)).once('timeout', settle(false)).once('error', settle(false));
  });
}
