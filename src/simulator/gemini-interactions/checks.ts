import { failure, type GeminiFailure } from '../gemini/api-failure.ts';
import type { InteractionsContext } from './context.ts';
import type { InteractionRequest } from './request.ts';
import { answersOf, isModelStep, isToolStep, turnStart } from './steps.ts';

/**
 * Each call needs its result before anything else is said, and each result its call.
 * https://ai.google.dev/gemini-api/docs/interactions#function-calling. No source gives the texts.
 */
export function checkResults({ steps }: InteractionRequest): GeminiFailure | undefined {
  const open = new Map<unknown, unknown>();
  let answered = false;
  for (const placed of steps) {
    const { type, step } = placed;
    if (type === 'function_result') {
      answered = true;
      if (!open.has(step.call_id)) {
        return failure(`Function result with call_id '${step.call_id}' does not match any function call.`);
      }
      if (step.name != null && step.name !== open.get(step.call_id)) {
        return failure(`Function result with call_id '${step.call_id}' has another name than its function call.`);
      }
      open.delete(step.call_id);
      continue;
    }
    if (open.size > 0 && (answered || !isModelStep(placed))) return unanswered(open);
    answered = false;
    if (type === 'function_call') open.set(step.id, step.name);
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(open: ReadonlyMap<unknown, unknown>): GeminiFailure {
  return failure(`Function calls without a function result: ${[...open.keys()].join(', ')}.`);
}

/** "All thought steps must be sent back." What becomes of a request that does not is told nowhere. */
export function checkThoughts(
  { conflicts }: InteractionsContext,
  { steps, model }: InteractionRequest,
): GeminiFailure | undefined {
  if (!model.requiresSignatures || conflicts.missingThought === 'silent') return undefined;
  for (const answer of answersOf(steps.slice(turnStart(steps)))) {
    const bare = answer.find(
      (placed) => (placed.type === 'thought' || isToolStep(placed)) && placed.signature === undefined,
    );
    if (bare) return failure(`The ${bare.type} step at ${bare.path} is missing its signature.`);
    const call = answer.findIndex(({ type }) => type === 'function_call');
    if (call >= 0 && !answer.slice(0, call).some(({ type }) => type === 'thought')) {
      return failure(`The function_call step at ${answer[call]?.path} is missing the thought step that led to it.`);
    }
  }
  return undefined;
}
