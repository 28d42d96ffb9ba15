import { failure, type GeminiFailure, isFailure } from '../gemini/api-failure.ts';
import type { Caller } from '../gemini/caller.ts';
import { canThink, findGeminiModel, type GeminiModelRow } from '../gemini/models.ts';
import { resolveThinking, type Thinking } from '../gemini/thinking.ts';
import { isWire, type Wire } from '../json.ts';
import type { InteractionsContext } from './context.ts';
import { type PlacedStep, placeSteps, readInput } from './steps.ts';

/** A request whose shape is sound. */
export interface InteractionRequest {
  readonly body: Wire;
  readonly model: GeminiModelRow;
  readonly caller: Caller;
  readonly config: Wire;
  readonly thinking: Thinking;
  readonly stores: boolean;
  /** What the server held, then the input. */
  readonly steps: readonly PlacedStep[];
}

export function readRequest(
  context: InteractionsContext,
  body: Wire,
  caller: Caller,
): InteractionRequest | GeminiFailure {
  if (typeof body.model !== 'string') return failure('Exactly one of model and agent must be set.');
  const model = findGeminiModel(body.model, context.options.models);
  if (!model) return failure(`Model '${body.model}' not found.`, 404);
  const stores = body.store !== false;
  if (!stores && body.background === true) return failure('background=true requires store=true.');
  const before = heldSteps(context, body, caller);
  if (isFailure(before)) return before;
  const resumes = typeof body.continuation_token === 'string';
  const input = resumes && body.input === undefined ? [] : readInput(body.input);
  if (isFailure(input)) return input;
  const config = isWire(body.generation_config) ? body.generation_config : {};
  const thinking = thinkingOf(config, model);
  if (isFailure(thinking)) return thinking;
  return {
    body,
    model,
    caller,
    config,
    thinking,
    stores,
    steps: [...placeSteps(before, 'previous_interaction_id'), ...placeSteps(input, 'input')],
  };
}

/** What was not stored, has expired, or belongs to another project cannot be gone on from. */
function heldSteps({ store }: InteractionsContext, body: Wire, { project }: Caller): readonly Wire[] | GeminiFailure {
  const id = body.previous_interaction_id;
  if (id == null) return [];
  return store.find(id, project)?.steps ?? failure(`Interaction '${String(id)}' not found.`, 404);
}

function thinkingOf(config: Wire, model: GeminiModelRow): Thinking | GeminiFailure {
  const summaries = config.thinking_summaries === 'auto';
  // Here older models take levels as well; what they make of them is not told.
  if (model.budget && canThink(model) && typeof config.thinking_level === 'string') {
    return { mode: config.thinking_level, thinks: true, summaries };
  }
  return resolveThinking({ level: config.thinking_level, summaries }, model, 'error');
}
