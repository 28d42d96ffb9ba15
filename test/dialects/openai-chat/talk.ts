import type { Edit } from './edits.ts';
import { assistant, type Members, type Message, result, user } from './messages.ts';

export type Report = Record<string, number>;
export interface Expected {
  readonly verdict: 'clean' | 'note' | 'finding';
  readonly report: Report;
}
export interface Step {
  readonly api: string;
  readonly request?: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: wire JSON
  readonly response?: any;
  readonly error?: { readonly status: number; readonly message: string; readonly provider?: string };
  readonly meta?: Record<string, unknown>;
}
type Config = Record<string, unknown>;

/** A client and its provider: builds a transcript step by step, and says what each request is to be called. */
export class Talk {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
  private history: readonly Message[] = [];
  private config: Config;
  private meta: Record<string, unknown> | undefined;
  private answerFields: Config = {};

  constructor(config: Config, wire: Pick<Talk, 'steps' | 'expected'> = { steps: [], expected: new Map() }) {
    const { endpoint, ...rest } = config;
    this.config = rest;
    this.meta = endpoint === undefined ? undefined : { endpoint };
    this.steps = wire.steps;
    this.expected = wire.expected;
  }

  user(content: unknown): this {
    return this.append(user(content));
  }

  results(...ids: readonly string[]): this {
    return this.append(...ids.map((id) => result(id)));
  }

  append(...messages: readonly Message[]): this {
    this.history = [...this.history, ...messages];
    return this;
  }

  /** Settings of this and all later requests; `undefined` takes one away. */
  with(config: Config): this {
    this.config = merged(this.config, config);
    return this;
  }

  /** What a watcher knows of the target from here on. */
  to(meta: Record<string, unknown>): this {
    this.meta = merged(this.meta ?? {}, meta);
    return this;
  }

  /** Changes the stored history, for this and later requests. */
  edit(edit: Edit): this {
    this.history = edit(this.history);
    return this;
  }

  /** Further members of the next response, beside its choices. */
  carrying(fields: Config): this {
    this.answerFields = fields;
    return this;
  }

  /** Sends the history, as changed for this one request. */
  send(edit: Edit = (history) => history, config: Config = {}): this {
    const request = { ...merged(this.config, config), messages: edit(this.history) };
    this.steps.push({ api: 'openai.chat', request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The response to the last request, appended as received. */
  reply(...members: readonly Members[]): this {
    const message = assistant(Object.assign({}, ...members));
    return this.receive(message).append(message);
  }

  /** `send` and `reply`. */
  answer(...members: readonly Members[]): this {
    return this.send().reply(...members);
  }

  /** A response that the client does not keep. */
  receive(message: Message, meta?: Record<string, unknown>): this {
    const finish_reason = message.tool_calls ? 'tool_calls' : 'stop';
    const model = this.lastRequest().model;
    const response = { model, ...this.answerFields, choices: [{ index: 0, finish_reason, message }] };
    this.answerFields = {};
    this.steps.push({ api: 'openai.chat', response, ...(meta ? { meta } : {}) });
    return this;
  }

  fails(status: number, message: string, provider?: string): this {
    this.steps.push({ api: 'openai.chat', error: { status, message, ...(provider ? { provider } : {}) } });
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

const TOOLS = ['lookup', 'store'].map((name) => ({ type: 'function', function: { name } }));

/** A client of one model with two tools; `endpoint` is the host. */
export const talk = (model: string, config: Config = {}): Talk => new Talk({ model, tools: TOOLS, ...config });
