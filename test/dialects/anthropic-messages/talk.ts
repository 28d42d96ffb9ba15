import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import { type Block, type Message, res, user } from './blocks.ts';
import type { Edit } from './edits.ts';

export type Report = Partial<Record<FindingKind, number>>;
export interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
export interface Step {
  readonly api: 'anthropic.messages';
  readonly request?: Record<string, unknown>;
  readonly response?: Record<string, unknown>;
  readonly error?: { readonly status: number; readonly message: string };
  readonly meta?: Record<string, unknown>;
}

type Config = Record<string, unknown>;

/**
 * One client of the API and what it sends. Faithful by default: `answer` sends the history, receives the
 * blocks and appends them as received. `send` and `answer` take what the harness does to the history or to
 * the parameters of that one request. Every request without `finds` or `notes` is expected clean.
 */
export class Talk {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
  private history: readonly Message[] = [];
  private config: Config;
  private meta: Record<string, unknown> | undefined;
  private answerFields: Config = {};

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
  target(meta: Record<string, unknown>): this {
    this.meta = meta;
    return this;
  }

  /** Appends a user message. */
  user(...parts: (Block | string)[]): this {
    return this.append(user(...parts));
  }

  /** Appends one message with the results of these calls. */
  results(...ids: readonly string[]): this {
    return this.append(user(...ids.map((id) => res(id))));
  }

  append(...messages: readonly Message[]): this {
    this.history = [...this.history, ...messages];
    return this;
  }

  /** Changes the stored history, for this and later requests. */
  edit(edit: Edit): this {
    this.history = edit(this.history);
    return this;
  }

  /** Further members of the next response, beside its content. */
  carrying(fields: Config): this {
    this.answerFields = fields;
    return this;
  }

  /** Sends the history, as changed for this one request. */
  send(edit: Edit = (history) => history, config: Config = {}): this {
    const request = { ...merged(this.config, config), messages: edit(this.history) };
    this.steps.push({ api: 'anthropic.messages', request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The response to the last request, appended as received. */
  reply(...content: readonly Block[]): this {
    const calls = content.some((block) => block.type === 'tool_use');
    const model = this.lastRequest().model;
    const response = { model, stop_reason: calls ? 'tool_use' : 'end_turn', ...this.answerFields, content };
    this.answerFields = {};
    this.steps.push({ api: 'anthropic.messages', response });
    return this.append({ role: 'assistant', content });
  }

  /** `send` and `reply`. */
  answer(...content: readonly Block[]): this {
    return this.send().reply(...content);
  }

  /** A response as recorded, which the client does not keep. */
  receive(response: Config, meta?: Record<string, unknown>): this {
    this.steps.push({ api: 'anthropic.messages', response, ...(meta ? { meta } : {}) });
    return this;
  }

  fails(status: number, message: string): this {
    this.steps.push({ api: 'anthropic.messages', error: { status, message } });
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

const ADAPTIVE = { type: 'adaptive' };
const MANUAL = { type: 'enabled', budget_tokens: 4000 };

/** Models that take a budget only; every other model thinks adaptively. */
const BUDGET_ONLY = /^claude-(3-7-sonnet|sonnet-4|opus-4|opus-4-1|opus-4-5|sonnet-4-5|haiku-4-5)(-\d{8})?$/;

/** A client of one model, with thinking switched on in the way that this model takes it. */
export const talk = (model: string, config: Config = {}): Talk =>
  new Talk({ model, max_tokens: 8000, thinking: BUDGET_ONLY.test(model) ? MANUAL : ADAPTIVE, ...config });
