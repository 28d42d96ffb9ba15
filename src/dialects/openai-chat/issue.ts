import { extend, type IssuedPiece, type RequestMark } from '../../continuity/answer.ts';
import { type Digest, digest } from '../../continuity/digest.ts';
import type { ProducerRef } from '../../continuity/judgement.ts';
import { likenessOf } from '../../continuity/likeness.ts';
import { passageOf } from '../../continuity/passage.ts';
import { canonical } from '../canonical-json.ts';
import { isObject } from '../json.ts';
import { isBlock, type RawBlock, readCallSignatures, readCarried } from './carriers.ts';
import type { ChatAnswer, ChatBlock } from './issued.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { Member } from './profiles.ts';
import { type BlockPiece, type CallPiece, callsOf, type Piece, readMessage } from './read-message.ts';
import type { Choice, Response } from './read-response.ts';
import { signatureOf, type Traits } from './recognise.ts';
import type { Rule } from './rules.ts';

/** What an answer is given with. */
export interface Giving {
  readonly request: RequestMark;
  readonly runId: string;
  readonly producer: ProducerRef | undefined;
  readonly rule: Rule;
  readonly unread: number;
}

/** Turns one choice of a response into what the ledger keeps of it: digests, order, identity. */
export function issueAnswer(response: Response, choice: Choice, giving: Giving): ChatAnswer {
  const { request, runId, producer, rule } = giving;
  const { message } = choice;
  const read = readMessage({ ...message, role: 'assistant' });
  const raws = rawBlocks(message);
  const texts = readCarried(message).parts.flatMap((one) => (isBlock(one) || one.trim() === '' ? [] : [one.trim()]));
  const served = response.model ?? request.requestModel;
  const model = resolveModel(served);
  const complete = isComplete(
    choice,
    read.pieces.some(({ kind }) => kind !== 'block'),
  );
  const pieces: IssuedPiece[] = [];
  const blocks: ChatBlock[] = [];
  let sealsAfter = request.seals;
  for (const piece of read.pieces) {
    if (piece.kind === 'block' && piece.seal !== undefined) sealsAfter = extend(sealsAfter, piece.seal);
  }
  const answer: ChatAnswer = {
    ...(response.id === undefined ? {} : { id: response.id }),
    request,
    sealsAfter,
    runId,
    ...(producer === undefined ? {} : { producer }),
    pieces,
    blocks,
    model: model.id,
    complete: choice.finished,
    discardable: false,
    unfinished: false,
    markers: 0,
    ...(response.usage.reasoning === undefined ? {} : { reasoningTokens: response.usage.reasoning }),
    ...(response.usage.input === undefined ? {} : { tokensBefore: response.usage.input }),
    compaction: 0,
    counted: new Map(),
    continuations: new Set(),
    chat: {
      signature: signatureOf(traitsOf(response, message, raws)),
      profile: rule.profile.name,
      upstream: response.upstream,
      streamed: choice.lastValues !== undefined,
      lastValues: lastValuesOf(choice),
      siblings: new Map(read.siblings.filter(({ form }) => form === 'string').flatMap(valuesOf)),
      empties: read.empties.flatMap(({ members }) => members),
      unsignedCall: isUnsigned(raws, model, rule) ? read.pieces.find(isCall)?.id : undefined,
      unread: giving.unread,
      outputTokens: response.usage.output,
    },
  };

  let seen = 0;
  for (const piece of read.pieces) {
    if (piece.kind === 'call') {
      const { id, name, input } = piece;
      const optional = !choice.finished && piece === read.pieces.at(-1);
      pieces.push({ kind: 'call', key: id, call: { name, input, optional } });
      continue;
    }
    if (piece.kind === 'text') {
      const text = texts.shift() ?? '';
      const { key, length } = piece;
      pieces.push({ kind: 'text', key, textLength: length, passage: passageOf(text), textLikeness: likenessOf(text) });
      continue;
    }
    const raw = raws[seen++];
    if (raw === undefined || isPlainId(piece, model)) continue;
    const twins = read.siblings.filter((one) => one.seal === piece.seal && one.text === piece.text);
    const block: ChatBlock = {
      answer,
      type: piece.type,
      index: pieces.length,
      ...sealOf(raw, piece),
      ...textOf(raw, piece),
      ...(piece.id === undefined ? {} : { id: piece.id }),
      complete,
      model: served,
      run: 0,
      superseded: false,
      counted: { expected: false, returned: false, dropped: false, released: false, kinds: new Set() },
      chat: {
        form: piece.form,
        members: twins.length === 0 ? piece.members : [...piece.members, ...twins.flatMap(({ members }) => members)],
        index: piece.index,
        format: piece.format,
        elements: piece.elements,
        call: piece.call,
        unsigned: piece.seal === undefined && isSealedForm(piece, model, rule),
      },
    };
    // Gemini's readable thoughts are summaries that nobody takes back: its signature is the block.
    if (piece.form !== 'string' || piece.seal !== undefined || !isGemini(model)) blocks.push(block);
    pieces.push({ kind: 'block', key: block.seal ?? 0, block });
  }
  return answer;
}

