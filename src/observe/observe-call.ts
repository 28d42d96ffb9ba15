import { processContext } from '../context.ts';
import { createLedger, type Ledger } from '../continuity/ledger.ts';
import { dialects } from '../dialects/index.ts';
import { createObserveCall } from './create-observe-call.ts';
import type { ObserveCall } from './seen-call.ts';

function ledgerAsSet(): Ledger {
  const { ledgerMaxEntries, ledgerMaxAge } = processContext().settings;
  return createLedger({
    ...(ledgerMaxEntries !== undefined && { maxEntries: ledgerMaxEntries }),
    ...(ledgerMaxAge !== undefined && { maxAgeMs: ledgerMaxAge }),
  });
}

/** Starts observing a call. undefined when switched off, or when no dialect knows the API or the body. Never throws. */
export const observeCall: ObserveCall = createObserveCall({ dialects, createLedger: ledgerAsSet, processContext });
