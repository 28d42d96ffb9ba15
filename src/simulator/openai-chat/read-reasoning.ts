import { asList, isWire, type Wire } from '../json.ts';
import { callsOf, type PlacedMessage, splitThink } from './messages.ts';
import type { Member, Upstream } from './profile.ts';

/** A piece of reasoning as it stands on a message that came back. */
export interface FoundReasoning {
  readonly member: Member;
  readonly path: string;
  /** Readable text, where there is any. */
  readonly text?: string;
  /** What makes it verifiable. */
  readonly seal?: string;
}

/** The reasoning of a message, under the first member that holds any. */
export function readReasoning(
  message: PlacedMessage,
  members: readonly Member[],
  upstream: Upstream,
): readonly FoundReasoning[] {
  for (const member of members) {
    const found = READERS[member](message, upstream);
    if (found.length > 0) return found;
  }
  return [];
}

/** Whether a message has a member at all, empty or not. */
export function hasMember({ wire }: PlacedMessage, member: Member): boolean {
  switch (member) {
    case 'think_tags':
      return typeof wire.content === 'string' && splitThink(wire.content).think !== undefined;
    case 'thinking_chunks':
      return asList(wire.content).some((chunk) => isWire(chunk) && chunk.type === 'thinking');
    case 'thought_signature':
      return signatureOf(callsOf(wire)[0]) !== undefined;
    default:
      return wire[member] != null;
  }
}

type Reader = (message: PlacedMessage, upstream: Upstream) => readonly FoundReasoning[];

const READERS: Readonly<Record<Member, Reader>> = {
  reasoning_content: (message) => textMember(message, 'reasoning_content'),
  reasoning: (message) => textMember(message, 'reasoning'),
  think_tags: ({ wire, path }) => {
    const { think } = typeof wire.content === 'string' ? splitThink(wire.content) : {};
    return think === undefined ? [] : [{ member: 'think_tags', path, text: think }];
  },
  thinking_chunks: ({ wire, path }) =>
    asList(wire.content).flatMap((chunk, index) =>
      isWire(chunk) && chunk.type === 'thinking'
        ? [{ member: 'thinking_chunks' as const, path: `${path}.content.${index}`, text: chunkText(chunk) }]
        : [],
    ),
  thinking_blocks: ({ wire, path }) =>
    elements(wire, path, 'thinking_blocks').map(({ element, at }) => ({
      member: 'thinking_blocks',
      path: at,
      text: String(element.thinking ?? ''),
      ...sealed(element.signature ?? element.data),
    })),
  reasoning_details: ({ wire, path }, { seals }) =>
    elements(wire, path, 'reasoning_details')
      .filter(({ element }) => isUnit(element, seals))
      .map(({ element, at }) => ({
        member: 'reasoning_details',
        path: at,
        ...(typeof element.text === 'string' && { text: element.text }),
        ...sealed(element.signature ?? element.data),
      })),
  thought_signature: ({ wire, path }) =>
    callsOf(wire).flatMap((call, index) => {
      const seal = signatureOf(call);
      return seal === undefined
        ? []
        : [{ member: 'thought_signature' as const, path: `${path}.tool_calls.${index}`, seal }];
    }),
};

function textMember({ wire, path }: PlacedMessage, member: 'reasoning_content' | 'reasoning'): FoundReasoning[] {
  const text = wire[member];
  return typeof text === 'string' ? [{ member, path, text }] : [];
}

function elements(wire: Wire, path: string, member: string) {
  return asList(wire[member]).flatMap((element, index) =>
    isWire(element) ? [{ element, at: `${path}.${member}.${index}` }] : [],
  );
}

/** What stands beside an opaque payload, a summary or a readable copy, is no reasoning of its own. */
function isUnit({ type }: Wire, seals: Upstream['seals']): boolean {
  if (type === 'reasoning.encrypted') return true;
  return (type === 'reasoning.text' || type === undefined) && seals !== 'payload' && seals !== 'call';
}

function sealed(seal: unknown): { seal?: string } {
  return typeof seal === 'string' ? { seal } : {};
}

function chunkText({ thinking }: Wire): string {
  return asList(thinking)
    .filter(isWire)
    .map(({ text }) => String(text ?? ''))
    .join('');
}

function signatureOf(call: Wire | undefined): string | undefined {
  const extra = isWire(call?.extra_content) ? call.extra_content : {};
  const google = isWire(extra.google) ? extra.google : {};
  return typeof google.thought_signature === 'string' ? google.thought_signature : undefined;
}