/** The blocks of a message in the order of its pieces. */
export function rawBlocks(message: Readonly<Record<string, unknown>>): readonly RawBlock[] {
  const seals = callsOf(message).flatMap(({ call, at }) => readCallSignatures(call, at));
  const carried = readCarried(message).parts.filter(isBlock);
  return [...carried.filter(({ seal, text }) => (seal ?? '') !== '' || (text ?? '') !== ''), ...seals];
}

const isCall = (piece: Piece): piece is CallPiece => piece.kind === 'call';
const valuesOf = ({ members, text }: BlockPiece): readonly (readonly [Member, Digest])[] =>
  members.map((member) => [member, text ?? 0]);

/** Reasoning that the stream ended in, or that the limit of tokens cut off, was never finished. */
function isComplete({ finished, finishReason }: Choice, followed: boolean): boolean {
  return followed || (finished && finishReason !== 'length');
}

const isGemini = ({ vendor, id }: ResolvedModel): boolean => vendor === 'google' && id.includes('gemini');

/** A long id is a seal in disguise only where seals are borne by calls. */
const isPlainId = (piece: BlockPiece, model: ResolvedModel): boolean =>
  piece.members.includes('id') &&
  piece.form === 'signature' &&
  piece.seal === piece.call &&
  model.row.seals !== 'calls';

/** Lists of blocks are sealed by their makers; a string alone is where a gateway that knows of seals lost them. */
function isSealedForm(piece: BlockPiece, model: ResolvedModel, rule: Rule): boolean {
  if (model.row.seals !== 'blocks' || piece.form === 'signature') return false;
  if (piece.form === 'list') return piece.type !== 'reasoning.summary' && piece.type !== 'reasoning.encrypted';
  return ['openrouter', 'vercel', 'litellm', 'copilot'].includes(rule.profile.name);
}

/** ai.google.dev thought-signatures: the first call of each answer has one; parallel ones after it have none. */
const isUnsigned = (raws: readonly RawBlock[], { row }: ResolvedModel, { thinking }: Rule): boolean =>
  row.seals === 'calls' && !thinking.hidden && raws.every(({ seal }) => seal === undefined);

function traitsOf(response: Response, message: Readonly<Record<string, unknown>>, raws: readonly RawBlock[]): Traits {
  const details = raws.filter(({ members }) => members.includes('reasoning_details'));
  return {
    details: details.length === 0 ? 'none' : details.some(({ format }) => format !== undefined) ? 'formatted' : 'plain',
    thinkingBlocks: Array.isArray(message.thinking_blocks) || isObject(message.provider_specific_fields),
    opaque: typeof message.reasoning_opaque === 'string',
    googleSignature: raws.some(({ members }) => members.some((member) => member.startsWith('extra_content.google'))),
    chunks: raws.some(({ members }) => members.includes('content.thinking')),
    upstream: response.upstream !== undefined,
    cacheHitTokens: response.cacheHitTokens,
  };
}

function lastValuesOf({ lastValues }: Choice): ReadonlyMap<string, Digest> {
  const digests = new Map<string, Digest>();
  for (const [member, value] of lastValues ?? []) digests.set(member, canonical(value));
  return digests;
}

function sealOf({ seal }: RawBlock, piece: BlockPiece): Pick<ChatBlock, 'seal' | 'sealLikeness'> {
  return seal === undefined || piece.seal === undefined ? {} : { seal: digest(seal), sealLikeness: likenessOf(seal) };
}

function textOf({ text }: RawBlock, piece: BlockPiece): Pick<ChatBlock, 'text' | 'textLikeness' | 'passage'> {
  if (text === undefined || piece.text === undefined) return {};
  return { text: piece.text, textLikeness: likenessOf(text), passage: passageOf(text) };
}
