import { expect } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { kindReport } from '../../../src/audit/report-json.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { type Edit, type Item, tool, user } from './wire.ts';

export type Report = Partial<Record<FindingKind, number>>;
interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
type Api = 'openai.responses' | 'openai.chat' | 'anthropic.messages';
export interface Step {
  readonly api: Api;
  readonly request?: Item;
  readonly response?: Item;
  readonly error?: { readonly status: number; readonly message: string; readonly provider?: string };
  readonly meta?: Item;
}

/** What a talk has in common with others on the same wire. */
interface Wire {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
}

/** Which member of a body holds the history, and how an answer is wrapped and kept. */
interface Form {
  readonly api: Api;
  readonly member: 'input' | 'messages';
  readonly response: (made: readonly Item[], model: unknown, count: number) => Item;
  readonly result: (name: string) => Item;
}

const RESPONSES: Form = {
  api: 'openai.responses',
  member: 'input',
  response: (output, model, count) => ({ id: `resp_${count}`, model, status: 'completed', output }),
  result: (name) => ({
    type: 'function_call_output',
    call_id: `call_${name}`,
    output: `result of ${name}, row 1 to 40`,
  }),
};
const CHAT: Form = {
  api: 'openai.chat',
  member: 'messages',
  response: ([message], model, count) => ({
    id: `chatcmpl_${count}`,
    model,
    choices: [{ index: 0, finish_reason: message?.tool_calls === undefined ? 'stop' : 'tool_calls', message }],
  }),
  result: (name) => tool(name),
};
const MESSAGES: Form = {
  api: 'anthropic.messages',
  member: 'messages',
  response: ([message], model, count) => ({
    id: `msg_${count}`,
    model,
    stop_reason: 'end_turn',
    content: message?.content,
  }),
  result: (name) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: `toolu_${name}`, content: `result of ${name}` }],
  }),
};

/** One client and what it sends. Faithful by default; every request without `finds` or `notes` is expected clean. */
export class Talk {
  readonly wire: Wire;
  private readonly form: Form;
  private items: readonly Item[] = [];
  private config: Item;
  private meta: Item | undefined;

  constructor(form: Form, config: Item, meta?: Item, wire: Wire = { steps: [], expected: new Map() }) {
    this.form = form;
    this.config = config;
    this.meta = meta;
    this.wire = wire;
  }

  with(config: Item): this {
    this.config = merged(this.config, config);
    return this;
  }

  /** What is known of the target beside the wire, from here on. */
  to(meta: Item): this {
    this.meta = meta;
    return this;
  }

  add(...items: readonly Item[]): this {
    this.items = [...this.items, ...items];
    return this;
  }

  user(content: string): this {
    return this.add(user(content));
  }

  results(...names: readonly string[]): this {
    return this.add(...names.map((name) => this.form.result(name)));
  }

  edit(edit: Edit): this {
    this.items = edit(this.items);
    return this;
  }

