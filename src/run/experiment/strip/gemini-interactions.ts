import { experimentError } from '../experiment-error.ts';
import { isJson, objectsOf, without } from '../json.ts';
import type { Wire } from './wire.ts';

const API = 'gemini.interactions';
const SIGNATURE: ReadonlySet<string> = new Set(['signature']);

export const GEMINI_INTERACTIONS: Wire = {
  api: API,

  /** Whether steps without their thoughts are refused, no page says (ai.google.dev gemini-api/docs/interactions). */
  strip(body) {
    if (body.previous_interaction_id != null) {
      throw experimentError(
        `${API}: the provider holds the reasoning (previous_interaction_id): send the steps as input, with store: false`,
      );
    }
    if (!Array.isArray(body.input)) return { body, blocks: 0 };
    let blocks = 0;
    const input = body.input.flatMap((step: unknown) => {
      if (!isJson(step)) return [step];
      const bare = without(step, SIGNATURE);
      if (step.type !== 'thought' && bare === step) return [step];
      blocks++;
      return step.type === 'thought' ? [] : [bare];
    });
    return blocks === 0 ? { body, blocks } : { body: { ...body, input }, blocks };
  },

  calls: ({ input }) =>
    objectsOf(input).flatMap((step) => {
      if (step.type === 'function_call') return { id: String(step.id), name: String(step.name), input: step.arguments };
      return step.type === 'function_result' ? { id: String(step.call_id) } : [];
    }),
};
