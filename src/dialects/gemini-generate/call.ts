import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import type { Entry } from '../../continuity/summary.ts';
import { toJudgement } from '../../continuity/to-judgement.ts';
import { noteToolCalls, type ToolCallMade } from '../../continuity/tool-calls.ts';
import type { Expectation } from '../../continuity/vocabulary.ts';
import { canonical } from '../canonical-json.ts';
import type { CallEnd, CallFacts, DialectCall, RequestInput } from '../dialect.ts';
import { createDialectCall } from '../dialect-call.ts';
import { asArray, asNumber, asObject, asString, isObject } from '../json.ts';
import { markTarget } from '../mark-target.ts';
import { optional, withoutUndefined } from '../optional.ts';
import { arrivedFrom } from './arrival.ts';
import { culpritOf } from './culprit.ts';
import { API } from './echo.ts';
import { classifyError, MISSING_SIGNATURE, RESULTS_MISPAIRED, type Refusal } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { issueAnswer } from './issue.ts';
import { judgeRequest } from './judge.ts';
import { newestKept } from './judge-history.ts';
import type { JudgeTables } from './judge-tables.ts';
import { type Match, matchRequest } from './match.ts';
import { member } from './member.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import { type RequestFacts, readRequest } from './read-request.ts';
import { createReader, type Response } from './read-response.ts';
import { resentTokens } from './resent-tokens.ts';
import { settleWithRefusal } from './settle.ts';
import { clientSwitch, serverSwitch } from './switches.ts';
import { resolveThinking } from './thinking.ts';
import { readTurns } from './turns.ts';

/** One call of generateContent or its stream, from request to end: one hop of automatic function calling or continuation. */
export function openCall(
  input: RequestInput,
  ledger: Ledger,
  producer: ProducerRef | undefined,
  tables: JudgeTables,
): DialectCall | undefined {
  const request = readRequest(input, tables.models);
  if (request === undefined) return undefined;
  const turns = readTurns(request.contents);
  const match = matchRequest(request, turns, ledger);
  let facts = servedBy(request, lastServed(request, match), tables);
  let draft = judgeRequest(facts, turns, match, ledger, tables);
  const newest = draft.compared.at(-1)?.answer;
  const arrived = newest === undefined ? arrivedFrom(facts, turns, ledger) : undefined;
  const key = requestKey(turns.prefix, facts.system, facts.tools);
  const refused = ledger.refused(key);
  // A hop that goes on with an answer is sent without it: only the beginning is the same.
  const resumed = facts.resumes ? ledger.byPrefix(turns.prefix).findLast(({ unfinished }) => unfinished) : undefined;
  const kept = newestKept(facts);
  const before = draft.sideline ? undefined : (newest ?? arrived);
  const inherited = resumed?.runId ?? before?.runId ?? kept?.runId ?? refused?.runId;
  const runId = input.runId ?? inherited ?? randomUUID();
  const reader = createReader();
  let refusal: Refusal | undefined;
  let response: Response | undefined;
  let answer: Answer | undefined;
  let present: boolean | undefined;
  let toolCalls: readonly ToolCallSeen[] = [];

  const mark = (): RequestMark => ({
    ...markTarget(API, facts),
    ...optional('route', facts.route),
    prefix: turns.prefix,
    lastMessage: facts.contents.at(-1)?.whole ?? 0,
    messageCount: facts.contents.length,
    system: facts.system,
    tools: facts.tools,
    referencedTools: NO_TOOLS,
    ...optional('mode', facts.thinking.mode),
    ...optional('reasoningOn', facts.thinking.on),
    config: facts.config,
    seals: undefined,
    answers: draft.sideline ? undefined : draft.answers,
    compaction: 0,
  });

  const judge = (commit: boolean): Judgement => {
    const request = plannedIn(input.experimentArm, draft);
    const { visibility, mode } = facts.thinking;
    const step = {
      request,
      cycle: { open: turns.open, steps: turns.cycleGroups, toolCalls: turns.cycleCalls },
      answer,
      issued: answer?.blocks.length ?? 0,
      expectation: neededBy(expectationOf(input, facts, request), answer, facts),
      present,
      visibility,
      mode,
      modelSwitch: clientSwitch(before, draft, facts, tables) ?? (response && serverSwitch(facts, response, tables)),
      rejection: refusal?.rejection,
      tokens: response && resentTokens(draft, facts, response.usage),
      runId,
      refusedAt: refused?.producer,
      toolCalls,
      culpritOf: (entry: Entry) => culpritOf(entry, input),
    } as const;
    return toJudgement(step, commit);
  };

  const settle = (end: CallEnd): void => {
    response = reader.end();
    if (response !== undefined) {
      // What served the request decides, not the alias that was asked for.
      const served = servedBy(facts, response.model, tables);
      if (served !== facts) {
        facts = served;
        draft = judgeRequest(facts, turns, match, ledger, tables);
      }
      const inside = refusedInside(response, turns.mispaired);
      if (inside !== undefined) {
        refusal = inside;
        settleWithRefusal(draft, inside, match);
      }
      const issue = { request: mark(), runId, producer, completed: end === 'completed', models: tables.models };
      const answers = response.candidates.map((candidate) => issueAnswer(candidate, response as Response, issue));
      for (const one of answers) ledger.record(one);
      answer = answers[0];
      if (input.keeper !== undefined && answer !== undefined) input.keeper.newest = answer;
      present = presenceOf(answer, response);
      toolCalls = noteToolCalls(callsOf(response), ledger, runId);
    }
    if (refusal !== undefined) {
      ledger.refuse(key, { runId, rejection: refusal.rejection, ...optional('producer', producer) });
    }
    noteContinuation(newest, draft.rows, turns.prefix);
  };

  return createDialectCall({
    facts: () => callFacts(facts, input, response, reader.isStreamed()),
    reader,
    judge,
    refuse(error) {
      refusal = classifyError(error);
      if (refusal !== undefined) settleWithRefusal(draft, refusal, match);
    },
    settle,
  });
}

