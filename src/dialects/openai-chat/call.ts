import { randomUUID } from 'node:crypto';
import type { RequestMark } from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { toJudgement } from '../../continuity/to-judgement.ts';
import { noteToolCalls, type ToolCallMade } from '../../continuity/tool-calls.ts';
import type { Remark, Visibility } from '../../continuity/vocabulary.ts';
import type { CallEnd, CallError, DialectCall, RequestInput } from '../dialect.ts';
import { createDialectCall } from '../dialect-call.ts';
import { asObject, asString } from '../json.ts';
import { markTarget } from '../mark-target.ts';
import { optional } from '../optional.ts';
import { callFacts } from './call-facts.ts';
import { classifyError, type Refusal } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { issueAnswer } from './issue.ts';
import { API, asChatAnswer, type ChatAnswer } from './issued.ts';
import { judgeRequest } from './judge.ts';
import { type Match, matchRequest } from './match.ts';
import { argumentsOf, callsOf } from './read-message.ts';
import { type RequestFacts, readRequest } from './read-request.ts';
import { createReader, type Response } from './read-response.ts';
import { recognise } from './recognise.ts';
import { remarksOn, unreadSteps } from './remarks.ts';
import { resentTokens } from './resent-tokens.ts';
import { type Rule, ruleOf } from './rules.ts';
import { givenUpBy, type Settling, settleWithRefusal, settleWithRoute, settleWithSuccess } from './settle.ts';
import { clientSwitch, serverSwitch } from './switches.ts';
import type { ChatTables } from './tables.ts';
import { readTurns } from './turns.ts';

const NO_REFERENCES: ReadonlyMap<string, number> = new Map();

/** One call of Chat Completions, from request to end. */
export function openCall(
  input: RequestInput,
  ledger: Ledger,
  producer: ProducerRef | undefined,
  tables: ChatTables,
): DialectCall | undefined {
  const read = readRequest(input, tables.models);
  if (read === undefined) return undefined;
  const turns = readTurns(read.messages);
  const match = matchRequest(read, turns, ledger);
  const facts = withEvidence(read, match);
  const rule = understand(facts, match, tables, input.path);
  const draft = judgeRequest(facts, turns, match, ledger, rule);
  const settling: Settling = { draft, facts, turns, rule };
  const newest = draft.compared.at(-1)?.answer;
  const key = requestKey(turns.prefix, facts.system, facts.tools);
  const refused = ledger.refused(key);
  const runId = input.runId ?? (draft.sideline ? undefined : newest?.runId) ?? refused?.runId ?? randomUUID();
  const expectation = expectationOf(input, facts, turns, plannedIn(input.experimentArm, draft), rule);
  const reader = createReader();
  let refusal: Refusal | undefined;
  let response: Response | undefined;
  let answers: readonly ChatAnswer[] = [];
  let toolCalls: readonly ToolCallSeen[] = [];
  let remarks: readonly Remark[] = [];

  const mark = (): RequestMark => ({
    ...markTarget(API, facts),
    ...optional('mode', facts.thinking.mode),
    ...optional('reasoningOn', facts.thinking.on),
    prefix: turns.prefix,
    lastMessage: facts.messages.at(-1)?.part ?? 0,
    messageCount: facts.messages.length,
    system: facts.system,
    tools: facts.tools,
    binding: facts.toolSet,
    referencedTools: NO_REFERENCES,
    config: facts.config,
    seals: draft.seals.chain,
    answers: draft.sideline ? undefined : draft.answers,
    compaction: 0,
  });

  const judge = (commit: boolean): Judgement => {
    const [answer] = answers;
    const step = {
      request: plannedIn(input.experimentArm, draft),
      cycle: { open: turns.open, steps: turns.cycleGroups, toolCalls: turns.cycleCalls },
      answer,
      issued: answers.reduce((sum, { blocks }) => sum + blocks.length, 0),
      expectation,
      present: answer && presenceOf(answer, rule),
      visibility: answer && visibilityOf(answer),
      mode: facts.thinking.mode,
      modelSwitch: clientSwitch(draft, facts, rule) ?? (response && serverSwitch(facts, response)),
      rejection: refusal?.rejection,
      tokens: response && resentTokens(draft, response.usage),
      runId,
      refusedAt: refused?.producer,
      toolCalls,
      remarks,
    } as const;
    return toJudgement(step, commit);
  };

  const refuse = (error: CallError): void => {
    refusal = classifyError(error);
    if (refusal !== undefined) settleWithRefusal(settling, refusal);
  };

  const settle = (end: CallEnd): void => {
    const failure = reader.failure();
    if (failure !== undefined && refusal === undefined) refuse(failure);
    response = reader.end(end === 'completed');
    if (response !== undefined) {
      if (refusal === undefined) settleWithSuccess(settling, response);
      settleWithRoute(settling, response.upstream);
      record(response);
    }
    if (refusal !== undefined) {
      for (const block of givenUpBy(draft, refusal)) block.counted.givenUp = true;
      ledger.refuse(key, { runId, rejection: refusal.rejection, ...optional('producer', producer) });
    }
    noteContinuation(newest, draft.rows, turns.prefix);
  };

  const record = (received: Response): void => {
    const giving = { request: mark(), runId, producer, rule, unread: unreadSteps(draft, received.usage) };
    answers = received.choices.map((choice) => issueAnswer(received, choice, giving));
    for (const answer of answers) ledger.record(answer);
    toolCalls = noteToolCalls(toolCallsOf(received), ledger, runId);
    const [answer] = answers;
    if (answer === undefined) return;
    const refusedBefore = refused?.rejection;
    remarks = remarksOn({ facts, turns, rule, draft, response: received, answer, refusedBefore }, ledger, runId);
  };

  return createDialectCall({
    facts: () => callFacts(facts, rule, response, reader.started()),
    reader,
    judge,
    refuse,
    settle,
  });
}

