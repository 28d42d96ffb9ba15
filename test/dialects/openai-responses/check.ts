import { expect } from 'vitest';
import { type Dialects, replay } from '../../../src/audit/replay.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { createAnthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts';
import { createGeminiGenerate } from '../../../src/dialects/gemini-generate/index.ts';
import { createOpenaiChat } from '../../../src/dialects/openai-chat/index.ts';
import { createOpenaiResponses } from '../../../src/dialects/openai-responses/index.ts';
import type { Expected, Report, Step, Talk } from './talk.ts';

const DIALECTS: Dialects = {
  'openai.responses': createOpenaiResponses(),
  'anthropic.messages': createAnthropicMessages(),
  'openai.chat': createOpenaiChat(),
  'gemini.generateContent': createGeminiGenerate(),
};

/** The judgement of every request, by step. */
export function judge(steps: readonly object[], dialects: Dialects = DIALECTS): Map<number, Judgement> {
  const read = readTranscript({ steps });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  const { steps: reports, problems } = replay(withOwnObjects(read, steps), dialects);
  expect(problems).toEqual([]);
  return new Map(reports.flatMap((report) => ('judgement' in report ? [[report.step, report.judgement]] : [])));
}

/** Validation copies; the judge has to see the very objects that the client keeps from step to step. */
const withOwnObjects = (read: Transcript, steps: readonly object[]): Transcript => ({
  ...read,
  steps: read.steps.map((step, index) => ({ ...step, ...steps[index] })),
});

/**
 * Judges a transcript in each form in which the same traffic can arrive, and compares verdict and report of every
 * request: with item objects kept from step to step and frozen (nothing may be written to them), with all items
 * rebuilt, with answers as raw stream events, with the last event left empty, and a second time from the start.
 */
export function check(talk: Talk): void {
  const steps = talk.steps.map((step) => deepFreeze(step));
  const wanted = expectations(talk);
  const rebuilt: Step[] = steps.map((step) => JSON.parse(JSON.stringify(step)));
  for (const [form, traffic] of [
    ['kept', steps],
    ['rebuilt', rebuilt],
    ['streamed', steps.map((step) => streamed(step))],
    ['streamed, last event empty', steps.map((step) => streamed(step, true))],
    ['again', steps],
  ] as const) {
    const judged = judge(traffic);
    expect({ form, ...reportsOf(judged) }, form).toEqual({ form, ...wanted });
    for (const [step, judgement] of judged) invariants(judgement, traffic, step);
  }
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
  const worst = findings.some(({ severity }) => severity === 'loss') ? 'finding' : 'note';
  expect(verdict).toBe(findings.length === 0 ? 'clean' : worst);
  for (const finding of findings) {
    expect(finding.count).toBeGreaterThan(0);
    expect(reaches(steps[step]?.request, finding.path), `${finding.path} is in the request`).toBe(true);
  }
  const told = JSON.stringify(judgement);
  for (const secret of secrets(steps)) expect(told.includes(secret), 'the judgement holds content').toBe(false);
}

/** `input.3` leads somewhere in the body as sent. */
function reaches(body: unknown, path: string): boolean {
  let here: unknown = body;
  for (const key of path.split('.')) {
    // A body may lack what was switched off or taken away: its own top-level name is then the place.
    if (here === body && (here as Record<string, unknown>)[key] === undefined) return !path.includes('.');
    if (typeof here !== 'object' || here === null || !(key in here)) return false;
    here = (here as Record<string, unknown>)[key];
  }
  return true;
}

const SECRET_MEMBERS = new Set(['encrypted_content', 'text', 'content', 'instructions', 'arguments', 'output', 'id']);
function secrets(steps: readonly Step[]): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown, member: string): void => {
    if (typeof value === 'string') {
      if (SECRET_MEMBERS.has(member) && value.length >= 12) found.add(value);
    } else if (Array.isArray(value)) for (const one of value) walk(one, member);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, key);
    }
  };
  for (const step of steps) {
    walk(step.request, '');
    walk(step.response, '');
  }
  return found;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/** The same answer as raw events; an item is shown with half of its payload before it is done. */
export function streamed(step: Step, emptyEnd = false): Step {
  const { response } = step;
  if (response === undefined || Array.isArray(response.stream) || !Array.isArray(response.output)) return step;
  if (response.object !== 'response') return step;
  const { output, status, ...rest } = response;
  const events: unknown[] = [
    { type: 'response.created', response: { ...rest, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...rest, status: 'in_progress', output: [] } },
  ];
  for (const [output_index, item] of output.entries()) {
    const payload = typeof item.encrypted_content === 'string' ? item.encrypted_content : undefined;
    const partial = payload === undefined ? {} : { encrypted_content: payload.slice(0, payload.length / 2) };
    const added = { ...item, ...partial, ...(item.status === undefined ? {} : { status: 'in_progress' }) };
    events.push({ type: 'response.output_item.added', output_index, item: added });
    events.push({ type: 'response.output_item.done', output_index, item });
  }
  const end = { ...rest, status, output: emptyEnd ? [] : output };
  // A cut answer has no end.
  if (step.meta?.aborted !== true) events.push({ type: `response.${String(status)}`, response: end });
  return { ...step, response: { ...response, stream: JSON.parse(JSON.stringify(events)) } };
}
