import { processContext } from '../context.ts';
import { createLedger } from '../continuity/ledger.ts';
import { dialects } from '../dialects/index.ts';
import { createObserveCall } from './create-observe-call.ts';
import type { ObserveCall } from './seen-call.ts';

/** Starts observing a call. undefined when switched off, or when no dialect knows the API or the body. Never throws. */
export const observeCall: ObserveCall = createObserveCall({
  dialects,
  createLedger: ({ ledgerMaxEntries, ledgerMaxAge }) =>
    createLedger({
      ...(ledgerMaxEntries !== undefined && { maxEntries: ledgerMaxEntries }),
      ...(ledgerMaxAge !== undefined && { maxAgeMs: ledgerMaxAge }),
    }),
  processContext,
});
