import { diag } from '@opentelemetry/api';

const logger = diag.createComponentLogger({ namespace: 'reasoning-otel' });
const said = new Set<string>();

export type Loudness = 'warn' | 'debug';

/** Says one sentence through `diag`, once a process for each `key`. */
export function sayOnce(key: string, sentence: string, loudness: Loudness = 'warn'): void {
  if (said.has(key)) return;
  said.add(key);
  logger[loudness](sentence);
}
