import { expect } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { dialects } from '../../../src/dialects/index.ts';
import type { Expected, Report, Step, Talk } from './talk.ts';

/** The judgement of every request, by step. */
export function judge(steps: readonly Step[], by = dialects): Map<number, Judgement> {
  const read = readTranscript({ steps });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  const { steps: reports, problems } = replay(withOwnObjects(read, steps), by);
  expect(problems).toEqual([]);
  return new Map(reports.flatMap((report) => ('judgement' in report ? [[report.step, report.judgement]] : [])));
}

/** Validation copies; the judge has to see the very objects that the client keeps from step to step. */
const withOwnObjects = (read: Transcript, steps: readonly Step[]): Transcript =>
  ({ ...read, steps: steps.map((step, index) => ({ ...read.steps[index], ...step })) }) as Transcript;

/**
 * Judges a transcript in each form in which the same traffic can arrive, and compares verdict and report of
 * every request: with message objects kept from step to step and frozen (nothing may be written to them), with
 * all messages rebuilt, with answers as raw stream events, and a second time from the start.
 */
export function check(talk: Talk): void {
  const steps = talk.steps.map((step) => deepFreeze(step));
  const wanted = expectations(talk);
  const rebuilt: Step[] = steps.map((step) => JSON.parse(JSON.stringify(step)));
  for (const [form, traffic] of [
    ['kept', steps],
    ['rebuilt', rebuilt],
    ['streamed', steps.map((step) => streamed(step))],
    ['streamed without envelope', steps.map((step) => withoutEnvelope(streamed(step)))],
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
  const worst = findings.some(({ severity }) => severity === 'loss')
    ? 'finding'
    : findings.length > 0
      ? 'note'
      : 'clean';
  expect(verdict).toBe(worst);
  for (const finding of findings) {
    expect(finding.count).toBeGreaterThan(0);
    expect(reaches(steps[step]?.request, finding.path), `${finding.path} is in the request`).toBe(true);
  }
  const told = JSON.stringify(judgement);
  for (const secret of secrets(steps)) expect(told.includes(secret), 'the judgement holds content').toBe(false);
}

/** `messages.3.content.0` leads somewhere in the body as sent. */
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

const SECRET_MEMBERS = new Set(['thinking', 'signature', 'data', 'text', 'content', 'system']);
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

/** Cuts a string into the pieces in which a stream delivers it. */
export type Cut = (value: string) => readonly string[];

/** The same answer as raw events; by default every string in two pieces. */
export function streamed(step: Step, cut: Cut = halves): Step {
  const { response } = step;
  if (response === undefined || Array.isArray(response.stream) || !Array.isArray(response.content)) return step;
  const { content, stop_reason, stop_sequence, usage, context_management, ...rest } = response;
  const message = { type: 'message', role: 'assistant', ...rest, content: [], stop_reason: null, usage };
  const events: unknown[] = [{ type: 'message_start', message }, { type: 'ping' }];
  for (const [index, block] of content.entries()) events.push(...blockEvents(block, index, cut));
  events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage, context_management });
  // A cut answer has no end.
  if (step.meta?.aborted !== true) events.push({ type: 'message_stop' });
  return { ...step, response: { ...response, stream: JSON.parse(JSON.stringify(events)) } };
}

type Wire = Record<string, unknown>;

function blockEvents(block: Wire, index: number, cut: Cut): unknown[] {
  const { start, deltas } = (PIECES[String(block.type)] ?? whole)(block, cut);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

interface Pieces {
  readonly start: Wire;
  readonly deltas: readonly Wire[];
}

const whole = (block: Wire): Pieces => ({ start: block, deltas: [] });

/** A string in two pieces; an empty one in none. */
const halves: Cut = (text) => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const PIECES: Readonly<Record<string, (block: Wire, cut: Cut) => Pieces>> = {
  thinking: (block, cut) => ({
    start: { ...block, thinking: '', ...('signature' in block ? { signature: '' } : {}) },
    deltas: [
      ...cut(textOf(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
      ...cut(textOf(block.signature)).map((signature) => ({ type: 'signature_delta', signature })),
    ],
  }),
  text: (block, cut) => ({
    start: { ...block, text: '' },
    deltas: cut(textOf(block.text)).map((text) => ({ type: 'text_delta', text })),
  }),
  tool_use: (block, cut) => ({
    start: { ...block, input: {} },
    deltas: cut(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  }),
};

const ENVELOPE = new Set(['message_start', 'message_delta', 'message_stop', 'ping']);

/** As recordings are shortened: what the envelope carries stands in the assembled result beside the events. */
function withoutEnvelope(step: Step): Step {
  const stream = step.response?.stream;
  // Where the end of a stream says more than its result, leaving it out would be another recording.
  if (!Array.isArray(stream) || stream.some((event) => 'input_transformations' in event)) return step;
  const events = stream.filter(({ type }) => !ENVELOPE.has(type));
  return { ...step, response: { ...step.response, stream: events } };
}
