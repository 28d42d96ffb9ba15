import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as own from '@opentelemetry/api';

/** The parts of the OpenTelemetry API under which something is registered for the process. */
export type ApiCopy = Pick<typeof own, 'context' | 'diag' | 'metrics' | 'propagation' | 'trace'>;

const load = createRequire(import.meta.url);

/**
 * The copies of the API that an application on our version can hold: from 1.10 on the package has an ES module beside the
 * CommonJS one. Both register under one global, but each has its own functions to do so.
 */
export function apiCopies(): readonly ApiCopy[] {
  const file = load.resolve('@opentelemetry/api');
  const copies: ApiCopy[] = [own, load(file)];
  try {
    copies.push(load(join(dirname(file), 'index.mjs')));
  } catch {
    // 1.9 has none, and older Node cannot load one here.
  }
  return copies.filter((copy, index) => copies.findIndex(({ trace }) => trace === copy.trace) === index);
}