/** Where the settings do not say, what they led to before does: the same ones, on the same model. */
function withEvidence(facts: RequestFacts, match: Match): RequestFacts {
  const { thinking } = facts;
  if (thinking.on === true || thinking.member !== undefined) return facts;
  const reasoned = match.seen.some(({ answer }) => {
    const { request } = answer;
    const same = request.api === API && request.model === facts.model.id && request.config === facts.config;
    return same && (answer.blocks.length > 0 || (answer.reasoningTokens ?? 0) > 0);
  });
  return reasoned ? { ...facts, thinking: { ...thinking, on: true, mode: thinking.effort ?? 'enabled' } } : facts;
}

/** The rules of the place that the request goes to; what answers from there looked like tells an unknown one. */
function understand(facts: RequestFacts, match: Match, tables: ChatTables, path: string | undefined): Rule {
  const { endpoint, provider, requestModel, model } = facts;
  const hint = match.seen.findLast(({ answer }) => {
    const { request } = answer;
    // Without an endpoint each maker's models are at its own host.
    const samePlace = request.endpoint === endpoint && (endpoint !== undefined || request.vendor === model.vendor);
    return samePlace && asChatAnswer(answer)?.chat.signature !== undefined;
  });
  const signature = hint && asChatAnswer(hint.answer)?.chat.signature;
  const { profile, known } = recognise({ endpoint, path, provider, requestModel, model }, tables.hosts, signature);
  return ruleOf(profile, known, model, facts.thinking, facts.body);
}

function presenceOf(answer: ChatAnswer, { profile, model, thinking }: Rule): boolean | undefined {
  if (answer.blocks.length > 0 || (answer.reasoningTokens ?? 0) > 0) return true;
  // Where nothing is shown, only the count of tokens would tell; a cut stream says nothing at all.
  const unseen = profile.returns === 'nothing' || thinking.hidden || model.row.seals === 'calls';
  return answer.complete && !(unseen && answer.reasoningTokens === undefined) ? false : undefined;
}

function visibilityOf(answer: ChatAnswer): Visibility | undefined {
  const { blocks } = answer;
  if (blocks.length === 0) return (answer.reasoningTokens ?? 0) > 0 ? 'omitted' : undefined;
  if (blocks.every(({ text }) => text === undefined)) return 'encrypted';
  return blocks.some(({ type, text }) => text !== undefined && type !== 'reasoning.summary') ? 'full' : 'summary';
}

function toolCallsOf({ choices }: Response): readonly ToolCallMade[] {
  return callsOf(choices[0]?.message ?? {}).map(({ call }) => {
    const own = asObject(call.function) ?? asObject(call.custom) ?? {};
    const name = asString(own.name) ?? 'unknown';
    return { name, key: mix(digest(name), argumentsOf(own)) };
  });
}
