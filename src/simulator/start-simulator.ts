import { createAnthropicMessages } from './anthropic-messages/api.ts';
import type { AnthropicOptions } from './anthropic-messages/context.ts';
import { NO_VERDICT, type Verdict } from './anthropic-messages/verdict.ts';
import type { Exchange, Reply } from './http/exchange.ts';
import { listen } from './http/listen.ts';

export interface SimulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Ids, seals and texts follow from it. Two simulators with one seed read each other's seals. Default `'simulator'`. */
  readonly seed?: string | number;
  /** The clock, in milliseconds since 1970. Default `Date.now`. Cache entries, threads and sticky routes age by it. */
  readonly now?: () => number;
  /** The Anthropic Messages API. */
  readonly anthropic?: AnthropicOptions;
}

/** One request as it arrived, and what the simulator made of it. */
export interface RecordedRequest {
  /** Counts up from 0 in order of arrival. */
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON where the body is JSON, else its text. */
  readonly body: unknown;
  /** `status` 0 until the request is answered. */
  readonly verdict: Verdict;
}

export interface Simulator {
  /** Base URL, `http://127.0.0.1:…`. Vertex clients want `/v1` behind it. */
  readonly url: string;
  readonly seed: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** Starts providers that behave by their published rules, on loopback, without a key. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const seed = String(options.seed ?? 'simulator');
  const now = options.now ?? Date.now;
  const requests: RecordedRequest[] = [];
  const onVerdict = ({ index }: Exchange, verdict: Verdict): void => {
    const recorded = requests[index];
    if (recorded) requests[index] = { ...recorded, verdict };
  };
  const apis = [createAnthropicMessages({ seed, now, onVerdict }, options.anthropic ?? {})];
  const listening = await listen(options.port ?? 0, now, async (exchange): Promise<Reply> => {
    const { index, method, path, headers } = exchange;
    requests[index] = {
      index,
      method,
      path,
      query: exchange.query.toString(),
      headers,
      body: parsed(exchange.body),
      verdict: NO_VERDICT,
    };
    for (const api of apis) {
      const reply = await api.handle(exchange);
      if (reply) return reply;
    }
    const error = { type: 'error', error: { type: 'not_found_error', message: `Not found: ${method} ${path}` } };
    onVerdict(exchange, { ...NO_VERDICT, status: 404, error: error.error, answer: error });
    return { kind: 'json', status: 404, body: error };
  });
  return { url: listening.url, seed, requests, close: listening.close };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
