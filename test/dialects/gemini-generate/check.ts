import { expect } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { API, type Expected, type Report, type Step, type Talk } from './talk.ts';

/** The judgement of every request, by step. */
export function judge(steps: readonly Step[]): Map<number, Judgement> {
  const read = readTranscript({ steps });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  const { steps: reports, problems } = replay(withOwnObjects(read, steps), dialects);
  expect(problems).toEqual([]);
  return new Map(reports.flatMap((report) => ('judgement' in report ? [[report.step, report.judgement]] : [])));
}

export const last = (talk: Talk): Judgement => {
  const judged = [...judge(talk.steps).values()].at(-1);
  if (judged === undefined) throw new Error('nothing was judged');
  return judged;
};

/** Validation copies; the judge has to see the very objects that the client keeps from step to step. */
const withOwnObjects = (read: Transcript, steps: readonly Step[]): Transcript =>
  ({ ...read, steps: steps.map((step, index) => ({ ...read.steps[index], ...step })) }) as Transcript;

/**
 * Judges a transcript in each form in which the same traffic can arrive, and compares verdict and report of every
 * request: with objects kept from step to step and frozen (nothing may be written to them), with all of them rebuilt,
 * in the other spelling of the members, as parameters of the SDK, with answers as the chunks of a stream, and a second
 * time from the start.
 */
export function check(talk: Talk): void {
  const steps = talk.steps.map((step) => deepFreeze(step));
  const wanted = expectations(talk);
  for (const [form, traffic] of [
    ['kept', steps],
    ['rebuilt', JSON.parse(JSON.stringify(steps))],
    ['in snake case', steps.map((step) => snaked(step))],
    ['as parameters', steps.map((step) => asParameters(step))],
    ['streamed', steps.map((step) => streamed(step))],
    ['again', steps],
  ] as [string, Step[]][]) {
    const judged = judge(traffic);
    expect({ form, ...reportsOf(judged) }, form).toEqual({ form, ...wanted });
    for (const [step, judgement] of judged) {
      if (traffic[step]?.api === API) invariants(judgement, traffic, step);
    }
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
  const lost = findings.some(({ severity }) => severity === 'loss');
  expect(verdict).toBe(lost ? 'finding' : findings.length > 0 ? 'note' : 'clean');
  for (const finding of findings) {
    expect(finding.count).toBeGreaterThan(0);
    expect(reaches(steps[step]?.request, finding.path), `${finding.path} is in the request`).toBe(true);
  }
  const told = JSON.stringify(judgement);
  for (const secret of secrets(steps)) expect(told.includes(secret), 'the judgement holds content').toBe(false);
}

/** `contents.3.parts.0` leads somewhere in the body as sent. */
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

const SECRET_MEMBERS = new Set(['text', 'thoughtSignature', 'thought_signature', 'output', 'key']);
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

type Wire = Record<string, unknown>;

/** Members that hold what a user or a tool says: their keys are not the API's. */
const OPAQUE = new Set(['args', 'response']);

function snaked(step: Step): Step {
  if (step.api !== API) return step;
  const walk = (value: unknown, member: string): unknown => {
    if (typeof value !== 'object' || value === null || OPAQUE.has(member)) return value;
    if (Array.isArray(value)) return value.map((one) => walk(one, ''));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        walk(inner, key),
      ]),
    );
  };
  const { request, response } = step;
  return {
    ...step,
    ...(request ? { request: walk(request, '') as Wire } : {}),
    ...(response ? { response: walk(response, '') as Wire } : {}),
  };
}

/** What `@google/genai` is called with: settings under `config`, flat. */
function asParameters(step: Step): Step {
  if (step.api !== API || step.request === undefined) return step;
  const { model, contents, generationConfig, ...rest } = step.request;
  return { ...step, request: { model, contents, config: { ...rest, ...(generationConfig as Wire | undefined) } } };
}

/** The same answer as chunks: every part in one of its own, unsigned text in two. */
export function streamed(step: Step): Step {
  const { response } = step;
  if (step.api !== API || response === undefined || Array.isArray(response.stream)) return step;
  const candidates = response.candidates as readonly Wire[] | undefined;
  const candidate = candidates?.[0];
  if (candidate === undefined || candidates?.length !== 1) return step;
  const { candidates: _all, usageMetadata, ...rest } = response;
  const { finishReason } = candidate;
  const parts = (candidate.content as { readonly parts?: readonly Wire[] } | undefined)?.parts ?? [];
  const stream: unknown[] = parts.flatMap(pieces).map((part) => ({
    ...rest,
    candidates: [{ content: { role: 'model', parts: [part] } }],
  }));
  stream.push({ ...rest, candidates: [{ finishReason }], ...(usageMetadata ? { usageMetadata } : {}) });
  return { ...step, response: { ...response, stream: JSON.parse(JSON.stringify(stream)) } };
}

function pieces(part: Wire): Wire[] {
  const { text } = part;
  if (typeof text !== 'string' || text.length < 2 || 'thoughtSignature' in part) return [part];
  const middle = Math.ceil(text.length / 2);
  return [
    { ...part, text: text.slice(0, middle) },
    { ...part, text: text.slice(middle) },
  ];
}
