import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ModelSwitch, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { toJudgement } from '../../continuity/to-judgement.ts';
import { noteToolCalls, type ToolCallMade } from '../../continuity/tool-calls.ts';
import type { Expectation, SwitchDirection } from '../../continuity/vocabulary.ts';
import { canonical } from '../canonical-json.ts';
import type { CallEnd, CallFacts, DialectCall, RequestInput } from '../dialect.ts';
import { createDialectCall } from '../dialect-call.ts';
import { asNumber, asString } from '../json.ts';
import { markTarget } from '../mark-target.ts';
import { optional, withoutUndefined } from '../optional.ts';
import { readHistory, sealsBefore } from './chain.ts';
import { classifyError, PREVIOUS_NOT_FOUND, SIGNATURE_INVALID } from './errors.ts';
import { issueAnswer } from './issue.ts';
import { type Draft, judgeRequest } from './judge.ts';
import { matchRequest } from './match.ts';
import { type Model, readModel } from './models.ts';
import { type RequestFacts, readRequest } from './read-request.ts';
import { createReader, type Response } from './read-response.ts';
import { resentTokens } from './resent-tokens.ts';
import { API } from './slots.ts';
import { readTurns } from './turns.ts';

const NO_TOOLS: ReadonlyMap<string, number> = new Map();

/** One interaction, from request to end; a continuation is one of its own. */
export function openCall(
  input: RequestInput,
  ledger: Ledger,
  producer: ProducerRef | undefined,
): DialectCall | undefined {
  const request = readRequest(input);
  if (request === undefined) return undefined;
  const facts = request;
  const history = readHistory(facts, ledger);
  const turns = readTurns(facts.steps, history.parent?.after);
  const match = matchRequest(facts, turns, ledger);
  const draft = judgeRequest(facts, turns, match, history, ledger);
  const key = requestKey(turns.prefix, facts.system, facts.tools);
  const refused = ledger.refused(key);
  const inherited = draft.sideline ? undefined : draft.newest?.runId;
  const runId = input.runId ?? inherited ?? refused?.runId ?? randomUUID();
  const reader = createReader();
  let rejection: string | undefined;
  let response: Response | undefined;
  let answer: Answer | undefined;
  let present: boolean | undefined;
  let toolCalls: readonly ToolCallSeen[] = [];

  const mark = (): RequestMark => ({
    ...markTarget(API, facts),
    prefix: turns.prefix,
    messageCount: facts.steps.length,
    system: facts.system,
    tools: facts.tools,
    referencedTools: NO_TOOLS,
    ...optional('mode', facts.level),
    ...optional('reasoningOn', facts.on),
    config: facts.config,
    seals: sealsBefore(facts, history),
    answers: draft.sideline ? undefined : draft.answers,
    compaction: 0,
    stored: facts.stored,
  });

  const judge = (commit: boolean): Judgement => {
    const request = plannedIn(input.experimentArm, draft);
    const step = {
      request,
      cycle: { open: turns.open, steps: turns.cycleGroups, toolCalls: turns.cycleCalls },
      answer,
      issued: answer?.blocks.length ?? 0,
      expectation: expectationOf(input, facts, request),
      present,
      visibility: facts.on === false ? undefined : facts.summaries ? 'summary' : 'omitted',
      mode: facts.level,
      modelSwitch: switchOf(facts, draft, response),
      rejection,
      tokens: response && resentTokens(draft, facts, response),
      runId,
      refusedAt: refused?.producer,
      toolCalls,
    } as const;
    return toJudgement(step, commit);
  };

  const settle = (end: CallEnd): void => {
    response = reader.end();
    if (response !== undefined) {
      // A request that goes through shows that the interaction it names was kept after all.
      for (const row of draft.rows) if (row.entry?.kind === 'unsealed') row.entry = undefined;
      const issue = {
        request: mark(),
        turns,
        turnAnswers: draft.turnAnswers,
        runId,
        producer,
        completed: end === 'completed',
      };
      answer = issueAnswer(response, issue);
      ledger.record(answer);
      present = presenceOf(answer, response);
      toolCalls = noteToolCalls(callsOf(response), ledger, runId);
    }
    if (rejection !== undefined) ledger.refuse(key, { runId, rejection, ...optional('producer', producer) });
    noteContinuation(draft.newest, draft.rows, turns.prefix);
  };

  return createDialectCall({
    facts: () => callFacts(facts, input, response),
    reader,
    judge,
    refuse(error) {
      const found = classifyError(error);
      // Only a request that names an interaction can be told that there is none.
      rejection =
        found === PREVIOUS_NOT_FOUND && facts.parent === undefined
          ? error.status === 400
            ? 'unclassified'
            : undefined
          : found;
      if (rejection === SIGNATURE_INVALID) blameTarget(draft, match.unknown.length > 0);
    },
    settle,
  });
}

