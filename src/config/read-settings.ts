import { diag } from '@opentelemetry/api';
import { type ReasoningOptions, type ReasoningSettings, SETTINGS } from '../config.ts';
import { processContext } from '../context.ts';
import { resolveSettings } from './resolve-settings.ts';

const logger = diag.createComponentLogger({ namespace: 'reasoning-otel' });
const said = new Set<string>();

/**
 * Reads what is set, from inside an application: what is wrong is said through `diag`, once a process, and the default
 * is used. What has been given in code before stays, unless it is given again: whoever sets things up second, and leaves
 * an option out, does not mean the default.
 */
export function readSettings(options: ReasoningOptions = {}): ReasoningSettings {
  const shared = processContext().settings;
  const given: Record<string, unknown> = { ...shared.given };
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(SETTINGS, name)) given[name] = value;
  }
  shared.given = given;
  const { settings, problems } = resolveSettings(given);
  for (const problem of problems) {
    if (said.has(problem)) continue;
    said.add(problem);
    logger.warn(problem);
  }
  return settings;
}
