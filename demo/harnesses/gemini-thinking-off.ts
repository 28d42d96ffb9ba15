/** A loop that saves on reasoning: the model may think before it calls a tool, not about the result. */
import { type Content, gemini, runTools, SYSTEM, TASK, TOOLS } from '../gemini-world.ts';

const contents: Content[] = [{ role: 'user', parts: [{ text: TASK }] }];

for (;;) {
  const first = contents.length === 1;
  const response = await gemini.models.generateContent({
    model: 'gemini-2.5-flash',
    contents,
    config: {
      systemInstruction: SYSTEM,
      tools: TOOLS,
      // WRONG: the tool loop is one turn. With no budget for the rest of it the model reads nothing of what it thought.
      thinkingConfig: { thinkingBudget: first ? -1 : 0 },
      // RIGHT: thinkingConfig: { thinkingBudget: -1 },
    },
  });
  const content = response.candidates?.[0]?.content;
  const results = runTools(content?.parts ?? []);
  if (!content || results.length === 0) break;
  contents.push(content, { role: 'user', parts: results });
}
