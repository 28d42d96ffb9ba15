import type { RunFinding } from '../emit/run-totals.ts';
import { findingLine } from '../observe/finding-line.ts';
import type { RunSummary } from './run-summary.ts';

/** One and the same fault is seen at every step from the first on. */
function firstOfEach(findings: readonly RunFinding[]): readonly RunFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ kind, source, reason, path }) => {
    const key = [kind, source, reason, path].join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * What is wrong with a run, for a person: how much was lost, then where and what to change, one line a fault.
 * @returns undefined where its reasoning came through whole
 */
export function intactReport(summary: RunSummary): string | undefined {
  const { calls, blocks, findings, assertion, rejections } = summary;
  const lost = firstOfEach(findings.filter(({ severity }) => severity === 'loss'));
  const lines = lost.map((finding) => {
    const doubt = finding.certainty === 'inferred' ? ' (inferred)' : '';
    return `step ${finding.step}, ${finding.model}${doubt}: ${findingLine(finding)}`;
  });
  if (assertion === 'fail') lines.push('an answer held no reasoning where it was to be expected');
  if (lines.length === 0 && rejections > 0) lines.push('a request was refused because of its reasoning');
  if (lines.length === 0) return undefined;
  const came = `${blocks.returned} of ${blocks.expected} reasoning blocks came back whole`;
  return `The reasoning of the run is not intact: ${came} in ${calls} model call${calls === 1 ? '' : 's'}.\n${lines
    .map((line) => `  ${line}`)
    .join('\n')}`;
}
