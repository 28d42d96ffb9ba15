import { asNumber, asObject, asString, type Json } from '../json.ts';
import type { ResolvedModel } from './models.ts';

/** What the settings of a request come to. */
export interface ResolvedThinking {
  /** Undefined where nobody can know. */
  readonly on: boolean | undefined;
  /** Member of the body that decided; undefined where none did. */
  readonly member: string | undefined;
  /** The API's own value: `enabled`, `adaptive`, an effort. */
  readonly mode: string | undefined;
  readonly effort: string | undefined;
  /** Reasoning is asked not to be shown. */
  readonly hidden: boolean;
  /** The model decides by itself. */
  readonly adaptive: boolean;
}

/** Says on, off, or nothing. */
type Answer = boolean | undefined;
const flag = (value: unknown): Answer => (typeof value === 'boolean' ? value : undefined);
const effort = (value: unknown): Answer => (typeof value === 'string' ? value !== 'none' : undefined);
const budget = (value: unknown): Answer => (asNumber(value) === undefined ? undefined : value !== 0);

/** Where hosts have their switch, and how it is read; the first that says something. */
const SWITCHES: readonly (readonly [path: string, read: (value: unknown) => Answer])[] = [
  ['thinking.type', (value) => (typeof value === 'string' ? value !== 'disabled' : undefined)],
  ['enable_thinking', flag],
  ['chat_template_kwargs.enable_thinking', flag],
  ['chat_template_kwargs.thinking', flag],
  ['reasoning.enabled', flag],
  ['reasoning.effort', effort],
  ['reasoning.max_tokens', budget],
  ['reasoning_effort', effort],
  ['extra_body.google.thinking_config.thinking_budget', budget],
  ['google.thinking_config.thinking_budget', budget],
];

/** `reasoning.exclude` and its older name (OpenRouter), `reasoning_format` (Groq, Cerebras). */
const HIDING: readonly (readonly [path: string, value: unknown])[] = [
  ['reasoning.exclude', true],
  ['include_reasoning', false],
  ['reasoning_format', 'hidden'],
];

export function resolveThinking(body: Json, { row }: ResolvedModel): ResolvedThinking {
  const decider = SWITCHES.find(([path, read]) => read(at(body, path)) !== undefined);
  const asked = decider?.[1](at(body, decider[0]));
  const level = asString(body.reasoning_effort) ?? asString(asObject(body.reasoning)?.effort);
  const type = asString(asObject(body.thinking)?.type);
  const fixed = row.thinks === 'always' ? true : row.thinks === 'never' ? false : undefined;
  const usual = row.thinks === 'on' ? true : row.thinks === 'off' ? false : undefined;
  const on = fixed ?? asked ?? usual;
  return {
    on,
    member: decider?.[0],
    mode: type ?? level ?? (on === undefined ? undefined : on ? 'enabled' : 'disabled'),
    effort: level,
    hidden: HIDING.some(([path, value]) => at(body, path) === value),
    adaptive: type === 'adaptive' || (row.adaptive === true && type === undefined),
  };
}

/** Everything that tunes reasoning, for a digest of it. */
export const TUNING = [
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'preserve_thinking',
  'chat_template_kwargs',
  'reasoning',
  'reasoning_effort',
  'reasoning_history',
  'reasoning_format',
  'reasoning_split',
  'include_reasoning',
  'extra_body',
  'google',
] as const;

/** The member at a dotted path. */
export function at(body: Json, path: string): unknown {
  let here: unknown = body;
  for (const key of path.split('.')) here = asObject(here)?.[key];
  return here;
}
