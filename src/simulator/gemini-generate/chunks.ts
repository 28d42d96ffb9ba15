import type { Caller } from '../gemini/caller.ts';
import { pieces } from '../gemini/pieces.ts';
import type { StreamEvent } from '../http/exchange.ts';
import { asText, isWire, type Wire } from '../json.ts';
import type { GeminiConflicts } from './conflicts.ts';
import type { GeminiStreamOptions } from './context.ts';

export interface ChunkOptions {
  readonly stream: GeminiStreamOptions;
  readonly host: Caller['host'];
  /** Arguments of calls come bit by bit. */
  readonly streamsArguments: boolean;
  readonly signature: GeminiConflicts['streamedSignature'];
}

/**
 * The chunks that a finished response would have arrived as. Events are named for what they bring: `thought`, `text`,
 * `signature` (an empty text), `functionCall`, `arguments`, `toolCall`, `finish` …
 */
export function responseChunks(response: Wire, options: ChunkOptions): StreamEvent[] {
  const { candidates, usageMetadata: usage, ...head } = response;
  const [candidate] = candidates as readonly Wire[];
  const { content, index, ...ending } = candidate ?? {};
  const parts = isWire(content) && Array.isArray(content.parts) ? (content.parts as Wire[]) : [];
  const groups = groupsOf(parts, options);
  const whole = isWire(usage) ? usage : {};
  const running =
    options.host === 'vertex'
      ? { trafficType: whole.trafficType }
      : { promptTokenCount: whole.promptTokenCount, totalTokenCount: whole.promptTokenCount };
  const chunk = (event: string, members: Wire, usageMetadata: Wire): StreamEvent => ({
    event,
    data: { candidates: [{ ...members, index }], usageMetadata, ...head },
  });
  const ownFinish = options.stream.finish === 'own_chunk' || groups.length === 0;
  const events = groups.map(({ event, parts: own }, at) => {
    const isLast = at === groups.length - 1 && !ownFinish;
    const members = { content: { parts: own, role: 'model' }, ...(isLast && ending) };
    return chunk(event, members, isLast ? whole : running);
  });
  return ownFinish ? [...events, chunk('finish', ending, whole)] : events;
}

interface Group {
  readonly event: string;
  readonly parts: readonly Wire[];
}

function groupsOf(parts: readonly Wire[], options: ChunkOptions): Group[] {
  const groups: { event: string; parts: Wire[] }[] = [];
  for (const part of parts) {
    if (isWire(part.functionCall) && options.streamsArguments) {
      for (const piece of callPieces(part, part.functionCall, options.signature)) {
        groups.push({ event: 'arguments', parts: [piece] });
      }
      continue;
    }
    const event = nameOf(part);
    const before = groups.at(-1);
    if (event === 'functionCall' && before?.event === event && options.stream.calls !== 'apart')
      before.parts.push(part);
    else groups.push({ event, parts: [part] });
  }
  return groups;
}

function nameOf(part: Wire): string {
  if (part.thought === true) return 'thought';
  if (part.text === '') return 'signature';
  return Object.keys(part).find((key) => key !== 'thoughtSignature') ?? 'part';
}

/**
 * A call whose arguments are streamed: its name and signature, its arguments leaf by leaf, and an empty call that ends
 * it. Where the signature comes in pieces, each of these brings one.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
function callPieces(part: Wire, { args, ...call }: Wire, signature: ChunkOptions['signature']): Wire[] {
  const bits: Wire[] = [
    { ...call, willContinue: true },
    ...leaves(args, '$').map((partialArg) => ({ partialArgs: [partialArg], willContinue: true })),
    {},
  ];
  const token = asText(part.thoughtSignature);
  if (token === undefined) return bits.map((functionCall) => ({ functionCall }));
  const size = signature === 'fragments' ? Math.ceil(token.length / bits.length) : token.length;
  return bits.map((functionCall, at) => {
    const fragment = token.slice(at * size, (at + 1) * size);
    return { functionCall, ...(fragment !== '' && { thoughtSignature: fragment }) };
  });
}

function leaves(value: unknown, jsonPath: string): Wire[] {
  if (isWire(value)) return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${jsonPath}.${key}`));
  if (Array.isArray(value)) return value.flatMap((inner, at) => leaves(inner, `${jsonPath}[${at}]`));
  if (typeof value === 'number') return [{ jsonPath, numberValue: value }];
  if (typeof value === 'boolean') return [{ jsonPath, boolValue: value }];
  if (value == null) return [{ jsonPath, nullValue: 'NULL_VALUE' }];
  const texts = pieces(String(value));
  if (texts.length === 0) return [{ jsonPath, stringValue: '' }];
  return texts.map((stringValue, at) => ({
    jsonPath,
    stringValue,
    ...(at < texts.length - 1 && { willContinue: true }),
  }));
}

/** An error in mid-stream: a chunk that has nothing else. */
export function errorChunk(type: string, message: string): StreamEvent {
  return { event: 'error', data: { error: { code: 500, message, status: type } } };
}
