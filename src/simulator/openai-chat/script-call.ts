import { asList, digest, isWire } from '../json.ts';
import type { OpenAiScriptCall } from '../openai/script.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { callsOf, contentText, type PlacedMessage, turnStart } from './messages.ts';
import type { ChatRequest } from './request.ts';
import type { Returned } from './returned.ts';

export interface CallPlace {
  readonly seed: string;
  readonly label: string;
  readonly repeat: number;
}

/** What the script is told. Nothing that the model would not be shown. */
export function scriptCall(
  request: ChatRequest,
  { shown }: Returned,
  { seed, label, repeat }: CallPlace,
): OpenAiScriptCall {
  const { messages, body } = request;
  const start = turnStart(messages);
  const turn = messages.filter(({ role }) => role === 'user').length;
  const userText = contentText(messages[start - 1]?.wire ?? {});
  const answers = messages.filter(({ role }) => role === 'assistant');
  return {
    api: 'openai-chat',
    profile: request.profile.id,
    model: request.model,
    turn,
    step: answers.filter(({ index }) => index >= start).length,
    answers: answers.length,
    repeat,
    body,
    tools: asList(body.tools).filter(isWire),
    effort: request.mode,
    userText,
    results: resultsSeen(messages),
    shown: shown.map(({ path: _, message: __, tokens: ___, ...one }) => one),
    plan: shown.findLast((one) => 'plan' in one)?.plan,
    random: seeded(seed, `chat script ${label}`),
    turnRandom: seeded(seed, `turn ${turn} ${digest(userText)}`),
  };
}

function resultsSeen(messages: readonly PlacedMessage[]): ToolResultSeen[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = messages.flatMap(({ wire }) => callsOf(wire));
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ wire }) => {
      const call = calls.find(({ id }) => id === wire.tool_call_id)?.function;
      const made = isWire(call) ? call : {};
      return {
        id: String(wire.tool_call_id),
        name: String(made.name ?? ''),
        input: made.arguments,
        content: wire.content,
        isError: false,
      };
    });
}
