/** A loop that keeps of a call what it takes to make it. */
import { type Content, gemini, runTools, SYSTEM, TASK, TOOLS } from '../gemini-world.ts';

const contents: Content[] = [{ role: 'user', parts: [{ text: TASK }] }];

for (;;) {
  const response = await gemini.models.generateContent({
    model: 'gemini-3.8-flash',
    contents,
    config: { systemInstruction: SYSTEM, tools: TOOLS },
  });
  const calls = response.functionCalls ?? [];
  if (calls.length === 0) break;
  // WRONG: the signature stands beside the call, in its part. It is lost when the part is built anew. Refused.
  contents.push({ role: 'model', parts: calls.map((functionCall) => ({ functionCall })) });
  // RIGHT: const content = response.candidates?.[0]?.content; if (content) contents.push(content);
  contents.push({ role: 'user', parts: runTools(calls.map((functionCall) => ({ functionCall }))) });
}
