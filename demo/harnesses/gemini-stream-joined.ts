/** A streaming loop that puts the chunks together: all text in one part, then the calls. */
import { type Content, gemini, type Part, runTools, SYSTEM, TASK, TOOLS } from '../gemini-world.ts';

const contents: Content[] = [{ role: 'user', parts: [{ text: `${TASK} Keep me posted.` }] }];

for (;;) {
  const stream = await gemini.models.generateContentStream({
    model: 'gemini-3.8-flash',
    contents,
    config: { systemInstruction: SYSTEM, tools: TOOLS },
  });
  const text: Part = { text: '' };
  const calls: Part[] = [];
  for await (const chunk of stream) {
    for (const { functionCall, thoughtSignature, ...part } of chunk.candidates?.[0]?.content?.parts ?? []) {
      text.text += part.text ?? '';
      if (functionCall) calls.push({ functionCall });
      // WRONG: there are several parts, and the signature belongs to the one that it came with. Refused.
      if (thoughtSignature) text.thoughtSignature = thoughtSignature;
      // RIGHT: if (functionCall) calls.push({ functionCall, thoughtSignature });
    }
  }
  if (calls.length === 0) break;
  contents.push({ role: 'model', parts: [text, ...calls] }, { role: 'user', parts: runTools(calls) });
}
