import { type Answer, extend, type IssuedBlock, type IssuedPiece, type RequestMark } from '../../continuity/answer.ts';
import { type Digest, digest } from '../../continuity/digest.ts';
import type { ProducerRef } from '../../continuity/judgement.ts';
import { likenessOf } from '../../continuity/likeness.ts';
import { passageKey, passageOf } from '../../continuity/passage.ts';
import { asObject, asString, type Json } from '../json.ts';
import { resolveModel } from './models.ts';
import { type Piece, readMessage } from './read-message.ts';
import type { Response } from './read-response.ts';

/** Turns a response into what the ledger keeps of it: digests, order, identity. */
export function issueAnswer(
  response: Response,
  request: RequestMark,
  runId: string,
  producer: ProducerRef | undefined,
  complete: boolean,
): Answer {
  const content = response.content.map(({ block }) => block);
  const read = readMessage({ role: 'assistant', content });
  const markers = response.content.flatMap(({ block }, at) => (block.type === 'fallback' ? [at] : []));
  const lastMarker = markers.at(-1) ?? -1;
  const served = response.model ?? request.model;
  const discardable = response.stopReason === 'refusal';
  const cutShort = !complete || response.stopReason === 'max_tokens' || discardable;

  const pieces: IssuedPiece[] = [];
  const blocks: IssuedBlock[] = [];
  let sealsAfter = request.seals;
  for (const piece of read.pieces) {
    if (piece.kind === 'block' && piece.seal !== undefined && piece.at >= lastMarker) {
      sealsAfter = extend(sealsAfter, piece.seal);
    }
  }
  const answer: Answer = {
    sealsAfter,
    ...(response.id === undefined ? {} : { id: response.id }),
    request,
    runId,
    ...(producer === undefined ? {} : { producer }),
    pieces,
    blocks,
    model: resolveModel(served).id,
    complete,
    discardable,
    unfinished: response.stopReason === 'pause_turn',
    markers: markers.length,
    ...(response.usage.reasoning === undefined ? {} : { reasoningTokens: response.usage.reasoning }),
    ...(response.usage.input === undefined ? {} : { tokensBefore: response.usage.input }),
    ...joinedTextOf(content),
    compaction: compactionOf(read.pieces),
    counted: new Map(),
    continuations: new Set(),
  };

  let run = -1;
  let previous: Piece['kind'] | undefined;
  for (const piece of read.pieces) {
    const raw = content[piece.at] ?? {};
    if (piece.kind === 'block' && previous !== 'block') run++;
    previous = piece.kind;
    switch (piece.kind) {
      case 'block': {
        const superseded = piece.at < lastMarker;
        const whole = response.content[piece.at]?.complete ?? false;
        const block: IssuedBlock = {
          answer,
          type: piece.type,
          index: pieces.length,
          ...sealOf(raw),
          ...textOf(raw),
          complete: whole,
          model: producerOf(content, piece.at, served),
          run,
          superseded,
          counted: { expected: false, returned: false, dropped: false, released: false, kinds: new Set() },
        };
        blocks.push(block);
        pieces.push({ kind: 'block', key: block.seal ?? 0, block });
        break;
      }
      case 'call': {
        // A tool of the provider that has not run yet gets its result later, and may be left to it.
        const pending = piece.server && !read.serverResults.includes(piece.id);
        const optional = pending || piece.at < lastMarker || (cutShort && piece === read.pieces.at(-1));
        pieces.push({ kind: 'call', key: piece.id, call: { name: piece.name, input: piece.input, optional } });
        break;
      }
      case 'text':
        pieces.push({ kind: 'text', key: piece.key, passage: passageOf(asString(raw.text) ?? '') });
        break;
      case 'marker':
        pieces.push({ kind: 'marker', key: piece.key });
        break;
      default:
        pieces.push({ kind: 'other', key: piece.key });
    }
  }
  return answer;
}

function joinedTextOf(content: readonly Json[]): Pick<Answer, 'joinedText'> {
  const text = content.map((block) => (block.type === 'text' ? (asString(block.text) ?? '') : '')).join('');
  return text.trim() === '' ? {} : { joinedText: passageKey(passageOf(text)) };
}

function compactionOf(pieces: readonly Piece[]): Digest {
  for (const piece of pieces) if (piece.kind === 'compaction') return piece.key;
  return 0;
}

function sealOf(block: Json): Pick<IssuedBlock, 'seal' | 'sealLikeness'> {
  const seal = asString(block.type === 'thinking' ? block.signature : block.data);
  return seal === undefined || seal === '' ? {} : { seal: digest(seal), sealLikeness: likenessOf(seal) };
}

function textOf(block: Json): Pick<IssuedBlock, 'text' | 'textLikeness' | 'squeezedText' | 'passage'> {
  const text = block.type === 'thinking' ? asString(block.thinking) : undefined;
  if (text === undefined || text === '') return {};
  const passage = passageOf(text);
  return { text: digest(text), textLikeness: likenessOf(text), squeezedText: passageKey(passage), passage };
}

/** One answer can have several producers: each marker names the model before it and the one after. */
function producerOf(content: readonly Json[], at: number, served: string): string {
  for (let i = at; i >= 0; i--) {
    const block = content[i];
    if (block?.type === 'fallback') return asString(asObject(block.to)?.model) ?? served;
  }
  const next = content.find((block, i) => i > at && block.type === 'fallback');
  return asString(asObject(next?.from)?.model) ?? served;
}
