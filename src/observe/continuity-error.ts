import type { Finding } from '../continuity/judgement.ts';
import type { ApiName } from '../dialects/dialect.ts';
import { findingLine, type PlacedFinding } from './finding-line.ts';

const NAME = 'ReasoningContinuityError';

/**
 * The request was not sent, since with it reasoning would certainly have been lost: strict mode (`REASONING_OTEL_MODE=strict`,
 * `onFinding: 'throw'`). Its message names each place and the mend, and holds nothing of what was said.
 *
 * Tell it by its `name`: an application can hold two copies of this class.
 */
export class ReasoningContinuityError extends Error {
  override readonly name = NAME;
  readonly api: ApiName;
  readonly model: string;
  /** The losses, at least one. */
  readonly findings: readonly Finding[];

  constructor(api: ApiName, model: string, findings: readonly PlacedFinding[]) {
    const lines = findings.map((finding) => `\n  ${findingLine(finding)}`);
    super(`The request to ${model} (${api}) was not sent, since reasoning would be lost:${lines.join('')}`);
    this.api = api;
    this.model = model;
    this.findings = findings;
  }
}
