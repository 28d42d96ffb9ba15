import {
  type Answer,
  extend,
  type IssuedBlock,
  type IssuedPiece,
  type RequestMark,
  type Standing,
} from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { ProducerRef } from '../../continuity/judgement.ts';
import { likenessOf } from '../../continuity/likeness.ts';
import { passageOf } from '../../continuity/passage.ts';
import type { Json } from '../json.ts';
import { readModel } from './models.ts';
import type { Response } from './read-response.ts';
import { readStep, type Step, sealOf, summaryOf } from './read-step.ts';
import type { Turns } from './turns.ts';

/** Ends after which the steps are not to be sent back. */
const FAILED = new Set(['failed', 'cancelled']);

export interface Issue {
  readonly request: RequestMark;
  readonly turns: Turns;
  /** Answers of the turn before this one. */
  readonly turnAnswers: number;
  readonly runId: string;
  readonly producer: ProducerRef | undefined;
  readonly completed: boolean;
}

/**
 * Turns an interaction into what the ledger keeps of it: digests, order, identity. A signed step of a tool is two
 * pieces, the block and what the step says.
 */
export function issueAnswer(response: Response, issue: Issue): Answer {
  const { request, runId, producer, completed } = issue;
  const model = readModel(response.model ?? request.requestModel);
  const discardable = FAILED.has(response.status ?? '');
  const read = response.steps.map(({ step, complete }) => ({ raw: step, complete, step: readStep(step) }));
  const pieces: IssuedPiece[] = [];
  const blocks: IssuedBlock[] = [];
  let sealsAfter = request.seals;
  for (const { step } of read) if (step.seal !== undefined) sealsAfter = extend(sealsAfter, step.seal);
  const answer: Answer = {
    ...(response.id === undefined ? {} : { id: response.id, key: digest(response.id) }),
    request,
    after: standingAfter(read, issue),
    sealsAfter,
    runId,
    ...(producer === undefined ? {} : { producer }),
    pieces,
    blocks,
    model: model.id,
    complete: completed,
    discardable,
    unfinished: response.status === 'requires_continuation',
    markers: 0,
    ...(response.usage.reasoning === undefined ? {} : { reasoningTokens: response.usage.reasoning }),
    ...(response.usage.input === undefined ? {} : { tokensBefore: response.usage.input }),
    compaction: 0,
    counted: new Map(),
    continuations: new Set(),
  };
  for (const { raw, step, complete } of read) {
    if (step.seal !== undefined || step.kind === 'thought') {
      const block: IssuedBlock = {
        answer,
        type: step.kind,
        index: pieces.length,
        ...sealedBy(raw),
        ...summarised(raw),
        complete: complete || completed,
        model: model.id,
        run: blocks.length,
        superseded: false,
        counted: { expected: false, returned: false, dropped: false, released: false, kinds: new Set() },
      };
      blocks.push(block);
      pieces.push({ kind: 'block', key: block.seal ?? 0, block });
    }
    if (step.kind === 'thought') continue;
    if (step.call !== undefined) {
      pieces.push({ kind: 'call', key: step.key, call: { ...step.call, optional: !complete && !completed } });
    } else pieces.push({ kind: step.kind === 'output' ? 'text' : 'other', key: step.key, textLength: step.length });
  }
  return answer;
}

function standingAfter(read: readonly { readonly step: Step }[], { turns, turnAnswers }: Issue): Standing {
  let { prefix } = turns;
  const calls = read.filter(({ step }) => step.kind === 'call').length;
  for (const { step } of read) if (step.part !== 0) prefix = mix(prefix, step.part);
  return {
    prefix,
    turnAnswers: turnAnswers + 1,
    open: calls > 0,
    cycleGroups: turns.open ? turns.cycleGroups + (calls > 0 ? 1 : 0) : Math.min(1, calls),
    cycleCalls: (turns.open ? turns.cycleCalls : 0) + calls,
  };
}

function sealedBy(raw: Json): Pick<IssuedBlock, 'seal' | 'sealLikeness'> {
  const seal = sealOf(raw);
  return seal === undefined ? {} : { seal: digest(seal), sealLikeness: likenessOf(seal) };
}

function summarised(raw: Json): Pick<IssuedBlock, 'text' | 'passage'> {
  const summary = summaryOf(raw);
  return summary === '' ? {} : { text: digest(summary), passage: passageOf(summary) };
}
