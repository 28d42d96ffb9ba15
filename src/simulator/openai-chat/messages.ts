import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, missing } from '../openai/api-failure.ts';

/** A message of the request; its path is `messages.3`. */
export interface PlacedMessage {
  readonly wire: Wire;
  readonly role: string;
  readonly index: number;
  readonly path: string;
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

export function placeMessages(messages: unknown): PlacedMessage[] | ApiFailure {
  if (!Array.isArray(messages)) return missing('messages');
  if (messages.length === 0) {
    return failure(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array.",
      {
        param: 'messages',
        code: 'empty_array',
      },
    );
  }
  const placed: PlacedMessage[] = [];
  for (const [index, wire] of messages.entries()) {
    const param = `messages[${index}]`;
    if (!isWire(wire)) return failure(`Invalid type for '${param}': expected an object.`, { param });
    const role = String(wire.role);
    if (!ROLES.includes(role)) {
      return failure(`Invalid value: '${role}'. Supported values are: ${ROLES.map((one) => `'${one}'`).join(', ')}.`, {
        param: `${param}.role`,
        code: 'invalid_value',
      });
    }
    if (wire.content == null && !(role === 'assistant' && callsOf(wire).length > 0)) {
      return failure(`Invalid value for 'content': expected a string, got null.`, { param: `${param}.content` });
    }
    placed.push({ wire, role, index, path: `messages.${index}` });
  }
  return placed;
}

export function callsOf({ tool_calls }: Wire): Wire[] {
  return asList(tool_calls).filter(isWire);
}

/** Index of the message after the last one of the user: where the turn that is under way begins. */
export function turnStart(messages: readonly PlacedMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'user') + 1;
}

/** What is visible of a message's content. Reasoning that stands in it is left out. */
export function contentText({ content }: Wire): string {
  if (typeof content === 'string') return splitThink(content).rest;
  return asList(content)
    .filter(isWire)
    .map(({ text, refusal }) => String(text ?? refusal ?? ''))
    .join('');
}

/** `<think>…</think>` at the start of a content, and what follows it. */
export function splitThink(content: string): { readonly think?: string; readonly rest: string } {
  const [whole, think] = /^\s*<think>\n?([\s\S]*?)\n?<\/think>\n*/.exec(content) ?? [];
  return whole === undefined || think === undefined ? { rest: content } : { think, rest: content.slice(whole.length) };
}

/** Results follow their calls, all of them. */
export function checkToolPairs(messages: readonly PlacedMessage[]): ApiFailure | undefined {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const { wire, role, index } of messages) {
    if (role === 'tool') {
      const id = String(wire.tool_call_id);
      if (!known.has(id)) {
        return failure(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          { param: `messages.[${index}].role` },
        );
      }
      open.delete(id);
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    known = new Set(callsOf(wire).map(({ id }) => String(id)));
    open = new Set(known);
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function unanswered(ids: ReadonlySet<string>, index: number): ApiFailure {
  return failure(
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The " +
      `following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    { param: `messages.[${index}].role` },
  );
}
