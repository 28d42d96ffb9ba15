import { LRUCache } from 'lru-cache';
import type { Ledger } from '../../continuity/ledger.ts';
import { type ModelRow, resolveModel } from './models.ts';

/**
 * Names that only a gateway or an account knows (deployments, inference profiles, routes), by the place where they were
 * asked for, with the model that answered to them; `undefined` where several did, as behind a router.
 */
const names = new WeakMap<Ledger, LRUCache<string, { readonly model: string | undefined }>>();

const MAX_NAMES = 500;

/** The model behind a name that says nothing by itself, as far as its answers have told. */
export function servedModel(ledger: Ledger, endpoint: string | undefined, name: string): string | undefined {
  return names.get(ledger)?.get(keyOf(endpoint, name))?.model;
}

/** Notes which model has answered to a name that says nothing by itself. */
export function noteServed(
  ledger: Ledger,
  endpoint: string | undefined,
  name: string,
  served: string,
  models: Readonly<Record<string, ModelRow>>,
): void {
  if (resolveModel(name, models).vendor !== 'unknown') return;
  const { id, vendor } = resolveModel(served, models);
  if (vendor === 'unknown') return;
  let known = names.get(ledger);
  if (known === undefined) {
    known = new LRUCache({ max: MAX_NAMES });
    names.set(ledger, known);
  }
  const key = keyOf(endpoint, name);
  const before = known.get(key);
  known.set(key, { model: before === undefined || before.model === id ? id : undefined });
}

function keyOf(endpoint: string | undefined, name: string): string {
  return `${endpoint ?? ''}\n${name}`;
}
