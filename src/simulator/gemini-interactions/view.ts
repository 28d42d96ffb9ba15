import type { Returned } from '../gemini/verdict.ts';
import { asList, digest, stableJson } from '../json.ts';
import type { Segment } from '../openai/prefix-cache.ts';
import { textTokens } from '../text-tokens.ts';
import type { InteractionsContext } from './context.ts';
import type { InteractionRequest } from './request.ts';
import { type PlacedStep, stepText } from './steps.ts';

const CALL_OVERHEAD = 6;

/** What the model reads of a request, piece by piece. */
export function renderSegments(
  { conflicts }: InteractionsContext,
  { body, steps, model }: InteractionRequest,
  { shown }: Returned,
): readonly Segment[] {
  const tools = asList(body.tools);
  const declared = tools.length > 0 ? stableJson(tools) : '';
  const system = String(body.system_instruction ?? '');
  const counts =
    conflicts.countsThoughts === 'always' || (conflicts.countsThoughts === 'from_3_5' && model.generation >= 3.5);
  const thoughts = new Map(shown.map(({ path, sealed }) => [path, counts ? sealed.tokens : 0]));
  return [
    { hash: digest(declared, system), tokens: textTokens(declared) + textTokens(system) },
    ...steps.map((placed) => ({
      hash: digest(stableJson(placed.step)),
      tokens: visibleTokens(placed) + (thoughts.get(placed.path) ?? 0),
    })),
  ];
}

function visibleTokens({ type, step }: PlacedStep): number {
  switch (type) {
    case 'thought':
      return 0;
    case 'user_input':
    case 'model_output':
      return textTokens(stepText(step));
    case 'function_call':
      return CALL_OVERHEAD + textTokens(String(step.name)) + textTokens(stableJson(step.arguments ?? {}));
    default:
      return CALL_OVERHEAD + textTokens(stableJson(step.result ?? step.arguments ?? {}));
  }
}
