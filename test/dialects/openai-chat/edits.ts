import type { Members, Message } from './messages.ts';

/** What a harness does to its history before it sends it. Never changes what it is given. */
export type Edit = (history: readonly Message[]) => readonly Message[];

export const all =
  (...edits: readonly Edit[]): Edit =>
  (history) =>
    edits.reduce((now, edit) => edit(now), history);

/** Something else in the place of one message; a list puts several. */
export const put =
  (index: number, change: (message: Message) => Message | readonly Message[]): Edit =>
  (history) =>
    history.flatMap((message, at) => (at === index ? change(message) : [message]));

/** Sets, or with undefined removes, members of one message. */
export const set = (index: number, members: Members): Edit => put(index, (message) => with_(message, members));

/** The same for every assistant message. */
export const setAll =
  (members: Members | ((message: Message) => Members)): Edit =>
  (history) =>
    history.map((message) =>
      message.role === 'assistant'
        ? with_(message, typeof members === 'function' ? members(message) : members)
        : message,
    );

function with_(message: Message, members: Members): Message {
  const changed: Record<string, unknown> = { ...message, ...members };
  for (const key of Object.keys(members)) if (members[key] === undefined) delete changed[key];
  return changed as Message;
}

/** Members that carry reasoning at the top of a message. */
export const TOP = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'reasoning_opaque',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
] as const;

export const without = (...members: readonly string[]): Members =>
  Object.fromEntries(members.map((member) => [member, undefined]));

/** Leaves out all reasoning, wherever it stands. */
export const strip: Edit = setAll((message) => ({
  ...without(...TOP),
  ...(Array.isArray(message.tool_calls) ? { tool_calls: message.tool_calls.map(bare) } : {}),
  ...(Array.isArray(message.content) ? { content: message.content.filter((part) => part.type !== 'thinking') } : {}),
  ...(typeof message.content === 'string'
    ? { content: message.content.replace(/<think>[\s\S]*?<\/think>\s*/, '') }
    : {}),
}));

const bare = ({ id, type, function: own }: Members): Members => ({ id, type, function: own });

/** Changes the calls of one message. */
export const setCalls = (index: number, change: (calls: readonly Members[]) => readonly Members[]): Edit =>
  put(index, (message) => ({ ...message, tool_calls: change(message.tool_calls as readonly Members[]) }));

/** Replaces `count` messages from `at` on. */
export const splice =
  (at: number, count: number, ...messages: readonly Message[]): Edit =>
  (history) => [...history.slice(0, at), ...messages, ...history.slice(at + count)];