/** Seals as they were issued, and refused: the target cannot read them, unless others went along that nobody here knows. */
function blameTarget({ rows }: Draft, unknown: boolean): void {
  if (unknown || rows.some(({ entry }) => entry !== undefined)) return;
  for (const row of rows) {
    const common = {
      count: 1,
      source: 'client',
      severity: 'loss',
      certainty: 'certain',
      answer: row.block.answer,
    } as const;
    row.entry = { kind: 'foreign', path: row.path(), cycle: row.cycle, ...common };
  }
}

/** A level only bounds the thinking: the model may decide not to think. */
function expectationOf(input: RequestInput, facts: RequestFacts, { others }: Draft): Expectation {
  if (input.expectReasoning !== undefined) return input.expectReasoning ? 'expected' : 'not_expected';
  if (others.some(({ kind }) => kind === 'mode_toggled')) return 'expected';
  return facts.on === false ? 'not_expected' : 'not_applicable';
}

function presenceOf(answer: Answer, { usage }: Response): boolean | undefined {
  if (answer.blocks.length > 0 || (usage.reasoning ?? 0) > 0) return true;
  return answer.complete && !answer.discardable ? false : undefined;
}

function switchOf(facts: RequestFacts, draft: Draft, response: Response | undefined): ModelSwitch | undefined {
  const asked = draft.sideline ? undefined : draft.newest?.request.requestModel;
  const change = (from: string, to: string): ModelSwitch | undefined => {
    const [one, other] = [readModel(from), readModel(to)];
    if (one.id === other.id || one.generation === undefined || other.generation === undefined) return undefined;
    return { direction: directionOf(one, other), from, to, survives: one.vendor === other.vendor ? 'kept' : 'dropped' };
  };
  const client = asked === undefined ? undefined : change(asked, facts.requestModel);
  return client ?? (response?.model === undefined ? undefined : change(facts.requestModel, response.model));
}

function directionOf(from: Model, to: Model): SwitchDirection {
  if (from.vendor !== to.vendor) return 'cross_provider';
  const step = (to.generation ?? 0) - (from.generation ?? 0) || to.tier - from.tier;
  if (step === 0) return 'lateral';
  return step > 0 ? 'upgrade' : 'downgrade';
}

function callsOf({ steps }: Response): readonly ToolCallMade[] {
  return steps.flatMap(({ step }) => {
    if (step.type !== 'function_call') return [];
    const key = mix(digest(String(step.name)), canonical(step.arguments ?? {}));
    return [{ name: asString(step.name) ?? 'unknown', key }];
  });
}

function callFacts(facts: RequestFacts, input: RequestInput, response: Response | undefined): CallFacts {
  const { settings } = facts;
  const settled = {
    maxTokens: asNumber(settings.max_output_tokens),
    temperature: asNumber(settings.temperature),
    topP: asNumber(settings.top_p),
    reasoningLevel: asString(settings.thinking_level)?.toLowerCase(),
    responseId: response?.id,
    responseModel: response?.model,
    finishReasons: response?.status === undefined ? undefined : [response.status],
    usage: response?.usage,
  };
  return {
    provider: input.provider ?? 'gcp.gemini',
    operation: 'generate_content',
    requestModel: facts.requestModel,
    stream: facts.stream,
    ...withoutUndefined(settled),
  };
}
