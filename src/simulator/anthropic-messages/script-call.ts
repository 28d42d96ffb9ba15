import { asText, digest } from '../json.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import type { Evaluated } from './evaluate.ts';
import { type JoinedMessage, turnStart } from './request.ts';
import type { ScriptCall } from './script.ts';

export interface CallPlace {
  readonly seed: string;
  /** Names this very request, and the how-many-eth arrival of it. */
  readonly label: string;
  readonly attempt: number;
  readonly repeat: number;
}

/** What the script is told. Nothing that the model would not be shown. */
export function scriptCall(evaluated: Evaluated, { seed, label, attempt, repeat }: CallPlace): ScriptCall {
  const { request, thinking, silentlyDisabled, conversation, view } = evaluated;
  const { messages } = conversation;
  const start = turnStart(messages);
  const turn = messages.filter(isRealUser).length;
  const userText = textOf(messages[start - 1]);
  const plans = view.shown.filter(({ sealed }) => 'plan' in sealed);
  return {
    api: 'anthropic-messages',
    model: request.model.id,
    attempt,
    turn,
    step: messages.slice(start).filter(({ role }) => role === 'assistant').length,
    repeat,
    body: request.body,
    tools: request.tools,
    thinking: { mode: thinking.mode, silentlyDisabled },
    userText,
    results: resultsSeen(messages),
    openServerTools: openServerTools(messages),
    shown: view.shown.map(({ sealed }) => ({
      text: sealed.text,
      model: sealed.model,
      ...('plan' in sealed && { plan: sealed.plan }),
    })),
    plan: plans.at(-1)?.sealed.plan,
    random: seeded(seed, `script ${label} ${attempt}`),
    turnRandom: seeded(seed, `turn ${turn} ${digest(userText)}`),
  };
}

function isRealUser({ role, blocks }: JoinedMessage): boolean {
  return role === 'user' && !blocks.some(({ type }) => type === 'tool_result');
}

function textOf(message: JoinedMessage | undefined): string {
  const texts = message?.blocks.map(({ block }) => asText(block.text)) ?? [];
  return texts.filter((text) => text !== undefined).join('\n');
}

function resultsSeen(messages: readonly JoinedMessage[]): ToolResultSeen[] {
  const last = messages.findLast(({ role }) => role === 'user');
  const calls = messages.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'tool_use');
  const results = last?.blocks.filter(({ type }) => type === 'tool_result') ?? [];
  return results.map(({ block }) => {
    const call = calls.find((candidate) => candidate.block.id === block.tool_use_id);
    return {
      id: String(block.tool_use_id),
      name: String(call?.block.name ?? ''),
      input: call?.block.input,
      content: block.content,
      isError: block.is_error === true,
    };
  });
}

function openServerTools(messages: readonly JoinedMessage[]): { id: string; name: string }[] {
  const answers = messages.filter(({ role }) => role === 'assistant').flatMap(({ blocks }) => blocks);
  return answers
    .filter(
      ({ type, block }) => type === 'server_tool_use' && !answers.some((other) => other.block.tool_use_id === block.id),
    )
    .map(({ block }) => ({ id: String(block.id), name: String(block.name) }));
}
