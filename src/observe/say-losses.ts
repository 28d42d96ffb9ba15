import { diag } from '@opentelemetry/api';
import type { Judgement } from '../continuity/judgement.ts';
import type { ApiName } from '../dialects/dialect.ts';
import { findingLine } from './finding-line.ts';

/** Where every copy of the OpenTelemetry API keeps what is registered. */
const GLOBALS = Symbol.for('opentelemetry.js.api.1');

function isDiagHeard(): boolean {
  const held: unknown = Reflect.get(globalThis, GLOBALS);
  return typeof held === 'object' && held !== null && Reflect.get(held, 'diag') !== undefined;
}

/**
 * Says each loss of a call in one line, at the first request that shows it: through `diag`, and where nobody listens to
 * that as a warning of the process, since whoever has asked for the lines wants to see them.
 */
export function sayLosses(api: ApiName, model: string, { findings, firstSeen, prefixChanged }: Judgement): void {
  const isNew = new Set(firstSeen.findings.map(({ kind, source }) => `${kind} ${source}`));
  for (const finding of findings) {
    if (finding.severity !== 'loss' || !isNew.has(`${finding.kind} ${finding.source}`)) continue;
    const line = `${model} (${api}), ${findingLine({ ...finding, api, prefixChanged })}`;
    if (isDiagHeard()) diag.warn(`reasoning-otel: ${line}`);
    else process.emitWarning(line, 'ReasoningWarning');
  }
}
