/** A Chat loop that leaves the tools to the SDK's own runner. */
import { deepseek, RUNNABLE_TOOLS, SYSTEM, TASK } from '../chat-world.ts';

// WRONG: the runner rebuilds each message from the members that it knows. `reasoning_content` is not among them. Refused.
const runner = deepseek.chat.completions.runTools({
  model: 'deepseek-v4-pro',
  tools: RUNNABLE_TOOLS,
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: TASK },
  ],
});
// RIGHT: a loop of one's own around `create`, which pushes `choices[0].message` whole.
await runner.done();
