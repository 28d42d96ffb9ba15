import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { toJudgement } from '../../continuity/to-judgement.ts';
import { noteToolCalls, type ToolCallMade } from '../../continuity/tool-calls.ts';
import { canonical } from '../canonical-json.ts';
import type { CallEnd, CallFacts, DialectCall, RequestInput } from '../dialect.ts';
import { createDialectCall } from '../dialect-call.ts';
import { asArray, asNumber, asString } from '../json.ts';
import { markTarget } from '../mark-target.ts';
import { withoutUndefined } from '../optional.ts';
import { classifyError, type Refusal } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { issueAnswer } from './issue.ts';
import { judgeRequest } from './judge.ts';
import type { JudgeTables } from './judge-tables.ts';
import { matchRequest } from './match.ts';
import { referencedTools } from './prefix.ts';
import { type RequestFacts, readRequest } from './read-request.ts';
import { createReader, type Response } from './read-response.ts';
import { resentTokens } from './resent-tokens.ts';
import { noteServed, servedModel } from './served-names.ts';
import { settleWithList, settleWithRefusal } from './settle.ts';
import { goStraightOn, type Judged, noteSound } from './straight-on.ts';
import { clientSwitch, serverSwitch } from './switches.ts';
import { readTurns } from './turns.ts';

/** One call of the Messages API, from request to end. */
export function openCall(
  input: RequestInput,
  ledger: Ledger,
  producer: ProducerRef | undefined,
  tables: JudgeTables,
): DialectCall | undefined {
  const request = readRequest(input, tables.models, (name) => servedModel(ledger, input.endpoint, name));
  if (request === undefined) return undefined;
  const facts = request;
  const judged = goStraightOn(facts, ledger, tables) ?? judgeWhole(facts, ledger, tables);
  const { turns, draft } = judged;
  const newest = draft.compared.at(-1)?.answer;
  const key = requestKey(turns.prefix, facts.system, facts.tools.bound);
  const refused = ledger.refused(key);
  const runId = input.runId ?? (draft.sideline ? undefined : newest?.runId) ?? refused?.runId ?? randomUUID();
  const expectation = expectationOf(input, facts, turns, plannedIn(input.experimentArm, draft));
  const reader = createReader();
  let refusal: Refusal | undefined;
  let response: Response | undefined;
  let answer: Answer | undefined;
  let toolCalls: readonly ToolCallSeen[] = [];

  const mark = (): RequestMark => {
    return {
      // Not the account of the facts: an answer may have named it since.
      ...markTarget('anthropic.messages', { ...facts, account: input.account }),
      prefix: turns.prefix,
      lastMessage: facts.messages.at(-1)?.whole ?? 0,
      messageCount: facts.messages.length,
      system: facts.system,
      tools: facts.tools.bound,
      referencedTools: referencedTools(facts, turns),
      ...(facts.thinking.mode === undefined ? {} : { mode: facts.thinking.mode }),
      ...(facts.thinking.on === undefined ? {} : { reasoningOn: facts.thinking.on }),
      config: facts.config,
      seals: draft.seals.chain,
      answers: draft.sideline ? undefined : draft.answers,
      compaction: turns.compaction,
    };
  };

  const judge = (commit: boolean): Judgement => {
    const { visibility, mode } = facts.thinking;
    const step = {
      request: plannedIn(input.experimentArm, draft),
      cycle: { open: turns.open, steps: turns.cycleGroups, toolCalls: turns.cycleCalls },
      answer,
      issued: answer?.blocks.length ?? 0,
      expectation,
      present: answer && presenceOf(answer),
      visibility: visibility && redactedOnly(answer) ? 'encrypted' : visibility,
      mode,
      modelSwitch: clientSwitch(draft, facts, tables) ?? (response && serverSwitch(facts, response, tables)),
      rejection: refusal?.rejection,
      tokens: response && resentTokens(draft, facts, response.usage),
      runId,
      refusedAt: refused?.producer,
      toolCalls,
    } as const;
    return toJudgement(step, commit);
  };

  const settle = (end: CallEnd): void => {
    response = reader.end(end === 'completed');
    if (response !== undefined) {
      if (response.transformations !== undefined) settleWithList(draft, response.transformations);
      answer = issueAnswer(response, mark(), runId, producer, end === 'completed');
      ledger.record(answer);
      if (response.model !== undefined) {
        noteServed(ledger, input.endpoint, facts.requestModel, response.model, tables.models);
      }
      toolCalls = noteToolCalls(callsOf(response), ledger, runId);
    }
    if (refusal !== undefined) {
      ledger.refuse(key, { runId, rejection: refusal.rejection, ...(producer === undefined ? {} : { producer }) });
    }
    noteContinuation(newest, draft.rows, turns.prefix);
    if (refusal === undefined) noteSound(judged, ledger, tables);
  };

  return createDialectCall({
    facts: () => callFacts(facts, input, response, reader.started()),
    reader,
    judge,
    refuse(error) {
      refusal = classifyError(error);
      if (refusal !== undefined) settleWithRefusal(draft, refusal);
    },
    settle,
  });
}

function judgeWhole(facts: RequestFacts, ledger: Ledger, tables: JudgeTables): Judged {
  const turns = readTurns(facts.messages);
  const match = matchRequest(facts, turns, ledger);
  return { facts, turns, draft: judgeRequest(facts, turns, match, ledger, tables) };
}

function presenceOf(answer: Answer): boolean | undefined {
  if (answer.blocks.length > 0) return true;
  // A refusal or a cut stream says nothing about whether the model would have thought.
  return answer.complete && !answer.discardable ? false : undefined;
}

function redactedOnly(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.blocks.length > 0 && answer.blocks.every((b) => b.type === 'redacted_thinking');
}

function callsOf({ content }: Response): readonly ToolCallMade[] {
  return content.flatMap(({ block }) => {
    if (block.type !== 'tool_use') return [];
    const key = mix(digest(String(block.name)), canonical(block.input ?? {}));
    return [{ name: asString(block.name) ?? 'unknown', key }];
  });
}

function callFacts(
  facts: NonNullable<ReturnType<typeof readRequest>>,
  input: RequestInput,
  response: Response | undefined,
  head: Readonly<Record<string, unknown>> | undefined,
): CallFacts {
  const { body } = facts;
  const optional = {
    maxTokens: asNumber(body.max_tokens),
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    topK: asNumber(body.top_k),
    stopSequences: asArray(body.stop_sequences)?.length,
    reasoningLevel: facts.effort,
    responseId: response?.id ?? asString(head?.id),
    responseModel: response?.model ?? asString(head?.model),
    finishReasons: response?.stopReason === undefined ? undefined : [response.stopReason],
    usage: response?.usage,
    compacted: response?.content.some(({ block }) => block.type === 'compaction') || undefined,
  };
  return {
    provider: input.provider ?? 'anthropic',
    operation: 'chat',
    requestModel: facts.requestModel,
    stream: facts.stream,
    ...withoutUndefined(optional),
  };
}
