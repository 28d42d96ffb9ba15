import { diag } from '@opentelemetry/api';
import { type ReasoningOptions, SETTINGS } from '../config.ts';
import { processContext } from '../context.ts';
import { createDialects } from '../dialects/create-dialects.ts';
import { readSettings } from './read-settings.ts';

/**
 * Puts what is set, in code or in the environment, where observation reads it. Holds for the whole process; of two
 * callers the later one wins, as far as it says something.
 */
export function applySettings(options: ReasoningOptions = {}): void {
  const shared = processContext();
  const { models, ledgerMaxEntries, ledgerMaxAge, digestKey } = readSettings(options);
  // Where code says nothing the environment is asked at each call.
  if (options.disabled !== undefined) shared.settings.enabled = !options.disabled;
  if (digestKey !== undefined) shared.accountKey = digestKey;
  const { ledgerMaxEntries: entries, ledgerMaxAge: age } = SETTINGS;
  if (options.ledgerMaxEntries !== undefined || ledgerMaxEntries !== entries.fallback) {
    shared.settings.ledgerMaxEntries = ledgerMaxEntries;
  }
  if (options.ledgerMaxAge !== undefined || ledgerMaxAge !== age.fallback) shared.settings.ledgerMaxAge = ledgerMaxAge;
  if (models === undefined) return;
  const { rows, source } = models;
  shared.settings.dialects = createDialects(rows, (problem) => diag.warn(`reasoning-otel: ${source}: ${problem}`));
}
