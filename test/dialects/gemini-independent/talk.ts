import { expect, it } from 'vitest';
import { replay } from '../../../src/audit/replay.ts';
import { kindReport } from '../../../src/audit/report-json.ts';
import { readTranscript, type Transcript } from '../../../src/audit/transcript.ts';
import type { FindingKind, Verdict } from '../../../src/continuity/vocabulary.ts';
import { dialects } from '../../../src/dialects/index.ts';

/** One client on one wire, for APIs whose history is an array of messages with an array of parts each. */
export interface Item {
  readonly [member: string]: unknown;
}
export type Report = Partial<Record<FindingKind, number>>;
interface Expected {
  readonly verdict: Verdict;
  readonly report: Report;
}
export interface Step {
  readonly api: string;
  readonly request?: Item;
  readonly response?: Item;
  readonly error?: { readonly status: number; readonly message: string };
  readonly meta?: Item;
}
export interface Wire {
  readonly steps: Step[];
  readonly expected: Map<number, Expected>;
}
export type Edit = (history: readonly Item[]) => readonly Item[];

/** How one API names things; `response` wraps the parts of an answer. */
export interface Form {
  readonly api: string;
  readonly history: string;
  readonly parts: string;
  readonly model: string;
  readonly assistant: string;
  /** The parts of an answer stand in the history one by one. */
  readonly flat?: boolean;
  readonly response: (parts: readonly Item[], model: unknown, count: number) => Item;
  readonly user: (...parts: readonly (Item | string)[]) => Item;
  readonly result: (name: string) => Item;
  /** The raw events of an answer, where the API's stream is worth a form of its own. */
  readonly stream?: (parts: readonly Item[]) => readonly Item[];
}

/** Faithful by default; every request without `finds` or `notes` is expected clean. */
export class Talk {
  readonly form: Form;
  readonly wire: Wire;
  private history: readonly Item[] = [];
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
  to(meta: Item | undefined): this {
    this.meta = meta;
    return this;
  }

  add(...items: readonly Item[]): this {
    this.history = [...this.history, ...items];
    return this;
  }

  user(...parts: readonly (Item | string)[]): this {
    return this.add(this.form.user(...parts));
  }

  results(...names: readonly string[]): this {
    return this.user(...names.map((name) => this.form.result(name)));
  }

  edit(edit: Edit): this {
    this.history = edit(this.history);
    return this;
  }

  send(edit: Edit = (history) => history, config: Item = {}): this {
    const request = { ...merged(this.config, config), [this.form.history]: edit(this.history) };
    this.wire.steps.push({ api: this.form.api, request, ...(this.meta ? { meta: this.meta } : {}) });
    return this;
  }

  /** The answer to the last request, which the client keeps as received. */
  reply(...parts: readonly Item[]): this {
    const { assistant, flat, parts: member } = this.form;
    return this.receive(parts).add(...(flat ? parts : [{ role: assistant, [member]: parts }]));
  }

  /** An answer that the client does not keep; `fields` stand on the response beside it. */
  receive(parts: readonly Item[], fields: Item = {}, meta?: Item): this {
    const model = this.wire.steps.findLast(({ request }) => request !== undefined)?.request?.[this.form.model];
    const response = { ...this.form.response(parts, model, this.wire.steps.length), ...fields };
    this.wire.steps.push({ api: this.form.api, response, ...(meta ? { meta } : {}) });
    return this;
  }

  /** `send` and `reply`. */
  answer(...parts: readonly Item[]): this {
    return this.send().reply(...parts);
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

  /** The same traffic, gone on with by another client. */
  on(form: Form, config: Item, meta?: Item): Talk {
    return new Talk(form, config, meta, this.wire);
  }

  /** A second client of the same kind that starts from this history. */
  fork(): Talk {
    return new Talk(this.form, this.config, this.meta, this.wire).add(...this.history);
  }

  private expect(expected: Expected): this {
    this.wire.expected.set(
      this.wire.steps.findLastIndex((step) => step.request !== undefined),
      expected,
    );
    return this;
  }
}

const merged = (base: Item, over: Item): Item =>
  Object.fromEntries(Object.entries({ ...base, ...over }).filter(([, value]) => value !== undefined));

/** A seal is named by one word; as short as those of the real APIs never are, so that resemblance has little to go by. */
export const seal = (name: string): string => Buffer.from(`unit/${name}/of/us/~`).toString('base64');

const partsOf = (item: Item | undefined): readonly Item[] => {
  const parts = item?.parts ?? item?.content;
  return Array.isArray(parts) ? parts : [];
};
const withParts = (item: Item, parts: readonly Item[]): Item => ({
  ...item,
  [item.parts === undefined ? 'content' : 'parts']: parts,
});

export const all =
  (...edits: readonly Edit[]): Edit =>
  (history) =>
    edits.reduce((now, edit) => edit(now), history);
/** Replaces the parts of one message. */
export const put =
  (at: number, change: (parts: readonly Item[]) => readonly Item[]): Edit =>
  (history) =>
    history.map((item, index) => (index === at ? withParts(item, change(partsOf(item))) : item));
/** Changes members of one part; undefined takes one away. */
export const set = (at: number, part: number, fields: Item): Edit =>
  put(at, (parts) => parts.map((one, index) => (index === part ? merged(one, fields) : one)));
export const cut = (at: number, ...gone: readonly number[]): Edit =>
  put(at, (parts) => parts.filter((_, index) => !gone.includes(index)));
/** Takes whole messages away. */
export const gone =
  (...at: readonly number[]): Edit =>
  (history) =>
    history.filter((_, index) => !at.includes(index));
/** Puts other messages in place of a run of them. */
export const swap =
  (from: number, count: number, make: (messages: readonly Item[]) => readonly Item[]): Edit =>
  (history) => [...history.slice(0, from), ...make(history.slice(from, from + count)), ...history.slice(from + count)];
/** Cuts one message up; each piece is the list of its part numbers. */
export const pieces = (at: number, ...groups: readonly (readonly number[])[]): Edit =>
  swap(at, 1, ([item]) =>
    item === undefined
      ? []
      : groups.map((group) =>
          withParts(
            item,
            group.map((index) => partsOf(item)[index]).filter((part) => part !== undefined),
          ),
        ),
  );

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

/** A way of writing the same traffic down. */
export type Spelling = (steps: readonly Step[]) => readonly Step[];

/** Judges a talk with objects kept, with all rebuilt, and in every other spelling. */
export function check({ wire: { steps, expected } }: Talk, spellings: Readonly<Record<string, Spelling>> = {}): void {
  const wanted = Object.fromEntries(
    steps.flatMap((step, index) =>
      step.request === undefined ? [] : [[index, expected.get(index) ?? { verdict: 'clean', report: {} }]],
    ),
  );
  const rebuilt = (): Step[] => JSON.parse(JSON.stringify(steps));
  expect({ form: 'kept', ...judge(steps) }).toEqual({ form: 'kept', ...wanted });
  expect({ form: 'rebuilt', ...judge(rebuilt()) }).toEqual({ form: 'rebuilt', ...wanted });
  for (const [form, spell] of Object.entries(spellings))
    expect({ form, ...judge(spell(rebuilt())) }).toEqual({ form, ...wanted });
}

/** A test per talk, whose expectations the talk itself holds. */
export const tests =
  (spellings: Readonly<Record<string, Spelling>> = {}) =>
  (title: string, talk: () => Talk): void =>
    it(title, () => check(talk(), spellings));
