/** A chat as it should be: the SDK keeps every answer as it came, signatures and all. */
import { gemini, runTools, SYSTEM, TASK, TOOLS } from '../gemini-world.ts';

const chat = gemini.chats.create({
  model: 'gemini-3.8-flash',
  config: { systemInstruction: SYSTEM, tools: TOOLS },
});

let answer = await chat.sendMessage({ message: TASK });
for (;;) {
  const results = runTools(answer.candidates?.[0]?.content?.parts ?? []);
  if (results.length === 0) break;
  answer = await chat.sendMessage({ message: results });
}
