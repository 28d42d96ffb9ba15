import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import type { Edit } from './edits.ts';
import { type Content, callName, model, type Part, result, user } from './parts.ts';

export type Report = Partial<Record<FindingKind, number>>;
export interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
export interface Step {
  readonly api: string;
  readonly request?: Record<string, unknown>;
  readonly response?: Record<string, unknown>;
  readonly error?: { readonly status: number; readonly message: string };
  readonly meta?: Record<string, unknown>;
}

export const API = 'gemini.generateContent';
type Config = Record<string, unknown>;

/**
 * One client of the API and what it sends. Faithful by default: `answer` sends the history, receives the parts and
 * appends them as received. `send` and `answer` take what the harness does to the history or to the parameters of that
 * one request. Every request without `finds` or `notes` is expected clean.
 */
export class Talk {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
  private history: readonly Content[] = [];
  private config: Config;
  private meta: Record<string, unknown> | undefined;
  private answerFields: Config = {};
  private finish = 'STOP';

  constructor(config: Config, shared?: Pick<Talk, 'steps' | 'expected'>) {
    this.config = config;
    this.steps = shared?.steps ?? [];
    this.expected = shared?.expected ?? new Map();
  }

  /** Parameters from here on; undefined takes one away. */
  with(config: Config): this {
    this.config = merged(this.config, config);
    return this;
  }

  /** What a watcher knows beside the wire, from here on. */
  target(meta: Record<string, unknown> | undefined): this {
    this.meta = meta;
    return this;
  }

  user(...parts: readonly (Part | string)[]): this {
    return this.append(user(...parts));
  }

  /** Appends one content with the results of these calls. */
  results(...keys: readonly string[]): this {
    return this.append(user(...keys.map((key) => result(key))));
  }

  append(...contents: readonly Content[]): this {
    this.history = [...this.history, ...contents];
    return this;
  }

  /** Changes the stored history, for this and later requests. */
  edit(edit: Edit): this {
    this.history = edit(this.history);
    return this;
  }

  /** Further members of the next response, beside its candidate. */
  carrying(fields: Config): this {
    this.answerFields = fields;
    return this;
  }

  /** Why the next response ends. */
  ending(finishReason: string): this {
    this.finish = finishReason;
    return this;
  }

  /** Sends the history, as changed for this one request. */
  send(edit: Edit = (history) => history, config: Config = {}): this {
    const request = { ...merged(this.config, config), contents: edit(this.history) };
    this.steps.push({ api: API, request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The response to the last request, which the client does not keep. */
  receive(...parts: readonly Part[]): this {
    const modelVersion = this.lastRequest().model;
    const candidate = { content: model(...parts), finishReason: this.finish };
    this.steps.push({ api: API, response: { modelVersion, ...this.answerFields, candidates: [candidate] } });
    this.answerFields = {};
    this.finish = 'STOP';
    return this;
  }

  /** The response to the last request, appended as received. */
  reply(...parts: readonly Part[]): this {
    return this.receive(...parts).append(model(...parts));
  }

  /** `send` and `reply`. */
  answer(...parts: readonly Part[]): this {
    return this.send().reply(...parts);
  }

  /** A response as recorded. */
  record(response: Config, meta?: Record<string, unknown>): this {
    this.steps.push({ api: API, response, ...(meta ? { meta } : {}) });
    return this;
  }

  fails(status: number, message: string): this {
    this.steps.push({ api: API, error: { status, message } });
    return this;
  }

  /** A step of another API on the same wire. */
  other(...steps: readonly Step[]): this {
    this.steps.push(...steps);
    return this;
  }

  finds(report: Report): this {
    return this.expect({ verdict: 'finding', report });
  }

  notes(report: Report): this {
    return this.expect({ verdict: 'note', report });
  }

  /** A second client on the same wire, with a copy of the history so far: a fork, or a neighbour. */
  fork(config: Config = {}, edit: Edit = (history) => history): Talk {
    const other = new Talk(merged(this.config, config), this);
    other.meta = this.meta;
    other.history = edit(this.history);
    return other;
  }

  private expect(expected: Expected): this {
    this.expected.set(
      this.steps.findLastIndex((step) => step.request !== undefined),
      expected,
    );
    return this;
  }

  private lastRequest(): Record<string, unknown> {
    const step = this.steps.findLast((one) => one.request !== undefined);
    if (step?.request === undefined) throw new Error('nothing was sent yet');
    return step.request;
  }
}

const merged = (base: Config, over: Config): Config =>
  Object.fromEntries(Object.entries({ ...base, ...over }).filter(([, value]) => value !== undefined));

export const talk = (name: string, config: Config = {}): Talk => new Talk({ model: name, ...config });

/** Names of the calls of an answer, without `fn_`. */
export const callsOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => callName(part)?.replace(/^fn_/, '') ?? []);
