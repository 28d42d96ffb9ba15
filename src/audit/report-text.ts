import { adviceFor } from '../advice.ts';
import type { Finding, Judgement } from '../continuity/judgement.ts';
import type { Remark } from '../continuity/vocabulary.ts';
import type { ApiName } from '../dialects/dialect.ts';
import type { StepReport } from './replay.ts';
import { entryCycle } from './report-json.ts';

type Judged = Extract<StepReport, { judgement: unknown }>;

/**
 * One file, for the reader: a line a request with what was expected and returned, and under it each finding
 * with its place and what to do about it. Advice is given once a file, where it is first needed.
 */
export function textReport(file: string, steps: readonly StepReport[]): string[] {
  const advised = new Set<string>();
  const lines = steps.flatMap((step) =>
    'unjudged' in step ? [`  ${head(step.step, 'unread')}${step.unjudged}`] : judgedLines(step, advised),
  );
  return [`${file}: ${totals(steps)}`, ...lines, ''];
}

function totals(steps: readonly StepReport[]): string {
  const tally = { finding: 0, note: 0, clean: 0, unjudged: 0 };
  for (const step of steps) tally['unjudged' in step ? 'unjudged' : step.judgement.verdict] += 1;
  const words = [
    plural(steps.length, 'request'),
    ...(tally.finding > 0 ? [`${tally.finding} with findings`] : []),
    ...(tally.note > 0 ? [`${tally.note} with notes`] : []),
    ...(tally.unjudged > 0 ? [`${tally.unjudged} not judged`] : []),
  ];
  const nothing = tally.finding + tally.unjudged === 0 ? ', nothing lost' : '';
  return words.join(', ') + nothing;
}

function judgedLines(step: Judged, advised: Set<string>): string[] {
  const { judgement, api } = step;
  const first = `  ${head(step.step, judgement.verdict)}${blockCounts(judgement)}${refusal(judgement)}, cycle ${entryCycle(step)}`;
  const remarks = (judgement.remarks ?? []).map((remark) => `    remark: ${REMARKS_IN_WORDS[remark]}`);
  return [
    first,
    ...remarks,
    ...judgement.findings.flatMap((finding) => findingLines(finding, judgement, api, advised)),
  ];
}

const REMARKS_IN_WORDS: Readonly<Record<Remark, string>> = {
  structural_loss: 'this endpoint has no field to carry reasoning: each step of the loop begins without it',
  hidden_at_source: 'reasoning tokens were spent and no reasoning was delivered',
  reasoning_stopped: 'the model reasoned until now and stopped to, with the same settings',
  recovered_by_discarding: 'a refused request went through once its reasoning had been given up',
  accepted_unread: 'what came back whole does not show in the input tokens (weak evidence)',
};

const head = (step: number, word: string): string => `step ${String(step).padEnd(4)}${word.padEnd(9)}`;

function blockCounts({ blocks }: Judgement): string {
  if (blocks.expected === 0) return 'no reasoning to return';
  const wrong = [
    ...(blocks.dropped > 0 ? [`dropped ${blocks.dropped}`] : []),
    ...(blocks.damaged > 0 ? [`damaged ${blocks.damaged}`] : []),
  ];
  return [`expected ${blocks.expected}`, `returned ${blocks.returned}`, ...wrong].join(', ');
}

const refusal = ({ rejection }: Judgement): string => (rejection === undefined ? '' : `, refused (${rejection})`);

function findingLines(finding: Finding, judgement: Judgement, api: ApiName, advised: Set<string>): string[] {
  const { kind, count, reason, path, source, certainty, severity, culprit, tokens } = finding;
  const counsel = adviceFor({
    kind,
    count,
    reason,
    api,
    culprit,
    prefixChanged: judgement.prefixChanged === 'none' ? undefined : judgement.prefixChanged,
  });
  const client = culprit === 'sdk' ? "by a helper of the client's SDK" : 'by the client';
  const by = source === 'server' ? 'by the server' : client;
  const facts = [
    ...(reason === undefined ? [] : [reason]),
    by,
    certainty,
    ...(tokens === undefined ? [] : [`about ${tokens} tokens`]),
    ...(severity === 'note' ? ['a note'] : []),
  ];
  const lines = [`${kind} ${count} at ${path} (${facts.join(', ')})`, `  what: ${counsel.what}`];
  if (counsel.mend !== undefined && !advised.has(counsel.key)) lines.push(`  do:   ${counsel.mend}`);
  advised.add(counsel.key);
  return lines.map((line) => `    ${line}`);
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
