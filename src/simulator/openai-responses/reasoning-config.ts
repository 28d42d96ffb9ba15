import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure } from '../openai/api-failure.ts';
import type { Effort, OpenAiModelRow } from '../openai/models.ts';
import type { ResponsesConflicts } from './conflicts.ts';
import type { PlacedItem } from './items.ts';

/** What the request comes to on its model. */
export interface ReasoningConfig {
  readonly effort: Effort;
  /** What the model is shown: reasoning since the last user message, or all of it. */
  readonly context: 'current_turn' | 'all_turns';
  readonly summary: string | null;
  readonly mode: string;
  /** `text.format` in force. */
  readonly format: unknown;
}

export function resolveReasoning(
  body: Wire,
  model: OpenAiModelRow,
  items: readonly PlacedItem[],
  conflicts: ResponsesConflicts,
): ReasoningConfig | ApiFailure {
  const asked = isWire(body.reasoning) ? body.reasoning : {};
  const text = isWire(body.text) ? body.text : {};
  const updates = items.filter(({ type }) => type === 'configuration_update').map(({ item }) => item);
  // An update stays in force until a later one replaces it.
  const updated = (member: 'reasoning' | 'text', name: string): unknown =>
    updates.map((update) => (isWire(update[member]) ? update[member][name] : undefined)).findLast((one) => one != null);
  const effort = updated('reasoning', 'effort') ?? asked.effort ?? model.defaultEffort;
  if (!isEffortOf(model, effort)) {
    if (model.efforts.length === 0) {
      return failure("Unsupported parameter: 'reasoning.effort' is not supported with this model.", {
        param: 'reasoning.effort',
        code: 'unsupported_parameter',
      });
    }
    const supported = model.efforts.map((one) => `'${one}'`).join(', ');
    return failure(
      `Unsupported value: '${effort}' is not supported with the '${model.id}' model. Supported values are: ${supported}.`,
      { param: 'reasoning.effort', code: 'unsupported_value' },
    );
  }
  const auto = model.context === 'conflict_gpt_6' ? conflicts.gpt6Context : model.context;
  const wanted = asked.context === 'current_turn' || asked.context === 'all_turns' ? asked.context : auto;
  return {
    effort,
    context: wanted === 'all_turns' && !model.allTurns ? 'current_turn' : wanted,
    summary: typeof asked.summary === 'string' ? asked.summary : stringOrNull(asked.generate_summary),
    mode: typeof asked.mode === 'string' ? asked.mode : 'standard',
    format: updated('text', 'format') ?? text.format ?? { type: 'text' },
  };
}

function isEffortOf({ efforts }: OpenAiModelRow, effort: unknown): effort is Effort {
  return efforts.some((known) => known === effort) || (efforts.length === 0 && effort === 'none');
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Effort `none`, and models without any effort, think nothing. */
export function thinks({ effort }: ReasoningConfig): boolean {
  return effort !== 'none';
}
