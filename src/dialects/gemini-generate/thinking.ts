import type { Visibility } from '../../continuity/vocabulary.ts';
import { asNumber, asString, type Json } from '../json.ts';
import { member } from './member.ts';
import type { ResolvedModel } from './models.ts';

/** What a `thinkingConfig` comes to on a model. */
export interface ResolvedThinking {
  /** A level as the API names it, in lower case; of a budget `dynamic`, `budget` or `off`. */
  readonly mode: string | undefined;
  /** Undefined where the model's default is not known. */
  readonly on: boolean | undefined;
  readonly visibility: Visibility | undefined;
  /** The level that the request itself names. */
  readonly level: string | undefined;
}

/**
 * Levels and budgets of ai.google.dev gemini-api/docs/thinking. Only `thinkingConfig` counts: a budget that stands
 * beside it, straight in `generationConfig`, is ignored without a word.
 */
export function resolveThinking(config: Json | undefined, model: ResolvedModel): ResolvedThinking {
  const level = levelOf(config);
  const budget = asNumber(member(config, 'thinkingBudget'));
  const { mode, on } = modeOf(level, budget, model);
  // Without `includeThoughts` there is the seal alone; the summary that it adds is never needed back.
  const shown = member(config, 'includeThoughts') === true ? 'summary' : 'omitted';
  return { mode, on, level, visibility: on === false ? undefined : shown };
}

function levelOf(config: Json | undefined): string | undefined {
  const level = asString(member(config, 'thinkingLevel'))?.toLowerCase();
  return level === undefined || level === 'thinking_level_unspecified' ? undefined : level;
}

function modeOf(
  level: string | undefined,
  budget: number | undefined,
  { row }: ResolvedModel,
): Pick<ResolvedThinking, 'mode' | 'on'> {
  if (row?.seals === 'none') return { mode: 'off', on: false };
  // The lowest level still thinks a little, and its seals are still asked for.
  if (level !== undefined) return { mode: level, on: true };
  if (budget === 0) {
    switch (row?.budgetZero) {
      case 'off':
      case 'refused':
        return { mode: 'off', on: false };
      case 'no':
        return { mode: row.thinks, on: true };
      default:
        return { mode: 'off', on: undefined };
    }
  }
  if (budget !== undefined) return { mode: budget < 0 ? 'dynamic' : 'budget', on: true };
  if (row === undefined || row.thinks === 'unknown') return { mode: undefined, on: undefined };
  return { mode: row.thinks, on: row.thinks !== 'off' };
}
