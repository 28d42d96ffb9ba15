import type { FetchedAnswer } from '../dialects/dialect.ts';
import { guarded } from './guard.ts';
import type { CallObserver } from './seen-call.ts';

/**
 * Observes a stored response on its way in: for the ledger alone. It is on no span and in no metric, since it is no call of a
 * model, and the one that was is counted already.
 */
export function observeFetch(fetched: FetchedAnswer): CallObserver {
  let ended = false;
  return {
    run: (fn) => fn(),
    headers: () => undefined,
    event: guarded('reading a stream event', (event: unknown) => {
      if (!ended) fetched.event(event);
    }),
    response: guarded('reading a response', (value: unknown) => {
      if (!ended) fetched.response(value);
    }),
    error: () => undefined,
    end: guarded('ending a call', (how) => {
      if (ended) return;
      ended = true;
      fetched.close(how);
    }),
  };
}
