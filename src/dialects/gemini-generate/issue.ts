import { type Answer, extend, type IssuedBlock, type IssuedPiece, type RequestMark } from '../../continuity/answer.ts';
import { digest } from '../../continuity/digest.ts';
import type { ProducerRef } from '../../continuity/judgement.ts';
import { likenessOf } from '../../continuity/likeness.ts';
import { asString, type Json } from '../json.ts';
import { type ModelRow, resolveModel } from './models.ts';
import { type Piece, readContent, sealOf } from './read-content.ts';
import type { Candidate, Response } from './read-response.ts';

/** The API will go on with the answer where it broke off, in a request of its own. */
const CONTINUES = 'CONTINUATION';
/** Ends after which there is nothing to send back: blocked, or spoilt and to be asked for again. */
const SPOILT = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'MODEL_ARMOR',
]);

export interface Issue {
  readonly request: RequestMark;
  readonly runId: string;
  readonly producer: ProducerRef | undefined;
  /** The call came to its own end. */
  readonly completed: boolean;
  readonly models: Readonly<Record<string, ModelRow>>;
}

/** Label of a piece that is a summary of thoughts: nobody owes it, but it is not to come back as something said. */
export const THOUGHT = 'thought';

/**
 * Turns a candidate into what the ledger keeps of it: digests, order, identity. A signed part is two pieces, the block
 * and behind it what the part says; an empty carrier and a signed thought are the block alone.
 */
export function issueAnswer(candidate: Candidate, response: Response, issue: Issue): Answer {
  const { request, runId, producer, completed } = issue;
  const { parts, finishReason } = candidate;
  const read = readContent({ role: 'model', parts });
  const model = resolveModel(response.model ?? request.requestModel, issue.models);
  // A stream that ended without a finish reason was cut on the way; its last seal may not have arrived.
  const complete = completed && (finishReason !== undefined || !response.streamed);
  const discardable = finishReason !== undefined && SPOILT.has(finishReason);
  const cutShort = !complete || discardable || finishReason === 'MAX_TOKENS';
  const lastPart = parts.length - 1;

  const pieces: IssuedPiece[] = [];
  const blocks: IssuedBlock[] = [];
  let sealsAfter = request.seals;
  for (const { seal } of read.pieces) if (seal !== undefined) sealsAfter = extend(sealsAfter, seal);
  const answer: Answer = {
    sealsAfter,
    ...(response.id === undefined ? {} : { id: response.id }),
    request,
    runId,
    ...(producer === undefined ? {} : { producer }),
    pieces,
    blocks,
    model: model.id,
    complete,
    discardable,
    unfinished: finishReason === CONTINUES,
    markers: 0,
    ...(response.usage.reasoning === undefined ? {} : { reasoningTokens: response.usage.reasoning }),
    ...(response.usage.input === undefined ? {} : { tokensBefore: response.usage.input }),
    compaction: 0,
    counted: new Map(),
    continuations: new Set(),
  };

  const addBlock = (piece: Piece, seal: string | undefined): void => {
    const block: IssuedBlock = {
      answer,
      type: piece.kind,
      index: pieces.length,
      ...(seal === undefined ? {} : { seal: digest(seal), sealLikeness: likenessOf(seal) }),
      ...(piece.kind === 'thought' ? readable(parts[piece.at] as Json, piece) : {}),
      ...fragmentsOf(candidate.fragments.get(piece.at)),
      complete: complete || piece.at < lastPart,
      model: model.id,
      run: blocks.length,
      superseded: false,
      counted: { expected: false, returned: false, dropped: false, released: false, kinds: new Set() },
    };
    blocks.push(block);
    pieces.push({ kind: 'block', key: block.seal ?? 0, block, ...(piece.hasData ? {} : { label: BARE }) });
  };

  const isUnsigned = complete && !discardable && model.row?.seals === 'strict' && lacksSeal(read.pieces);
  for (const piece of read.pieces) {
    const seal = piece.seal === undefined ? undefined : sealOf(parts[piece.at] as Json);
    if (seal !== undefined || (isUnsigned && !blocks.length && piece.kind === 'call')) addBlock(piece, seal);
    const optional = cutShort && piece === read.pieces.at(-1);
    if (piece.kind !== 'empty' && piece.kind !== 'thought') pieces.push(carrierOf(piece, optional));
  }
  for (const { key, passage } of read.thoughts) pieces.push({ kind: 'other', key, passage, label: THOUGHT });
  return answer;
}

/** The text of a signed summary, by the digest under which every dialect looks for reasoning. */
function readable(part: Json, { passage }: Piece): Pick<IssuedBlock, 'text' | 'passage'> {
  const text = asString(part.text) ?? '';
  return text === '' || passage === undefined ? {} : { text: digest(text), passage };
}

/** Label of a block whose part arrived with nothing beside the seal. */
export const BARE = 'bare';

function carrierOf(piece: Piece, optional: boolean): IssuedPiece {
  const { key, call, passage } = piece;
  if (call !== undefined) {
    const { id, name, input } = call;
    return { kind: 'call', key, call: { name, input, optional }, ...(id === undefined ? {} : { id }) };
  }
  if (passage !== undefined) return { kind: 'text', key, passage, textLength: passage.length };
  return { kind: 'other', key };
}

/** From Gemini 3 on every step with a call is signed; without any seal it was lost before it arrived. */
function lacksSeal(pieces: readonly Piece[]): boolean {
  return pieces.some(({ kind }) => kind === 'call') && pieces.every(({ seal }) => seal === undefined);
}

function fragmentsOf(fragments: readonly string[] | undefined): Pick<IssuedBlock, 'partialSeals'> {
  return fragments === undefined ? {} : { partialSeals: fragments.map(digest) };
}