const NO_TOOLS: ReadonlyMap<string, number> = new Map();

/** What the same alias was served by when the history's newest answer came. */
function lastServed(facts: RequestFacts, match: Match): string | undefined {
  return match.seen.findLast(({ answer }) => answer.request.requestModel === facts.requestModel)?.answer.model;
}

/** The facts with the rules of the model that serves an alias; the same object where that changes nothing. */
function servedBy(facts: RequestFacts, served: string | undefined, tables: JudgeTables): RequestFacts {
  if (served === undefined) return facts;
  const model: ResolvedModel = resolveModel(served, tables.models);
  if (model.row === undefined || model.row === facts.model.row || model.vendor !== facts.model.vendor) return facts;
  const config = asObject(member(facts.settings, 'thinkingConfig'));
  return { ...facts, model, thinking: resolveThinking(config, model) };
}

/** Success by its status, and nothing in it: the one the API names itself, the other is how it answers bad pairing. */
function refusedInside(response: Response, mispaired: boolean): Refusal | undefined {
  const [candidate] = response.candidates;
  if (candidate?.finishReason === 'MISSING_THOUGHT_SIGNATURE') return { rejection: MISSING_SIGNATURE };
  const silent = candidate !== undefined && candidate.finishReason === 'STOP' && candidate.parts.every(isBlank);
  return silent && mispaired ? { rejection: RESULTS_MISPAIRED } : undefined;
}

const isBlank = (part: object): boolean =>
  Object.entries(part).every(([name, value]) => name === 'text' && value === '');

function presenceOf(answer: Answer | undefined, response: Response): boolean | undefined {
  if (answer === undefined) return undefined;
  const thought = answer.pieces.some(({ label }) => label === 'thought');
  if (thought || answer.blocks.some(({ seal }) => seal !== undefined) || (response.usage.reasoning ?? 0) > 0)
    return true;
  // A blocked answer or a cut stream says nothing about whether the model would have thought.
  return answer.complete && !answer.discardable ? false : undefined;
}

/** Every step of a strict model that calls a tool has been thought about. */
function neededBy(expectation: Expectation, answer: Answer | undefined, facts: RequestFacts): Expectation {
  const calls = answer?.complete === true && answer.pieces.some(({ kind }) => kind === 'call');
  const strict = facts.model.row?.seals === 'strict';
  return expectation === 'not_applicable' && calls && strict ? 'expected' : expectation;
}

function callsOf({ candidates }: Response): readonly ToolCallMade[] {
  return (candidates[0]?.parts ?? []).flatMap((part) => {
    const call = asObject(member(part, 'functionCall'));
    if (call === undefined || call.name === undefined) return [];
    const key = mix(digest(String(call.name)), canonical(call.args ?? {}));
    return [{ name: asString(call.name) ?? 'unknown', key }];
  });
}

const PROVIDERS = { developer: 'gcp.gemini', vertex: 'gcp.vertex_ai' } as const;

function callFacts(
  facts: RequestFacts,
  input: RequestInput,
  response: Response | undefined,
  streamed: boolean,
): CallFacts {
  const { settings } = facts;
  const finish = response?.candidates.flatMap(({ finishReason }) => finishReason?.toLowerCase() ?? []);
  const settled = {
    maxTokens: asNumber(member(settings, 'maxOutputTokens')),
    temperature: asNumber(settings.temperature),
    topP: asNumber(member(settings, 'topP')),
    topK: asNumber(member(settings, 'topK')),
    stopSequences: asArray(member(settings, 'stopSequences'))?.length,
    reasoningLevel: facts.thinking.level,
    responseId: response?.id,
    responseModel: response?.model,
    finishReasons: finish?.length ? finish : undefined,
    usage: response?.usage,
  };
  return {
    provider: input.provider ?? (facts.route === undefined ? 'gcp.gen_ai' : PROVIDERS[facts.route]),
    operation: 'generate_content',
    requestModel: facts.requestModel,
    stream: streamed || (isObject(input.body) && input.body.stream === true),
    ...withoutUndefined(settled),
  };
}
