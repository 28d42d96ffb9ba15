import { LRUCache } from 'lru-cache';
import type { Ledger } from '../../continuity/ledger.ts';
import { type ModelRow, resolveModel } from './models.ts';

/**
 * Names that say nothing of the model behind them (deployments, inference profiles, routes) or name another maker's, as where
 * a proxy serves Claude's names with models of its own; by the place where they were asked for, with the model that
 * answered to them; `undefined` where several did, as behind a router.
 */
const names = new WeakMap<Ledger, LRUCache<string, { readonly model: string | undefined }>>();

const MAX_NAMES = 500;

/** The model behind a name, where its answers have told another than it says. */
export function servedModel(ledger: Ledger, endpoint: string | undefined, name: string): string | undefined {
  return names.get(ledger)?.get(keyOf(endpoint, name))?.model;
}

/** Notes which model has answered to a name. */
export function noteServed(
  ledger: Ledger,
  endpoint: string | undefined,
  name: string,
  served: string,
  models: Readonly<Record<string, ModelRow>>,
): void {
  const { id, vendor } = resolveModel(served, models);
  if (vendor === 'unknown') return;
  let known = names.get(ledger);
  if (known === undefined) {
    known = new LRUCache({ max: MAX_NAMES });
    names.set(ledger, known);
  }
  const key = keyOf(endpoint, name);
  const before = known.get(key);
  const isTold = resolveModel(name, models).vendor === vendor;
  known.set(key, { model: isTold || (before !== undefined && before.model !== id) ? undefined : id });
}

function keyOf(endpoint: string | undefined, name: string): string {
  return `${endpoint ?? ''}\n${name}`;
}
