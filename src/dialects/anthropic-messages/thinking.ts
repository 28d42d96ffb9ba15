import type { Visibility } from '../../continuity/vocabulary.ts';
import { asObject, asString } from '../json.ts';
import type { ResolvedModel } from './models.ts';

/** What a `thinking` parameter comes to on a model. */
export interface ResolvedThinking {
  /** The API's own word: `adaptive`, `enabled`, `between_tools`, `disabled`. */
  readonly mode: string | undefined;
  /** Undefined where the model's default is not known. */
  readonly on: boolean | undefined;
  readonly visibility: Visibility | undefined;
  /** Manual budget: reasoning is certain to come, at the start of a turn at least. */
  readonly budgeted: boolean;
}

/** Table 'thinking types per model' of platform.claude.com build-with-claude/thinking, with its defaults. */
export function resolveThinking(parameter: unknown, model: ResolvedModel): ResolvedThinking {
  const config = asObject(parameter);
  const type = asString(config?.type);
  const row = model.row;
  if (type === undefined) {
    // Other hosts of this dialect have defaults of their own.
    if (row === undefined) return { mode: undefined, on: undefined, visibility: undefined, budgeted: false };
    const on = row.omitted === 'on';
    return {
      mode: on ? 'adaptive' : 'disabled',
      on,
      visibility: on ? visibilityOf(undefined, model) : undefined,
      budgeted: false,
    };
  }
  if (type === 'disabled') {
    // Refused, not obeyed, by models that always think.
    return { mode: type, on: false, visibility: undefined, budgeted: false };
  }
  return {
    mode: type,
    on: true,
    visibility: visibilityOf(asString(config?.display), model),
    budgeted: type === 'enabled',
  };
}

function visibilityOf(display: string | undefined, model: ResolvedModel): Visibility | undefined {
  const resolved = display ?? model.row?.display;
  if (resolved === 'omitted' || resolved === 'updates') return 'omitted';
  if (resolved === 'summarized') return 'summary';
  return resolved === 'full' ? 'full' : undefined;
}
