import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { assertionOf } from '../../continuity/assertion.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { producersOf } from '../../continuity/producers.ts';
import {
  type BlockRow,
  continuityOf,
  countBlocks,
  type Entry,
  toFindings,
  verdictOf,
} from '../../continuity/summary.ts';
import { canonical } from '../canonical-json.ts';
import type { CallEnd, CallFacts, DialectCall, RequestInput } from '../dialect.ts';
import { asArray, asNumber, asString } from '../json.ts';
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
  const request = readRequest(input, tables.models);
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
  let last: Judgement | undefined;

  const mark = (): RequestMark => {
    return {
      api: 'anthropic.messages',
      requestModel: facts.requestModel,
      model: facts.model.id,
      vendor: facts.model.vendor,
      ...(facts.endpoint === undefined ? {} : { endpoint: facts.endpoint }),
      ...(facts.leg === undefined ? {} : { leg: facts.leg }),
      // Not that of the facts: an answer may have named the account since.
      ...(input.account === undefined ? {} : { account: input.account }),
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
    const { rows, others } = plannedIn(input.experimentArm, draft);
    const { released, settled } = draft;
    const entries: Entry[] = [];
    for (let i = settled; i < rows.length; i++) {
      const { entry } = rows[i] as BlockRow;
      if (entry !== undefined) entries.push(entry);
    }
    entries.push(...others);
    const findings = toFindings(entries);
    const { blocks, firstSeen } = countBlocks(rows, others, released, answer?.blocks.length ?? 0, commit, settled);
    const present = answer === undefined ? undefined : presenceOf(answer);
    const modelSwitch = clientSwitch(draft, facts, tables) ?? (response && serverSwitch(facts, response, tables));
    const tokens = response && resentTokens(draft, facts, response.usage);
    const closes = turns.open && answer?.complete === true && !answer.unfinished && toolCalls.length === 0;
    const { visibility, mode } = facts.thinking;
    return {
      verdict: verdictOf(findings),
      continuity: continuityOf(blocks),
      findings,
      blocks,
      firstSeen,
      cycle: { state: turns.open ? 'open' : 'closed', step: turns.open ? turns.cycleGroups + 1 : 1 },
      expectation: present === true && expectation === 'not_applicable' ? 'expected' : expectation,
      ...(present === undefined ? {} : { present }),
      assertion: assertionOf(expectation, present),
      ...(visibility === undefined ? {} : { visibility: redactedOnly(answer) ? 'encrypted' : visibility }),
      ...(mode === undefined ? {} : { mode }),
      ...(modelSwitch === undefined ? {} : { modelSwitch }),
      prefixChanged: draft.sideline ? 'none' : draft.prefixChanged,
      ...(refusal === undefined ? {} : { rejection: refusal.rejection }),
      ...(tokens === undefined ? {} : { tokens }),
      runId,
      producers: producersOf(draft.rows, refused?.producer),
      toolCalls,
      ...(closes ? { closedCycle: { steps: turns.cycleGroups + 1, toolCalls: turns.cycleCalls } } : {}),
    };
  };

  const settle = (end: CallEnd): void => {
    response = reader.end(end === 'completed');
    if (response !== undefined) {
      if (response.transformations !== undefined) settleWithList(draft, response.transformations);
      answer = issueAnswer(response, mark(), runId, producer, end === 'completed');
      ledger.record(answer);
      toolCalls = countCalls(response, ledger, runId);
    }
    if (refusal !== undefined) {
      ledger.refuse(key, { runId, rejection: refusal.rejection, ...(producer === undefined ? {} : { producer }) });
    }
    noteContinuation(newest, draft.rows, turns.prefix);
  };

  return {
    facts: () => callFacts(facts, input, response, reader.started()),
    judgement: () => {
      last ??= judge(false);
      return last;
    },
    event: (event) => reader.event(event),
    response: (message) => reader.whole(message),
    error(error) {
      refusal = classifyError(error);
      if (refusal !== undefined) settleWithRefusal(draft, refusal);
      last = undefined;
    },
    close(end) {
      settle(end);
      last = judge(true);
      if (refusal === undefined) noteSound(judged, ledger, tables);
      return last;
    },
  };
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

function countCalls(response: Response, ledger: Ledger, runId: string): readonly ToolCallSeen[] {
  const { calls } = ledger.run(runId);
  const seen: ToolCallSeen[] = [];
  for (const { block } of response.content) {
    if (block.type !== 'tool_use') continue;
    const key = mix(digest(String(block.name)), canonical(block.input ?? {}));
    seen.push({ name: asString(block.name) ?? 'unknown', repeated: calls.has(key) });
    calls.add(key);
  }
  return seen;
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
