import type { Finding } from '../continuity/judgement.ts';
import type { CycleState, FindingKind } from '../continuity/vocabulary.ts';
import type { StepReport } from './replay.ts';

/** Counts by kind, findings and notes alike. */
export type KindReport = Readonly<Partial<Record<FindingKind, number>>>;

/** Adds the findings of one request up by kind. */
export function kindReport(findings: readonly Finding[]): KindReport {
  const report: Partial<Record<FindingKind, number>> = {};
  for (const finding of findings) report[finding.kind] = (report[finding.kind] ?? 0) + finding.count;
  return report;
}

/** The cycle of the worst finding; without findings that of the turn which the request continues. */
export function entryCycle(judged: Extract<StepReport, { judgement: unknown }>): CycleState {
  const { findings, cycle } = judged.judgement;
  const worst = findings.find((finding) => finding.severity === 'loss') ?? findings[0];
  return worst?.cycle ?? cycle.state;
}

/** One file as one line of JSON. A request that could not be judged has `verdict` and `report` null, and says why. */
export function jsonReport(file: string, steps: readonly StepReport[]): string {
  return JSON.stringify({ file, steps: steps.map(stepEntry) });
}

function stepEntry(step: StepReport): object {
  if ('unjudged' in step) {
    return { step: step.step, verdict: null, cycle: null, report: null, findings: [], unjudged: step.unjudged };
  }
  const { verdict, findings } = step.judgement;
  return {
    step: step.step,
    verdict,
    cycle: entryCycle(step),
    report: kindReport(findings),
    findings: findings.map(({ kind, count, source, reason, path, severity, certainty }) => ({
      kind,
      count,
      source,
      ...(reason === undefined ? {} : { reason }),
      path,
      severity,
      certainty,
    })),
  };
}
