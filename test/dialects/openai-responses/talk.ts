import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import type { Edit } from './edits.ts';
import { type Item, out, user } from './items.ts';

export type Report = Partial<Record<FindingKind, number>>;
export interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
export interface Step {
  readonly api: 'openai.responses';
  readonly request?: Record<string, unknown>;
  readonly response?: Record<string, unknown>;
  readonly error?: { readonly status: number; readonly message: string };
  readonly meta?: Record<string, unknown>;
}

type Config = Record<string, unknown>;
/** Who keeps the history: the client, or the provider by response or by conversation. */
export type Mode = 'stateless' | 'chain' | 'conversation';

/**
 * One client of the API and what it sends. Faithful by default: `answer` sends what its mode asks for, receives items
 * and appends them as received. `send` and `answer` take what the harness does to the items or to the parameters of that
 * one request. Every request without `finds` or `notes` is expected clean.
 */
export class Talk {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
  private history: readonly Item[] = [];
  private fresh = 0;
  private last: string | undefined;
  private config: Config;
  private mode: Mode;
  private meta: Record<string, unknown> | undefined;
  private answerFields: Config = {};

  constructor(mode: Mode, config: Config, shared?: Pick<Talk, 'steps' | 'expected'>) {
    this.mode = mode;
    this.config = config;
    this.steps = shared?.steps ?? [];
    this.expected = shared?.expected ?? new Map();
  }

  /** Parameters from here on; undefined takes one away. */
  with(config: Config): this {
    this.config = merged(this.config, config);
    return this;
  }

  /** Who keeps the history from here on. */
  by(mode: Mode): this {
    this.mode = mode;
    return this;
  }

  /** What a watcher knows beside the wire, from here on. */
  target(meta: Record<string, unknown>): this {
    this.meta = meta;
    return this;
  }

  user(text: string): this {
    return this.append(user(text));
  }

  /** Appends the results of these calls. */
  results(...names: readonly string[]): this {
    return this.append(...names.map((name) => out(name)));
  }

  append(...items: readonly Item[]): this {
    this.history = [...this.history, ...items];
    return this;
  }

  /** Changes the stored history, for this and later requests. */
  edit(edit: Edit): this {
    const { length } = this.history;
    this.history = edit(this.history);
    this.fresh = Math.max(0, this.fresh + this.history.length - length);
    return this;
  }

  /** Further members of the next response, beside its output. */
  carrying(fields: Config): this {
    this.answerFields = fields;
    return this;
  }

  /** Sends what the mode asks for, as changed for this one request. */
  send(edit: Edit = (items) => items, config: Config = {}): this {
    const request = { ...merged(merged(this.config, this.named()), config), input: edit(this.items()) };
    this.steps.push({ api: 'openai.responses', request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The response to the last request, appended as received. */
  reply(...output: readonly Item[]): this {
    const { model } = this.lastRequest();
    const id = `resp_${this.steps.length}`;
    const response = { id, object: 'response', model, status: 'completed', ...this.answerFields, output };
    this.answerFields = {};
    this.steps.push({ api: 'openai.responses', response });
    this.append(...output);
    this.fresh = this.history.length;
    this.last = String(response.id);
    return this;
  }

  /** `send` and `reply`. */
  answer(...output: readonly Item[]): this {
    return this.send().reply(...output);
  }

  /** A response as recorded, which the client does not keep. */
  receive(response: Config, meta?: Record<string, unknown>): this {
    this.steps.push({ api: 'openai.responses', response, ...(meta ? { meta } : {}) });
    return this;
  }

  fails(status: number, message: string): this {
    this.steps.push({ api: 'openai.responses', error: { status, message } });
    return this;
  }

  /** The last request is a finding with exactly this report. */
  finds(report: Report): this {
    return this.expect({ verdict: 'finding', report });
  }

  /** The last request is a note with exactly this report. */
  notes(report: Report): this {
    return this.expect({ verdict: 'note', report });
  }

  /** A second client on the same wire, with a copy of the history so far: a fork, or a neighbour. */
  fork(config: Config = {}, edit: Edit = (items) => items): Talk {
    const other = new Talk(this.mode, merged(this.config, config), this);
    other.meta = this.meta;
    other.history = edit(this.history);
    other.fresh = Math.min(this.fresh, other.history.length);
    other.last = this.last;
    return other;
  }

  private named(): Config {
    if (this.mode === 'conversation') return { conversation: 'conv_1' };
    return this.mode === 'chain' && this.last !== undefined ? { previous_response_id: this.last } : {};
  }

  private items(): readonly Item[] {
    return this.mode === 'stateless' ? this.history : this.history.slice(this.fresh);
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

const MEDIUM = { effort: 'medium' };

/** A client that keeps the history itself; nothing is stored. */
export const talk = (model: string, config: Config = {}): Talk =>
  new Talk('stateless', { model, store: false, reasoning: MEDIUM, ...config });

/** A client that names the response before; everything is stored. */
export const chain = (model: string, config: Config = {}): Talk =>
  new Talk('chain', { model, store: true, reasoning: MEDIUM, ...config });

/** A client that names a conversation. */
export const conversation = (model: string, config: Config = {}): Talk =>
  new Talk('conversation', { model, store: true, reasoning: MEDIUM, ...config });
