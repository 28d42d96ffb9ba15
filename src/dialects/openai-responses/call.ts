import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { mix } from '../../continuity/digest.ts';
import type { Judgement, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { toJudgement } from '../../continuity/to-judgement.ts';
import { noteToolCalls, type ToolCallMade } from '../../continuity/tool-calls.ts';
import type { Remark, Visibility } from '../../continuity/vocabulary.ts';
import type { CallEnd, CallError, DialectCall, RequestInput } from '../dialect.ts';
import { createDialectCall } from '../dialect-call.ts';
import { asString } from '../json.ts';
import { markTarget } from '../mark-target.ts';
import { optional } from '../optional.ts';
import { API } from './api.ts';
import type { Draft, Request } from './context.ts';
import { classifyError, type Refusal } from './errors.ts';
import { expectationOf } from './expectation.ts';
import { callFacts } from './facts.ts';
import { isHome, type JudgeTables } from './foreign.ts';
import { readHistory } from './history.ts';
import { issueAnswer } from './issue.ts';
import { judgeRequest } from './judge.ts';
import { matchRequest } from './match.ts';
import { resolveModel } from './models.ts';
import { resolveNamed } from './named.ts';
import { idKey, rememberItem } from './read-item.ts';
import { type RequestFacts, readRequest } from './read-request.ts';
import { createReader, type Response } from './read-response.ts';
import { type Reported, resolveReasoning } from './reasoning.ts';
import { remarksOn } from './remarks.ts';
import { resentTokens } from './resent-tokens.ts';
import { settleWithList, settleWithRefusal, settleWithRoute, settleWithSuccess } from './settle.ts';
import { clientSwitch, serverSwitch } from './switches.ts';
import { readTurns, type Turns } from './turns.ts';
import { rememberUpstream } from './upstream.ts';

/** One call of the Responses API, from request to end. */
export function openCall(
  input: RequestInput,
  ledger: Ledger,
  producer: ProducerRef | undefined,
  tables: JudgeTables,
): DialectCall | undefined {
  const read = readRequest(input, tables.models);
  if (read === undefined) return undefined;
  const opened = read;
  let request = understand(read, ledger, tables);
  let draft = judgeRequest(request, ledger, tables);
  const { facts, turns, history } = request;
  const newest = draft.compared.at(-1)?.answer ?? history.parent;
  const key = requestKey(turns.prefix, facts.system, facts.tools);
  const refused = ledger.refused(key);
  const runId = input.runId ?? (draft.sideline ? undefined : newest?.runId) ?? refused?.runId ?? randomUUID();
  const reader = createReader();
  let refusal: Refusal | undefined;
  let response: Response | undefined;
  let answer: Answer | undefined;
  let toolCalls: readonly ToolCallSeen[] = [];
  let remarks: readonly Remark[] = [];

  const mark = (): RequestMark => {
    const { effort, on } = request.facts.reasoning;
    const conversation =
      facts.conversation ?? (response?.conversation === undefined ? undefined : idKey(response.conversation));
    return {
      ...markTarget(API, { ...facts, model: request.facts.model }),
      ...optional('user', facts.user),
      ...optional('conversation', conversation),
      ...optional('mode', effort),
      ...optional('reasoningOn', on),
      route: facts.host.route,
      prefix: turns.prefix,
      spoken: turns.spoken,
      system: facts.system,
      tools: facts.tools,
      referencedTools: NO_TOOLS,
      binding: facts.format,
      config: facts.config,
      seals: draft.row.chain,
      answers: draft.sideline ? undefined : draft.answers,
      compaction: turns.compaction,
      stored: facts.stored && response?.stored !== false,
      answered: turns.results,
    };
  };

  const judge = (commit: boolean): Judgement => {
    const planned = plannedIn(input.experimentArm, draft);
    const present = answer && presenceOf(answer);
    const invisible = present === false && (response?.usage.reasoning ?? 0) > 0;
    const step = {
      request: planned,
      cycle: { open: turns.open, steps: Math.max(cycleSteps(draft, turns), 1), toolCalls: turns.cycleCalls },
      answer,
      issued: answer?.blocks.length ?? 0,
      // Reasoning that was paid for and did not arrive was taken out on the way, or the host never shows it.
      expectation: invisible ? 'expected' : expectationOf(input, request, planned),
      present,
      visibility: visibilityOf(answer, request),
      mode: request.facts.reasoning.effort,
      modelSwitch: clientSwitch(draft, request, tables) ?? (response && serverSwitch(request, response, tables)),
      rejection: refusal?.rejection,
      tokens: response && resentTokens(draft, request, response.usage),
      runId,
      refusedAt: refused?.producer,
      toolCalls,
      remarks,
    } as const;
    return toJudgement(step, commit);
  };

  const refuse = (error: CallError): void => {
    refusal = classifyError(error) ?? refusal;
    if (refusal !== undefined) settleWithRefusal(draft, request, refusal);
  };

  const settle = (end: CallEnd): void => {
    response = reader.end();
    const failure = reader.failure();
    if (failure !== undefined && refusal === undefined) refusal = classifyError(failure);
    if (response !== undefined) {
      const wentThrough = refusal === undefined && end === 'completed' && !UNDECIDED.has(response.status);
      const found = wentThrough && history.disproved && isLeftToProvider(request);
      const asked = found ? understand(opened, ledger, tables, true) : request;
      const reopened = withReported(asked, response, tables) ?? (found ? asked : undefined);
      if (reopened !== undefined) {
        request = reopened;
        draft = judgeRequest(request, ledger, tables);
      }
      if (wentThrough) settleWithSuccess(draft);
      settleWithRoute(draft, request, response.provider);
      if (response.transformations !== undefined) settleWithList(draft, request, response.transformations);
    }
    if (refusal !== undefined) {
      settleWithRefusal(draft, request, refusal);
      ledger.refuse(key, { runId, rejection: refusal.rejection, ...optional('producer', producer) });
    }
    if (response !== undefined) record(response, end);
    for (const block of draft.givenUp) {
      block.counted.givenUp = true;
      if (isHome(block, request.facts)) block.counted.givenUpAtHome = true;
    }
    noteContinuation(newest, draft.rows, turns.prefix);
  };

  const record = (received: Response, end: CallEnd): void => {
    const { turnAnswers, sideline } = draft;
    const before = {
      turnAnswers: (sideline ? 0 : turnAnswers.length) + 1,
      open: turns.open,
      cycleGroups: cycleSteps(draft, turns),
      cycleCalls: turns.cycleCalls,
      ...optional('effort', facts.effortUpdate ?? history.standing?.effort),
    };
    const issued = issueAnswer(received, mark(), before, runId, producer, end === 'completed');
    // A response that is fetched once more is no second answer.
    const known =
      issued.key === undefined ? undefined : ledger.byPiece(issued.key).findLast((one) => isSameAnswer(one, issued));
    answer = known ?? issued;
    rememberUpstream(answer, received.provider);
    if (known === undefined) ledger.record(issued);
    toolCalls = noteToolCalls(callsOf(received), ledger, runId);
    const present = presenceOf(answer);
    remarks = remarksOn({ draft, response: received, refusedBefore: refused?.rejection, present }, ledger, runId);
  };

  return createDialectCall({
    facts: () => callFacts(facts, response, reader.started()),
    reader,
    judge,
    refuse,
    settle,
  });
}

/** Relies on answers that it names and does not send: had it both, they would be there twice, which is refused. */
function isLeftToProvider({ history, match }: Request): boolean {
  return history.lost.length > 0 && !history.lost.some((answer) => match.byAnswer.has(answer));
}

/** States in which nothing is known yet of whether a request was accepted. */
const UNDECIDED = new Set<string | undefined>(['queued', 'in_progress', 'failed', 'cancelled']);
const NO_TOOLS: ReadonlyMap<string, number> = new Map();

/** Answers with calls in the cycle; results between the calls of one answer do not make two of it. */
function cycleSteps({ turnAnswers }: Draft, { cycleGroups, cycleCalls }: Turns): number {
  const calls = turnAnswers.map(({ pieces }) => pieces.filter(({ kind }) => kind === 'call').length);
  const known = calls.reduce((sum, count) => sum + count, 0);
  return known === cycleCalls ? calls.filter((count) => count > 0).length : cycleGroups;
}

/** Puts a request together with what the provider keeps and with what was reported of its model before. */
function understand(read: RequestFacts, ledger: Ledger, tables: JudgeTables, assumeKept = false): Request {
  const history = readHistory(read, ledger, assumeKept);
  const isNamed = read.items.some(({ kind }) => kind === 'named');
  const items = isNamed ? read.items.map((item) => resolveNamed(item, ledger)) : read.items;
  const turns = readTurns(items, history);
  const match = matchRequest(read, items, turns, history, ledger);
  const before = match.seen.findLast(({ answer }) => answer.request.requestModel === read.requestModel)?.answer;
  // A deployment bears its owner's name; what it stands for, its answers say.
  const behind = read.model.exact || before === undefined ? undefined : resolveModel(before.model, tables.models);
  const model = behind?.exact ? behind : read.model;
  const update = read.effortUpdate ?? history.standing?.effort;
  const asked = resolveReasoning(read.body.reasoning, update, model);
  const reported = {
    ...optional('context', asked.contextAsked === undefined ? before?.context : undefined),
    ...(update === undefined && before && effortBehind(before, read)),
  };
  const reasoning = resolveReasoning(read.body.reasoning, update, model, reported);
  return { facts: { ...read, model, reasoning }, items, history, turns, match };
}

/** What the same settings came to before; a change of them is another matter. */
function effortBehind({ request, after }: Answer, { config }: RequestFacts): Reported {
  if (request.api !== API || request.config !== config || after?.effort !== undefined) return {};
  return { ...optional('effort', request.mode), reasoned: request.reasoningOn === true };
}

/** The request as the response says that it was understood; undefined where that changes nothing. */
function withReported(request: Request, response: Response, tables: JudgeTables): Request | undefined {
  const { facts, history } = request;
  const served = response.model === undefined ? undefined : resolveModel(response.model, tables.models);
  const model = !facts.model.exact && served?.exact ? served : facts.model;
  const update = facts.effortUpdate ?? history.standing?.effort;
  const { effort, on, context } = facts.reasoning;
  const reasoned = answerHasReasoning(response);
  // An answer that says nothing of its settings, and does without reasoning, leaves what was known before.
  const silent = response.reported.effort === undefined && !reasoned && model === facts.model;
  const reported: Reported = {
    ...optional('context', context),
    ...(silent ? { ...optional('effort', effort), reasoned: on === true } : { reasoned }),
    ...response.reported,
  };
  const reasoning = resolveReasoning(facts.body.reasoning, update, model, reported);
  if (model === facts.model && reasoning.effort === effort && reasoning.on === on && reasoning.context === context)
    return undefined;
  return { ...request, facts: { ...facts, model, reasoning } };
}

function isSameAnswer(known: Answer, issued: Answer): boolean {
  const { endpoint, leg } = issued.request;
  if (known.key !== issued.key || known.request.endpoint !== endpoint || known.request.leg !== leg) return false;
  return known.complete && known.pieces.length === issued.pieces.length;
}

function answerHasReasoning({ items }: Response): boolean {
  return items.some(({ item }) => item.type === 'reasoning');
}

function presenceOf(answer: Answer): boolean | undefined {
  if (answer.blocks.some(({ type }) => type === 'reasoning')) return true;
  // A cut response says nothing about whether the model would have reasoned; a summary of the history has no need to.
  return answer.complete && !answer.discardable && answer.compaction === 0 ? false : undefined;
}

function visibilityOf(answer: Answer | undefined, { facts }: Request): Visibility | undefined {
  const blocks = answer?.blocks.filter(({ type }) => type === 'reasoning') ?? [];
  if (blocks.length > 0) {
    if (blocks.some(({ text }) => text !== undefined)) return 'full';
    if (blocks.some(({ summary }) => summary !== undefined)) return 'summary';
    return blocks.some(({ seal }) => seal !== undefined) ? 'encrypted' : 'omitted';
  }
  if (facts.reasoning.on !== true) return undefined;
  return facts.reasoning.summary ? 'summary' : 'encrypted';
}

/** Calls that wait for the client; a hosted call is the provider's own business. */
function callsOf({ items }: Response): readonly ToolCallMade[] {
  return items.flatMap(({ item }) => {
    const read = rememberItem(item);
    return read.kind === 'call' ? [{ name: asString(item.name) ?? read.type, key: mix(read.name, read.input) }] : [];
  });
}
