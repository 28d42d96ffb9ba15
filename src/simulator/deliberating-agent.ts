import { isWire } from './json.ts';
import type { CallableTool } from './planning-agent.ts';
import type { TextPart, ThinkPart, ToolPart } from './script-parts.ts';
import type { Seeded } from './seeded.ts';
import { temperOf } from './temper.ts';
import type { VisibleCall } from './visible-calls.ts';

/** A line of the task such as `- price_eur at most 400 (must)`. */
interface Limit {
  /** As the tool that looks for options calls it: `price_eur_at_most`. */
  readonly name: string;
  readonly attribute: string;
  readonly relation: 'at_most' | 'at_least' | 'is';
  readonly value: number | string;
  readonly firm: boolean;
}

interface Option {
  readonly id: string;
}

/** What it has worked out. It travels in the reasoning, nowhere else. */
interface Plan {
  readonly limits: readonly Limit[];
}

/** What the agent looks at, whatever API it is asked through. */
export interface DeliberatingView {
  readonly model: string;
  readonly userText: string;
  /** Three: one that looks for options, one that looks into an option, one that settles on it. */
  readonly tools: readonly CallableTool[];
  /** Everything it has called in this conversation, with what came of it. */
  readonly made: readonly VisibleCall[];
  readonly plan: unknown;
  readonly random: Seeded;
}

type Content = readonly (ThinkPart | TextPart | (ToolPart & { readonly input: Readonly<Record<string, unknown>> }))[];

const isPlan = (plan: unknown): plan is Plan => isWire(plan) && Array.isArray(plan.limits);

/**
 * A model that deliberates once and then acts upon it: it looks for options within the limits of the task, gives up the limits
 * that are not firm one by one, from the last, until there are some, looks into them in order, and settles on the first
 * that holds. While it is shown its reasoning it knows what is settled. Without it each step is a new deliberation over
 * the visible messages: every call it reads there may be made once more, and every limit may slip.
 */
export function deliberatingAgent(view: DeliberatingView): { readonly content: Content } {
  const { plan, random, tools, userText } = view;
  const [search = '', inspect = '', settle = ''] = tools.map(({ name }) => name);
  const searchable = parametersOf(tools[0]?.schema);
  const known = isPlan(plan);
  const { planned, replanned } = temperOf(view.model);
  // Before the first call there is nothing to work out again.
  const recall = known || view.made.length === 0 ? planned : replanned;
  const holds = (chance: number): boolean => random.number() >= chance;
  const limits = known ? plan.limits : readLimits(userText);

  const act = (name: string, input: Record<string, unknown>, why: string): { readonly content: Content } => ({
    content: [
      { think: `${why} ${listed(limits)}`, plan: { limits } satisfies Plan },
      { tool: name, input },
    ],
  });
  const resultOf = (name: string, input: Record<string, unknown>): unknown => {
    const made = view.made.findLast((call) => call.name === name && sameInput(call.input, input));
    return made !== undefined && holds(recall.repeats) ? made.result : undefined;
  };
  const say = (think: string, text: string): { readonly content: Content } => ({
    content: [{ think, plan: { limits } satisfies Plan }, { text }],
  });

  const settled = view.made.find(({ name, result }) => name === settle && result !== undefined);
  if (settled !== undefined) return say('It is settled.', `Done: ${String(settled.input.id)}.`);

  const minded = limits.filter(() => holds(recall.forgets));
  const soft = minded.filter(({ firm }) => !firm);
  for (let givenUp = 0; givenUp <= soft.length; givenUp++) {
    const dropped = new Set(soft.slice(soft.length - givenUp));
    const held = minded.filter((limit) => !dropped.has(limit));
    const wanted = Object.fromEntries(
      held.filter(({ name }) => searchable.has(name)).map(({ name, value }) => [name, value]),
    );
    const found = resultOf(search, wanted);
    if (found === undefined)
      return act(search, wanted, givenUp === 0 ? 'First what there is.' : 'Nothing; one wish less.');
    for (const option of optionsOf(found)) {
      const details = resultOf(inspect, { id: option.id });
      if (details === undefined) return act(inspect, { id: option.id }, `A look at ${option.id}.`);
      const fits = held.every((limit) => isWithin(limit, { ...option, ...(isWire(details) ? details : {}) }));
      if (fits) return act(settle, { id: option.id }, `${option.id} it is.`);
    }
  }
  return say('Every option breaks a firm limit.', 'There is no option within the limits.');
}

const parametersOf = (schema: unknown): ReadonlySet<string> =>
  new Set(isWire(schema) && isWire(schema.properties) ? Object.keys(schema.properties) : []);

const LIMIT = /^- (\w+) (at most|at least|is) (\S+) \((must|if possible)\)$/gm;

function readLimits(text: string): readonly Limit[] {
  return [...text.matchAll(LIMIT)].map(([, attribute = '', words = '', value = '', force]) => {
    const relation = words.replace(' ', '_') as Limit['relation'];
    return {
      name: `${attribute}_${relation}`,
      attribute,
      relation,
      value: Number.isNaN(Number(value)) ? value : Number(value),
      firm: force === 'must',
    };
  });
}

const listed = (limits: readonly Limit[]): string =>
  `Limits: ${limits.map(({ name, value, firm }) => `${name} ${value}${firm ? ', firm' : ''}`).join('; ')}.`;

/** What says nothing of an attribute is not outside its limit. */
function isWithin({ attribute, relation, value }: Limit, option: Readonly<Record<string, unknown>>): boolean {
  const actual = option[attribute];
  if (actual === undefined) return true;
  if (relation === 'is') return actual === value;
  return relation === 'at_most' ? Number(actual) <= Number(value) : Number(actual) >= Number(value);
}

const sameInput = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};

function optionsOf(result: unknown): readonly (Option & Readonly<Record<string, unknown>>)[] {
  return Array.isArray(result)
    ? result.filter((one): one is Option & Record<string, unknown> => isWire(one) && typeof one.id === 'string')
    : [];
}
