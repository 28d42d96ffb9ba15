/** The same loop after somebody has read what makes the error go away. */
import { type Content, gemini, runTools, SYSTEM, TASK, TOOLS } from '../gemini-world.ts';

const contents: Content[] = [{ role: 'user', parts: [{ text: TASK }] }];

for (;;) {
  const response = await gemini.models.generateContent({
    model: 'gemini-3.8-flash',
    contents,
    config: { systemInstruction: SYSTEM, tools: TOOLS },
  });
  const calls = (response.functionCalls ?? []).map((functionCall) => ({ functionCall }));
  if (calls.length === 0) break;
  const [first, ...others] = calls;
  // WRONG: the value is for calls that the API never made. Here it stands in the place of what the model thought.
  const bypassed = { ...first, thoughtSignature: 'skip_thought_signature_validator' };
  contents.push({ role: 'model', parts: [bypassed, ...others] });
  // RIGHT: const content = response.candidates?.[0]?.content; if (content) contents.push(content);
  contents.push({ role: 'user', parts: runTools(calls) });
}
