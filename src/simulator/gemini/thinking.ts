import { failure, type GeminiFailure } from './api-failure.ts';
import { canThink, type GeminiModelRow, type ThinkingLevel } from './models.ts';

/** What a request's thinking configuration comes to. */
export interface Thinking {
  /** A level, `dynamic`, `budget 1024`, or `off`. */
  readonly mode: string;
  readonly thinks: boolean;
  readonly summaries: boolean;
}

export interface ThinkingAsked {
  readonly level?: unknown;
  readonly budget?: unknown;
  readonly summaries: boolean;
}

/** https://ai.google.dev/gemini-api/docs/thinking */
export function resolveThinking(
  asked: ThinkingAsked,
  model: GeminiModelRow,
  newBudgets: 'error' | 'accept',
): Thinking | GeminiFailure {
  const { summaries } = asked;
  const level = asked.level == null ? undefined : String(asked.level).toLowerCase();
  const budget = typeof asked.budget === 'number' ? asked.budget : undefined;
  if (level !== undefined && budget !== undefined) {
    return failure('You can only set only one of thinking budget and thinking level.');
  }
  if (!canThink(model)) {
    if (level === undefined && budget === undefined) return { mode: 'off', thinks: false, summaries };
    return failure('Thinking is not supported by this model.');
  }
  if (level !== undefined) return ofLevel(level, model, summaries);
  if (budget !== undefined) return ofBudget(budget, model, summaries, newBudgets);
  const off = model.budget?.off === 'by_default';
  return { mode: model.defaultLevel ?? (off ? 'off' : 'dynamic'), thinks: !off, summaries };
}

function ofLevel(asked: string, { levels, defaultLevel }: GeminiModelRow, summaries: boolean) {
  if (levels.length === 0) return failure('Thinking level is not supported for this model.');
  if (asked === 'thinking_level_unspecified') return { mode: defaultLevel ?? 'high', thinks: true, summaries };
  if (!levels.includes(asked as ThinkingLevel)) {
    return failure(
      `Thinking level ${asked.toUpperCase()} is not supported for this model. Please retry with other thinking level.`,
    );
  }
  return { mode: asked, thinks: true, summaries };
}

function ofBudget(tokens: number, model: GeminiModelRow, summaries: boolean, newBudgets: 'error' | 'accept') {
  const { budget, generation } = model;
  if (budget === undefined) {
    // A leftover on Gemini 3; the SDK's types call it an error from 3.5 on, no source gives the text.
    if (generation >= 3.5 && newBudgets === 'error') return failure('Thinking budget is not supported for this model.');
    return { mode: `budget ${tokens}`, thinks: true, summaries };
  }
  if (tokens === -1) return { mode: 'dynamic', thinks: true, summaries };
  if (tokens === 0) {
    if (budget.off === 'never') return failure('Budget 0 is invalid. This model only works in thinking mode.');
    return { mode: 'off', thinks: false, summaries };
  }
  if (tokens < budget.min || tokens > budget.max) {
    return failure(
      `The thinking budget ${tokens} is invalid. Please choose a value between ${budget.min} and ${budget.max}.`,
    );
  }
  return { mode: `budget ${tokens}`, thinks: true, summaries };
}