  send(edit: Edit = (items) => items, config: Item = {}): this {
    const request = { ...merged(this.config, config), [this.form.member]: edit(this.items) };
    this.wire.steps.push({ api: this.form.api, request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The answer to the last request, kept as received. Members of `fields` stand on the response beside it. */
  reply(...made: readonly Item[]): this {
    return this.receive({}, ...made).add(...made);
  }

  /** An answer that the client does not keep. */
  receive(fields: Item, ...made: readonly Item[]): this {
    const response = { ...this.form.response(made, this.model(), this.wire.steps.length), ...fields };
    this.wire.steps.push({ api: this.form.api, response });
    return this;
  }

  /** `send` and `reply`. */
  answer(...made: readonly Item[]): this {
    return this.send().reply(...made);
  }

  fails(status: number, message: string): this {
    this.wire.steps.push({ api: this.form.api, error: { status, message } });
    return this;
  }

  finds(report: Report): this {
    return this.expect({ verdict: 'finding', report });
  }

  notes(report: Report): this {
    return this.expect({ verdict: 'note', report });
  }

  /** Id of the newest response, to chain from. */
  get last(): string {
    const step = this.wire.steps.findLast(({ response }) => response !== undefined);
    return String(step?.response?.id);
  }

  private expect(expected: Expected): this {
    this.wire.expected.set(
      this.wire.steps.findLastIndex((step) => step.request !== undefined),
      expected,
    );
    return this;
  }

  private model(): unknown {
    return this.wire.steps.findLast((step) => step.request !== undefined)?.request?.model;
  }
}

const merged = (base: Item, over: Item): Item =>
  Object.fromEntries(Object.entries({ ...base, ...over }).filter(([, value]) => value !== undefined));

/** A client of the Responses API that stores nothing, so that all it needs is in the input. */
export const responses = (model: string, config: Item = {}, meta?: Item, wire?: Wire): Talk =>
  new Talk(RESPONSES, { model, store: false, reasoning: { effort: 'medium' }, ...config }, meta, wire);
export const chat = (model: string, config: Item = {}, meta?: Item, wire?: Wire): Talk =>
  new Talk(CHAT, { model, ...config }, meta, wire);
export const messages = (model: string, config: Item = {}, meta?: Item, wire?: Wire): Talk =>
  new Talk(MESSAGES, { model, max_tokens: 8000, ...config }, meta, wire);

function judge(steps: readonly Step[]): Record<number, Expected> {
  const read = readTranscript({ steps });
  if (!('steps' in read)) throw new Error(`the test's own transcript is bad: ${JSON.stringify(read)}`);
  // Validation copies; the judge has to see the very objects that a client keeps from step to step.
  const own = { ...read, steps: steps.map((step, index) => ({ ...read.steps[index], ...step })) } as Transcript;
  const { steps: reports, problems } = replay(own, dialects);
  expect(problems).toEqual([]);
  return Object.fromEntries(
    reports.flatMap((one) =>
      'judgement' in one
        ? [[one.step, { verdict: one.judgement.verdict, report: kindReport(one.judgement.findings) }]]
        : [],
    ),
  );
}

/** Judges a talk with objects kept, with all objects rebuilt, and with its answers as raw events. */
export function check({ wire: { steps, expected } }: Talk): void {
  const wanted = Object.fromEntries(
    steps.flatMap((step, index) =>
      step.request === undefined ? [] : [[index, expected.get(index) ?? { verdict: 'clean', report: {} }]],
    ),
  );
  const rebuilt: Step[] = JSON.parse(JSON.stringify(steps));
  for (const [form, traffic] of [
    ['kept', steps],
    ['rebuilt', rebuilt],
    ['streamed', rebuilt.map(streamed)],
  ] as const)
    expect({ form, ...judge(traffic) }).toEqual({ form, ...wanted });
}

const STREAMS: Readonly<Record<Api, (response: Item) => readonly Item[] | undefined>> = {
  'openai.responses': (response) => {
    if (!Array.isArray(response.output)) return undefined;
    const items: readonly Item[] = response.output;
    return [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: growing(item) },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: `response.${response.status}`, response },
    ];
  },
  'openai.chat': ({ choices, ...rest }) => {
    const message: Item | undefined = Array.isArray(choices) ? choices[0]?.message : undefined;
    if (message === undefined || Array.isArray(message.content)) return undefined;
    const deltas = Object.entries(message).flatMap(([member, value]) => pieces(member, value));
    return [
      ...deltas.map((delta) => ({ ...rest, choices: [{ index: 0, delta, finish_reason: null }] })),
      { ...rest, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ];
  },
  'anthropic.messages': () => undefined,
};

/** An item as `added` shows it: a payload, if any, is not whole yet. */
const growing = (item: Item): Item => {
  if (item.type === 'reasoning' && typeof item.encrypted_content === 'string')
    return { ...item, status: 'in_progress', encrypted_content: item.encrypted_content.slice(0, 24) };
  return item.type === 'function_call' ? { ...item, arguments: '' } : { ...item, status: 'in_progress' };
};

function pieces(member: string, value: unknown): Item[] {
  if (member === 'reasoning_opaque' || member === 'role') return [{ [member]: value }];
  if (typeof value === 'string') return halves(value).map((piece) => ({ [member]: piece }));
  if (member === 'tool_calls' && Array.isArray(value)) {
    return value.map((call, index) => ({ tool_calls: [{ index, ...call }] }));
  }
  if (member === 'reasoning_details' && Array.isArray(value)) {
    return value.map((detail) => ({ reasoning_details: [detail] }));
  }
  return value === null ? [] : [{ [member]: value }];
}
const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
};

function streamed(step: Step): Step {
  const { response } = step;
  if (response === undefined || response.stream !== undefined) return step;
  const stream = STREAMS[step.api](response);
  return stream === undefined ? step : { ...step, response: { ...response, stream } };
}
