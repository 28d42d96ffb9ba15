import { expect } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { streamed } from './streamed.ts';
import type { Expected, Report, Step, Talk } from './talk.ts';

/** The judgement of every request, by step. */
export function judge(steps: readonly Step[]): Map<number, Judgement> {
  const read = readTranscript({ steps });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  const { steps: reports, problems } = replay(withOwnObjects(read, steps), dialects);
  expect(problems).toEqual([]);
  return new Map(reports.flatMap((report) => ('judgement' in report ? [[report.step, report.judgement]] : [])));
}

/** Validation copies; the judge has to see the very objects that the client keeps from step to step. */
const withOwnObjects = (read: Transcript, steps: readonly Step[]): Transcript =>
  ({ ...read, steps: steps.map((step, index) => ({ ...read.steps[index], ...step })) }) as Transcript;

/**
 * Judges a transcript in each form in which the same traffic can arrive, and compares verdict and report of every request:
 * with message objects kept from step to step and frozen (nothing may be written to them), with all messages rebuilt, with
 * answers as raw chunks, and a second time from the start.
 */
export function check(talk: Talk): void {
  const steps = talk.steps.map((step) => deepFreeze(step));
  const wanted = expectations(talk);
  const rebuilt: Step[] = steps.map((step) => JSON.parse(JSON.stringify(step)));
  for (const [form, traffic] of [
    ['kept', steps],
    ['rebuilt', rebuilt],
    ['streamed', steps.map(streamed)],
    ['again', steps],
  ] as const) {
    const judged = judge(traffic);
    expect({ form, ...reportsOf(judged) }, form).toEqual({ form, ...wanted });
    for (const [step, judgement] of judged) invariants(judgement, traffic, step);
  }
}

/** The last judgement of a transcript. */
export function lastOf(talk: Talk): Judgement {
  const judged = [...judge(talk.steps).values()].at(-1);
  if (judged === undefined) throw new Error('nothing was judged');
  return judged;
}

function expectations(talk: Talk): Record<number, Expected> {
  const asked = talk.steps.flatMap((step, index) => (step.request === undefined ? [] : [index]));
  return Object.fromEntries(
    asked.map((index) => [index, talk.expected.get(index) ?? { verdict: 'clean', report: {} }]),
  );
}

export const reportOf = (judgement: Judgement): Report => {
  const report: Report = {};
  for (const { kind, count } of judgement.findings) report[kind] = (report[kind] ?? 0) + count;
  return report;
};

const reportsOf = (judged: ReadonlyMap<number, Judgement>): Record<number, Expected> =>
  Object.fromEntries([...judged].map(([step, one]) => [step, { verdict: one.verdict, report: reportOf(one) }]));

/** What holds for any request, whatever happened. */
export function invariants(judgement: Judgement, steps: readonly Step[], step: number): void {
  const { blocks, findings, verdict } = judgement;
  expect(blocks.expected, 'expected = returned + dropped + damaged').toBe(
    blocks.returned + blocks.dropped + blocks.damaged,
  );
  for (const value of Object.values(blocks)) expect(value).toBeGreaterThanOrEqual(0);
  const losses = findings.some(({ severity }) => severity === 'loss');
  expect(verdict).toBe(losses ? 'finding' : findings.length > 0 ? 'note' : 'clean');
  for (const finding of findings) {
    expect(finding.count).toBeGreaterThan(0);
    expect(reaches(steps[step]?.request, finding.path), `${finding.path} is in the request`).toBe(true);
  }
  const told = JSON.stringify(judgement);
  for (const secret of secrets(steps)) expect(told.includes(secret), 'the judgement holds content').toBe(false);
}

/** `messages.3.reasoning_content` leads somewhere in the body as sent. */
function reaches(body: unknown, path: string): boolean {
  let here: unknown = body;
  for (const key of path.split('.')) {
    if (typeof here !== 'object' || here === null || !(key in here)) return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
}

const OPEN_MEMBERS = new Set([
  'id',
  'type',
  'role',
  'name',
  'model',
  'endpoint',
  'format',
  'tool_call_id',
  'finish_reason',
]);
function secrets(steps: readonly Step[]): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown, member: string): void => {
    if (typeof value === 'string') {
      if (!OPEN_MEMBERS.has(member) && value.length >= 12) found.add(value);
    } else if (Array.isArray(value)) for (const one of value) walk(one, member);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, key);
    }
  };
  for (const step of steps) {
    walk(step.request?.messages, '');
    walk(step.response?.choices, '');
  }
  return found;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
