import { isWire, type Wire } from '../json.ts';
import { planningAgent } from '../planning-agent.ts';
import type { GeminiAnswer, GeminiScriptCall } from './script.ts';

/** The planning agent, asked through an API of Gemini's. */
export function defaultGeminiAgent(call: GeminiScriptCall): GeminiAnswer {
  return planningAgent({
    tools: call.tools.map(({ name, schema }) => ({ name, schema: lowerCased(schema) })),
    step: call.step,
    results: call.results.length,
    mustCall: call.mustCall,
    ...('format' in call && { format: lowerCased(call.format) }),
    random: call.random,
    turnRandom: call.turnRandom,
  });
}

/** Schemas of this API may write types in capitals. */
function lowerCased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCased);
  if (!isWire(schema)) return schema;
  const members: Wire = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, lowerCased(value)]));
  return typeof schema.type === 'string' ? { ...members, type: schema.type.toLowerCase() } : members;
}
