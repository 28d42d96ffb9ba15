import { diag } from '@opentelemetry/api';
import type { ReasoningSettings } from '../config.ts';
import { processContext } from '../context.ts';
import { createDialects } from '../dialects/create-dialects.ts';
import { isSdkDisabled } from './is-enabled.ts';

/**
 * Puts what a user has set in force, for the whole process. Before the first call: the ledger is made once. What cannot
 * be used is said through `diag`, one line each; the rest is.
 */
export function applySettings(given: Omit<ReasoningSettings, 'sdk' | 'exitFlush'>): void {
  const { disabled, models, digestKey, ...inForce } = given;
  const shared = processContext();
  Object.assign(shared.settings, { enabled: !disabled && !isSdkDisabled(), ...inForce });
  if (digestKey !== undefined) shared.accountKey = digestKey;
  if (models === undefined) return;
  shared.settings.dialects = createDialects(models.rows, (problem) =>
    diag.warn(`reasoning-otel: ${models.source}: ${problem}`),
  );
}
