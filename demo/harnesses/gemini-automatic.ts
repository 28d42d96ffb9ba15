/** The loop inside the SDK: it calls the functions and the model again until there is an answer. */
import { CALLABLE_TOOL, gemini, SYSTEM, TASK } from '../gemini-world.ts';

await gemini.models.generateContent({
  model: 'gemini-3.8-flash',
  contents: TASK,
  config: { systemInstruction: SYSTEM, tools: [CALLABLE_TOOL] },
});
