import type { Wire } from '../json.ts';
import { type Composed, joinedText, type Thought } from './compose.ts';
import type { Member, Upstream } from './profile.ts';

/** The assistant message of an answer, its reasoning in the host's members. */
export function writeMessage(composed: Composed, members: readonly Member[], upstream: Upstream): Wire {
  const { thoughts, text, calls, refusal } = composed;
  const content = text === '' ? null : text;
  let message: Record<string, unknown> = { role: 'assistant', content, refusal, annotations: [] };
  if (calls.length > 0) message.tool_calls = calls;
  if (thoughts.length === 0) return message;
  for (const member of members) message = { ...message, ...WRITERS[member](composed, message, upstream) };
  return message;
}

type Writer = (composed: Composed, message: Wire, upstream: Upstream) => Wire;

const WRITERS: Readonly<Record<Member, Writer>> = {
  reasoning_content: ({ thoughts }) => ({ reasoning_content: joinedText(thoughts) }),
  reasoning: ({ thoughts }, _, upstream) => ({ reasoning: readableText(thoughts, upstream) }),
  reasoning_details: ({ thoughts, calls }, _, upstream) => ({
    reasoning_details: thoughts.flatMap((thought, index) => detailElements(thought, index, upstream, calls)),
  }),
  thinking_blocks: ({ thoughts }) => ({
    thinking_blocks: thoughts.map(({ text, seal }) => ({ type: 'thinking', thinking: text, signature: seal })),
  }),
  thinking_chunks: ({ thoughts, text }) => ({
    content: [
      ...thoughts.map((thought) => ({ type: 'thinking', thinking: [{ type: 'text', text: thought.text }] })),
      ...(text === '' ? [] : [{ type: 'text', text }]),
    ],
  }),
  think_tags: ({ thoughts, text }) => ({ content: `${thinkTags(joinedText(thoughts))}${text}` }),
  thought_signature: ({ thoughts }, { tool_calls: calls }) => {
    const [first, ...rest] = Array.isArray(calls) ? calls : [];
    const seal = thoughts.at(-1)?.seal;
    if (first === undefined || seal === undefined) return {};
    return { tool_calls: [{ ...first, extra_content: { google: { thought_signature: seal } } }, ...rest] };
  },
};

export function thinkTags(text: string): string {
  return `<think>\n${text}\n</think>\n\n`;
}

/** What a gateway shows as plain text: of an opaque payload only the summary. */
export function readableText(thoughts: readonly Thought[], { seals }: Upstream): string {
  return seals === 'payload' ? thoughts.map(({ summary }) => summary).join('\n\n') : joinedText(thoughts);
}

/** The elements of one thought. All of them have its index. */
export function detailElements(thought: Thought, index: number, upstream: Upstream, calls: readonly Wire[]): Wire[] {
  const { text, summary, seal, itemId } = thought;
  const { format, seals, provider } = upstream;
  // MiniMax's own split form has no format.
  const common = provider === 'MiniMax' ? { index } : { format, index };
  switch (seals) {
    case 'text':
      return [{ type: 'reasoning.text', text, signature: seal, ...common }];
    case 'payload':
      return [
        { type: 'reasoning.summary', summary, ...common },
        { type: 'reasoning.encrypted', data: seal, id: itemId, ...common },
      ];
    case 'call':
      return [
        { type: 'reasoning.text', text, ...common },
        { type: 'reasoning.encrypted', data: seal, ...(calls[0] && { id: calls[0].id }), ...common },
      ];
    default:
      return [{ type: 'reasoning.text', text, ...common }];
  }
}
