import type { Answer, IssuedBlock, IssuedPiece, RequestMark, Standing } from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { ProducerRef } from '../../continuity/judgement.ts';
import { likenessOf } from '../../continuity/likeness.ts';
import { passageOf } from '../../continuity/passage.ts';
import { asString, type Json } from '../json.ts';
import { normaliseModel } from './models.ts';
import { ownRow } from './prefix.ts';
import { type BlockItem, type ItemFacts, idKey, rememberItem, textsOf } from './read-item.ts';
import type { ReceivedItem, Response } from './read-response.ts';
import { START, startBehind, summaryKey } from './turns.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Turns a response into what the ledger keeps of it: digests, order, identity. */
export function issueAnswer(
  response: Response,
  request: RequestMark,
  before: Omit<Standing, 'prefix' | 'spoken'>,
  runId: string,
  producer: ProducerRef | undefined,
  ended: boolean,
): Answer {
  const complete = ended && (response.status === undefined || response.status === 'completed');
  const received = response.items.map((one) => ({ ...one, read: rememberItem(one.item) }));
  const pieces: IssuedPiece[] = [];
  const blocks: IssuedBlock[] = [];
  // Calls that the provider ran itself have their result in the same response.
  const results = new Set(received.flatMap(({ read }) => (read.kind === 'result' ? read.call : [])));
  const answer: Mutable<Answer> = {
    ...(response.id === undefined ? {} : { id: response.id, key: idKey(response.id) }),
    request,
    sealsAfter: request.seals,
    runId,
    ...(producer === undefined ? {} : { producer }),
    pieces,
    blocks,
    model: normaliseModel(response.model ?? request.requestModel),
    complete,
    // Items of several agents are seen, not judged.
    discardable: response.items.some(isOfAgents),
    // A steered response is gone on with by the provider itself (SDK typings, `incomplete_details.reason`).
    unfinished: response.incompleteReason === 'steered',
    markers: 0,
    ...(response.usage.reasoning === undefined ? {} : { reasoningTokens: response.usage.reasoning }),
    ...(response.usage.input === undefined ? {} : { tokensBefore: response.usage.input }),
    compaction: 0,
    ...(response.reported.context === undefined ? {} : { context: response.reported.context }),
    after: standingAfter(
      received.map(({ read }) => read),
      request,
      before,
    ),
    counted: new Map(),
    continuations: new Set(),
  };

  let run = -1;
  let wasBlock = false;
  received.forEach((one, at) => {
    const { read, item } = one;
    const common = {
      ...(read.id === undefined ? {} : { id: read.id }),
      ...(read.part === undefined ? {} : { part: read.part }),
    };
    if (read.kind === 'block' && !wasBlock) run++;
    wasBlock = read.kind === 'block';
    switch (read.kind) {
      case 'block': {
        const leads = received.slice(at + 1).some(({ read: later }) => later.kind !== 'block');
        const block: IssuedBlock = {
          answer,
          type: read.type,
          index: pieces.length,
          ...sealsOf(one, read),
          ...(read.id === undefined ? {} : { id: read.id }),
          ...textsOfBlock(item, read),
          // Reasoning at the end of a response that was cut was itself cut, or led to nothing.
          complete: one.complete && (complete || leads),
          model: response.model ?? request.requestModel,
          run,
          superseded: false,
          counted: { expected: false, returned: false, dropped: false, released: false, kinds: new Set() },
        };
        blocks.push(block);
        pieces.push({ kind: 'block', key: block.seal ?? 0, block, ...common });
        answer.sealsAfter = ownRow(block, answer.sealsAfter);
        if (read.type === 'compaction') answer.compaction = summaryKey(read);
        break;
      }
      case 'call': {
        const { name, input } = read;
        const async = read.async || read.type === 'mcp_approval_request';
        const call = { name, input, optional: !one.complete || results.has(read.key), ...(async ? { async } : {}) };
        pieces.push({ kind: 'call', key: read.key, call, ...common });
        break;
      }
      case 'text': {
        const label = read.label === undefined ? {} : { label: read.label };
        pieces.push({ kind: 'text', key: read.key, textLength: read.length, ...label, ...common });
        break;
      }
      case 'named':
        break;
      case 'user':
      case 'system':
        // What a compaction retains of the client's own messages is no part of the answer.
        break;
      default:
        pieces.push({ kind: 'other', key: read.key, ...common });
    }
  });
  return answer;
}

const isOfAgents = ({ item }: ReceivedItem): boolean =>
  item.agent !== undefined || item.type === 'agent_message' || item.type === 'multi_agent_call';

/** Where the conversation stands once this answer has been appended as it was given. */
function standingAfter(
  items: readonly ItemFacts[],
  request: RequestMark,
  before: Omit<Standing, 'prefix' | 'spoken'>,
): Standing {
  let { prefix, spoken = START } = request;
  let calls = 0;
  const results = new Set(items.flatMap((item) => (item.kind === 'result' ? item.call : [])));
  for (const item of items) {
    if (item.kind === 'block' && item.type === 'compaction') prefix = startBehind(summaryKey(item));
    if (item.kind === 'call' && !results.has(item.key)) calls++;
    if (item.part !== undefined) prefix = mix(prefix, item.part);
    if (item.kind === 'text') spoken = mix(spoken, item.key);
  }
  return {
    ...before,
    prefix,
    spoken,
    open: calls > 0,
    cycleGroups: before.cycleGroups + (calls > 0 ? 1 : 0),
    cycleCalls: before.cycleCalls + calls,
  };
}

function sealsOf(
  { item, otherSeals, partialSeals }: ReceivedItem,
  read: BlockItem,
): Pick<IssuedBlock, 'seal' | 'sealLikeness' | 'otherSeals' | 'partialSeals'> {
  const seal = asString(item.encrypted_content) ?? '';
  return {
    ...(read.seal === undefined ? {} : { seal: read.seal, sealLikeness: likenessOf(seal) }),
    ...(otherSeals.length === 0 ? {} : { otherSeals: otherSeals.map(digest) }),
    ...(partialSeals.length === 0 ? {} : { partialSeals: partialSeals.map(digest) }),
  };
}

function textsOfBlock(item: Json, read: BlockItem): Pick<IssuedBlock, 'text' | 'textLikeness' | 'passage' | 'summary'> {
  const text = read.text === undefined ? textsOf(item.summary) : textsOf(item.content);
  const readable = read.text !== undefined || read.summary !== undefined;
  return {
    ...(read.text === undefined ? {} : { text: read.text }),
    ...(read.summary === undefined ? {} : { summary: read.summary }),
    ...(readable ? { textLikeness: likenessOf(text), passage: passageOf(text) } : {}),
  };
}
