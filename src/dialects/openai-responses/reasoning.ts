import { asNumber, asObject, asString } from '../json.ts';
import type { ContextMode, ResolvedModel } from './models.ts';

/** What the `reasoning` parameter comes to on a model. */
export interface ResolvedReasoning {
  /** The effort in force: asked for, reported, or the model's default. */
  readonly effort: string | undefined;
  /** Undefined where the default is not known. */
  readonly on: boolean | undefined;
  /** As asked for; undefined where nothing was, or `auto`. */
  readonly contextAsked: ContextMode | undefined;
  /** In force; undefined where nobody can know. */
  readonly context: ContextMode | undefined;
  /** A readable summary was asked for. */
  readonly summary: boolean;
}

/** What a response, or an earlier one of the same run, reported as in force. */
export interface Reported {
  readonly effort?: string;
  readonly context?: string;
  /** It holds reasoning, whatever it says of its settings. */
  readonly reasoned?: boolean;
}

/**
 * @param update effort set by the newest `configuration_update` item of the history; it goes before the parameter.
 */
export function resolveReasoning(
  parameter: unknown,
  update: string | undefined,
  model: ResolvedModel,
  reported: Reported = {},
): ResolvedReasoning {
  const config = asObject(parameter);
  const { row } = model;
  const contextAsked = asContext(asString(config?.context));
  const context = asContext(reported.context) ?? contextAsked ?? row?.context;
  const summary = (config?.summary ?? config?.generate_summary ?? null) !== null;
  // Some hosts have a switch of their own (openrouter.ai reasoning parameters).
  const switched = config?.enabled === false ? 'none' : undefined;
  const asked = update ?? switched ?? asString(config?.effort);
  if (row?.reasons === false) return { effort: 'none', on: false, contextAsked, context, summary };
  // Switched on without an effort, or unasked: then the host's default is not the maker's `none`.
  const reasons = config?.enabled === true || (asNumber(config?.max_tokens) ?? 0) > 0 || reported.reasoned === true;
  const effort = reported.effort ?? asked ?? (reasons && row?.effort === 'none' ? undefined : row?.effort);
  const on = effort === undefined ? reasons || undefined : effort !== 'none';
  return { effort, on, contextAsked, context, summary };
}

function asContext(value: string | undefined): ContextMode | undefined {
  return value === 'all_turns' || value === 'current_turn' ? value : undefined;
}
