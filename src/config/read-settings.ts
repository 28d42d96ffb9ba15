import { diag } from '@opentelemetry/api';
import type { ReasoningOptions, ReasoningSettings } from '../config.ts';
import { resolveSettings } from './resolve-settings.ts';

const logger = diag.createComponentLogger({ namespace: 'reasoning-otel' });
const said = new Set<string>();

/**
 * Reads what is set, from inside an application: what is wrong is said through `diag`, once a process, and the default
 * is used.
 */
export function readSettings(options: ReasoningOptions = {}): ReasoningSettings {
  const { settings, problems } = resolveSettings(options);
  for (const problem of problems) {
    if (said.has(problem)) continue;
    said.add(problem);
    logger.warn(problem);
  }
  return settings;
}
