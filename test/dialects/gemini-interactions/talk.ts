import { expect } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import { createAnthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts';
import { createGeminiInteractions } from '../../../src/dialects/gemini-interactions/index.ts';
import { isNamed, type Step } from './steps.ts';

export type Report = Partial<Record<FindingKind, number>>;
interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
export interface Traffic {
  readonly api: string;
  readonly request?: Record<string, unknown>;
  readonly response?: Record<string, unknown>;
  readonly error?: { readonly status: number; readonly message: string };
  readonly meta?: Record<string, unknown>;
}
export type Edit = (history: readonly Step[]) => readonly Step[];
type Config = Record<string, unknown>;

export const API = 'gemini.interactions';
/** Reads the reasoning of earlier turns. */
export const KEEPS = 'gemini-3.8-flash';
/** Does not. */
export const OLDER = 'gemini-3-pro-preview';

/**
 * One client that sends its whole history as steps, or, once `chained`, only what is new and the id of the interaction
 * before. Faithful unless told otherwise; every request without `finds` or `notes` is expected clean.
 */
export class Talk {
  readonly traffic: Traffic[];
  readonly expected: Map<number, Expected>;
  private history: readonly Step[] = [];
  private fresh: readonly Step[] = [];
  private previous: string | undefined;
  private readonly chains: boolean;
  private config: Config;
  private meta: Record<string, unknown> | undefined;
  private fields: Config = {};

  constructor(config: Config, chains: boolean, shared?: Pick<Talk, 'traffic' | 'expected'>) {
    this.config = config;
    this.chains = chains;
    this.traffic = shared?.traffic ?? [];
    this.expected = shared?.expected ?? new Map();
  }

  with(config: Config): this {
    this.config = { ...this.config, ...config };
    return this;
  }

  target(meta: Record<string, unknown>): this {
    this.meta = meta;
    return this;
  }

  append(...steps: readonly Step[]): this {
    this.history = [...this.history, ...steps];
    this.fresh = [...this.fresh, ...steps];
    return this;
  }

  edit(edit: Edit): this {
    this.history = edit(this.history);
    return this;
  }

  carrying(fields: Config): this {
    this.fields = fields;
    return this;
  }

  send(edit: Edit = (history) => history, config: Config = {}): this {
    const chain = this.chains && this.previous !== undefined ? { previous_interaction_id: this.previous } : {};
    const input = edit(this.chains ? this.fresh : this.history);
    const request = { ...this.config, ...chain, ...config, input };
    const body = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    this.traffic.push({ api: API, request: body, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  reply(...steps: readonly Step[]): this {
    const id = `int-${this.traffic.length}`;
    const status = steps.some(({ type }) => type === 'function_call') ? 'requires_action' : 'completed';
    this.traffic.push({ api: API, response: { id, model: this.config.model, status, steps, ...this.fields } });
    this.fields = {};
    this.previous = id;
    this.history = [...this.history, ...steps];
    this.fresh = [];
    return this;
  }

  answer(...steps: readonly Step[]): this {
    return this.send().reply(...steps);
  }

  /** Events as recorded, of an answer that the client keeps as these steps. */
  stream(events: readonly object[], kept: readonly Step[], meta?: Record<string, unknown>): this {
    this.traffic.push({ api: API, response: { stream: events }, ...(meta ? { meta } : {}) });
    this.history = [...this.history, ...kept];
    this.fresh = [];
    return this;
  }

  fails(status: number, message: string): this {
    this.traffic.push({ api: API, error: { status, message } });
    return this;
  }

  other(...steps: readonly Traffic[]): this {
    this.traffic.push(...steps);
    return this;
  }

  /** The id by which the newest interaction is named. */
  get id(): string {
    return this.previous ?? '';
  }

  finds(report: Report): this {
    return this.expect({ verdict: 'finding', report });
  }

  notes(report: Report): this {
    return this.expect({ verdict: 'note', report });
  }

  fork(): Talk {
    const other = new Talk(this.config, this.chains, this);
    other.meta = this.meta;
    other.history = this.history;
    other.fresh = this.fresh;
    other.previous = this.previous;
    return other;
  }

  private expect(expected: Expected): this {
    this.expected.set(
      this.traffic.findLastIndex(({ request }) => request !== undefined),
      expected,
    );
    return this;
  }
}

export const stateless = (model: string = KEEPS, config: Config = {}): Talk =>
  new Talk({ model, store: false, ...config }, false);
export const stateful = (model: string = KEEPS, config: Config = {}): Talk => new Talk({ model, ...config }, true);

const dialects = { 'anthropic.messages': createAnthropicMessages(), [API]: createGeminiInteractions() };

export function judge(traffic: readonly Traffic[]): Map<number, Judgement> {
  const read = readTranscript({ steps: traffic });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  // Validation copies; the judge has to see the very objects that the client keeps from step to step.
  const own = { ...read, steps: traffic.map((step, index) => ({ ...read.steps[index], ...step })) } as Transcript;
  const { steps, problems } = replay(own, dialects);
  expect(problems).toEqual([]);
  return new Map(steps.flatMap((report) => ('judgement' in report ? [[report.step, report.judgement]] : [])));
}

export const last = (talk: Talk): Judgement => [...judge(talk.traffic).values()].at(-1) as Judgement;

/** Verdict and report of every request, with the objects kept, with all of them rebuilt, and with answers as events. */
export function check(talk: Talk): void {
  const wanted = Object.fromEntries(
    talk.traffic.flatMap(({ request }, index) =>
      request === undefined ? [] : [[index, talk.expected.get(index) ?? { verdict: 'clean', report: {} }]],
    ),
  );
  for (const [form, traffic] of [
    ['kept', talk.traffic.map(deepFreeze)],
    ['rebuilt', JSON.parse(JSON.stringify(talk.traffic))],
    ['streamed', talk.traffic.map(streamed)],
  ] as [string, Traffic[]][]) {
    const judged = judge(traffic);
    const told = [...judged].map(([step, { verdict, findings }]) => {
      const report: Report = {};
      for (const { kind, count } of findings) report[kind] = (report[kind] ?? 0) + count;
      return [step, { verdict, report }];
    });
    expect({ form, ...Object.fromEntries(told) }).toEqual({ form, ...wanted });
    for (const [step, judgement] of judged)
      if (traffic[step]?.api === API) invariants(judgement, traffic[step]?.request);
  }
}

function invariants({ blocks, findings }: Judgement, request: Record<string, unknown> | undefined): void {
  expect(blocks.expected).toBe(blocks.returned + blocks.dropped + blocks.damaged);
  for (const { path } of findings) {
    const [top = '', ...rest] = path.split('.');
    let here: unknown = request?.[top];
    for (const key of rest) here = (here as Record<string, unknown> | undefined)?.[key];
    expect(rest.length === 0 || here !== undefined, `${path} is in the request`).toBe(true);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/** The same answer as events, every string in two pieces; the completing event leaves the steps out. */
function streamed(step: Traffic): Traffic {
  const { response } = step;
  const steps = response?.steps;
  if (response === undefined || !Array.isArray(steps)) return step;
  const { steps: _steps, ...head } = response;
  const stream: object[] = [{ event_type: 'interaction.created', interaction: { ...head, status: 'in_progress' } }];
  for (const [index, one] of (steps as Step[]).entries()) {
    const { start, deltas } = pieces(one);
    stream.push({ event_type: 'step.start', index, step: start });
    for (const delta of deltas) stream.push({ event_type: 'step.delta', index, delta });
    stream.push({ event_type: 'step.stop', index });
  }
  stream.push({ event_type: 'interaction.completed', interaction: head });
  return { ...step, response: { stream } };
}

const halves = (text: string): string[] => [text.slice(0, 9), text.slice(9)].filter((piece) => piece !== '');

function pieces(step: Step): { readonly start: Step; readonly deltas: readonly object[] } {
  const { signature, summary, content, arguments: args, ...rest } = step;
  switch (step.type) {
    case 'thought': {
      const contents = Array.isArray(summary) ? summary : [];
      const parts = contents.map((one) => ({ type: 'thought_summary', content: one }));
      const sealed = signature === undefined ? [] : [{ type: 'thought_signature', signature }];
      return { start: { ...rest, signature: '' }, deltas: [...parts, ...sealed] };
    }
    case 'model_output':
      return {
        start: rest,
        deltas: (Array.isArray(content) ? content : []).flatMap(({ text }) =>
          halves(String(text)).map((piece) => ({ type: 'text', text: piece })),
        ),
      };
    case 'function_call':
      return {
        start: { ...rest, arguments: {} },
        deltas: halves(JSON.stringify(args)).map((piece) => ({ type: 'arguments_delta', arguments: piece })),
      };
    default:
      return { start: { type: step.type, id: step.id }, deltas: [{ ...step }] };
  }
}

/** Leaves steps out. */
export const drop =
  (...names: readonly string[]): Edit =>
  (history) =>
    history.filter((step) => !names.some((name) => isNamed(step, name)));

/** Puts something else in the place of a step. */
export const put =
  (name: string, change: (step: Step) => Step | readonly Step[]): Edit =>
  (history) =>
    history.flatMap((step) => (isNamed(step, name) ? change(step) : [step]));

export const set = (name: string, members: Config): Edit =>
  put(name, (step) =>
    Object.fromEntries(Object.entries({ ...step, ...members }).filter(([, value]) => value !== undefined)),
  );

export const noThoughts: Edit = (history) => history.filter(({ type }) => type !== 'thought');
