import type { StreamEvent } from '../http/exchange.ts';
import { DONE } from '../http/sse.ts';
import { isWire, type Wire } from '../json.ts';
import { type Composed, joinedText, type Thought } from './compose.ts';
import type { Member, Upstream } from './profile.ts';
import { detailElements, readableText, thinkTags } from './write-message.ts';

export interface ChunkOptions {
  readonly members: readonly Member[];
  readonly upstream: Upstream;
  readonly usage: Wire;
  /** Where a stream tells usage: in a last chunk without choices, on the choice of the last one, or nowhere. */
  readonly usagePlace: 'own_chunk' | 'on_choice' | 'none';
  /** Streamed elements repeat what came before. */
  readonly cumulative: boolean;
}

/**
 * The chunks that a finished completion would have arrived as. Events are named for what they bring: `role`,
 * `reasoning`, `content`, `tool_calls`, `finish`, `usage`, `done`.
 */
export function completionChunks(
  completion: Wire,
  message: Wire,
  composed: Composed,
  options: ChunkOptions,
): StreamEvent[] {
  const { choices: _, usage: __, object: ___, ...head } = completion;
  const chunk = (event: string, choice: Wire, more: Wire = {}): StreamEvent => ({
    event,
    data: {
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: null, logprobs: null, ...choice }],
      ...more,
    },
  });
  const delta = (event: string, value: Wire): StreamEvent => chunk(event, { delta: value });
  const { usagePlace, usage } = options;
  const onChoice = usagePlace === 'on_choice' ? { usage } : {};
  return [
    delta('role', { role: 'assistant', content: '' }),
    ...reasoningDeltas(composed, options).map((value) => delta('reasoning', value)),
    ...pieces(composed.text).map((content) => delta('content', { content })),
    ...(composed.refusal === null ? [] : [delta('content', { refusal: composed.refusal })]),
    ...callDeltas(message).map((call) => delta('tool_calls', { tool_calls: [call] })),
    chunk('finish', { finish_reason: composed.finishReason, ...onChoice }),
    ...(usagePlace === 'own_chunk'
      ? [{ ...chunk('usage', {}), data: { ...chunk('usage', {}).data, choices: [], usage } }]
      : []),
    DONE,
  ];
}

function reasoningDeltas(composed: Composed, { members, upstream, cumulative }: ChunkOptions): Wire[] {
  const { thoughts } = composed;
  if (thoughts.length === 0) return [];
  const text = joinedText(thoughts);
  if (members.includes('think_tags')) return pieces(thinkTags(text)).map((content) => ({ content }));
  if (members.includes('thinking_chunks')) {
    return thoughts.flatMap((thought) =>
      pieces(thought.text).map((piece) => ({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }],
      })),
    );
  }
  if (members.includes('reasoning_details')) {
    const alone = !members.includes('reasoning');
    return thoughts.flatMap((thought, index) =>
      detailDeltas(thought, index, composed, upstream, { alone, cumulative }),
    );
  }
  const deltas = members.includes('reasoning')
    ? pieces(readableText(thoughts, upstream)).map((reasoning) => ({ reasoning }))
    : members.includes('reasoning_content')
      ? pieces(text).map((reasoning_content) => ({ reasoning_content }))
      : [];
  if (!members.includes('thinking_blocks')) return deltas;
  const blocks = thoughts.map((thought) => ({ type: 'thinking', thinking: thought.text, signature: thought.seal }));
  return [...deltas, ...blocks.map((block) => ({ thinking_blocks: [block] }))];
}

/** Elements in pieces, to be merged by index; the seal comes in a piece of its own. */
function detailDeltas(
  thought: Thought,
  index: number,
  { calls }: Composed,
  upstream: Upstream,
  { alone, cumulative }: { readonly alone: boolean; readonly cumulative: boolean },
): Wire[] {
  // Thoughts are told apart in the plain text as they are in a message.
  const lead = index > 0 && !alone ? [{ reasoning: '\n\n' }] : [];
  return [
    ...lead,
    ...detailElements(thought, index, upstream, calls).flatMap((element) => {
      const member =
        typeof element.text === 'string' ? 'text' : typeof element.summary === 'string' ? 'summary' : undefined;
      if (member === undefined) return [{ reasoning_details: [element] }];
      const { signature, ...open } = element;
      const parts = pieces(String(element[member]));
      const deltas = parts.map((piece, at) => {
        const value = cumulative && alone ? parts.slice(0, at + 1).join('') : piece;
        return { ...(!alone && { reasoning: piece }), reasoning_details: [{ ...open, [member]: value }] };
      });
      if (signature === undefined) return deltas;
      return [...deltas, { reasoning_details: [{ ...open, [member]: '', signature }] }];
    }),
  ];
}

function callDeltas({ tool_calls: calls }: Wire): Wire[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call, index) => {
    const made = isWire(call.function) ? call.function : {};
    const parts = pieces(String(made.arguments));
    return [
      { index, ...call, function: { ...made, arguments: '' } },
      ...parts.map((piece) => ({ index, function: { arguments: piece } })),
    ];
  });
}

/** Roughly word-sized pieces, so that consumers have something to put together. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
