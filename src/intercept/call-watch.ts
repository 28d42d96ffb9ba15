import type { CallEnd } from '../dialects/dialect.ts';
import { guard } from '../observe/guard.ts';
import type { CallObserver } from '../observe/seen-call.ts';
import { type CallFailure, headerReader, readFailure } from './call-failure.ts';
import { isObject } from './shapes.ts';

/**
 * One call, as the promise and the stream report it. Nothing here throws, and after the first end nothing is passed on:
 * whichever of parse, raw response, stream end, abort and garbage collection comes first has ended the call.
 *
 * A watch refers to no promise, stream, client or signal: it is reachable from abort listeners and from finalizers, and
 * must not keep alive what they wait for.
 */
export interface CallWatch {
  /** The HTTP response, as the SDK hands it on; only status and headers are read. */
  answered(response: unknown): void;
  event(event: unknown): void;
  /** The parsed body of a call that does not stream; ends the call. */
  parsed(body: unknown): void;
  /** A rejection; ends the call. `signal` is the application's own. */
  failed(thrown: unknown, signal?: AbortSignal): void;
  end(how: CallEnd): void;
}

/** @param read makes plain facts of what was thrown; by default those of a Stainless SDK. */
export function watchCall(
  observer: CallObserver,
  read: (thrown: unknown, signal?: AbortSignal) => CallFailure = readFailure,
): CallWatch {
  let open = true;
  const pass = (step: string, fn: () => void): void => {
    if (open) guard(step, fn);
  };
  const end = (how: CallEnd): void => {
    if (!open) return;
    open = false;
    guard('ending a call', () => observer.end(how));
  };
  return {
    answered(response) {
      pass('reading the response headers', () => {
        const answer = isObject(response) ? response : {};
        const get = headerReader(answer.headers);
        if (typeof answer.status === 'number') observer.headers(answer.status, get ?? (() => undefined));
      });
    },
    event(event) {
      pass('reading a stream event', () => observer.event(event));
    },
    parsed(body) {
      pass('reading a response', () => observer.response(body));
      end('completed');
    },
    failed(thrown, signal) {
      if (!open) return;
      const failure = guard('reading an error', () => read(thrown, signal));
      if (failure && !failure.aborted) {
        const { error, headers } = failure;
        pass('reading the response headers', () => {
          if (error.status !== undefined && headers) observer.headers(error.status, headers);
        });
        pass('reading an error', () => observer.error(error, thrown));
      }
      end(failure?.aborted ? 'aborted' : 'failed');
    },
    end,
  };
}
