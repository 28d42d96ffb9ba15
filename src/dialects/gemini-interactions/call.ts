import { randomUUID } from 'node:crypto';
import type { Answer, RequestMark } from '../../continuity/answer.ts';
import { assertionOf } from '../../continuity/assertion.ts';
import { digest, mix } from '../../continuity/digest.ts';
import type { Judgement, ModelSwitch, ProducerRef, ToolCallSeen } from '../../continuity/judgement.ts';
import { type Ledger, requestKey } from '../../continuity/ledger.ts';
import { noteContinuation } from '../../continuity/lineage.ts';
import { plannedIn } from '../../continuity/planned.ts';
import { producersOf } from '../../continuity/producers.ts';
import { continuityOf, countBlocks, type Entry, toFindings, verdictOf } from '../../continuity/summary.ts';
import type { Expectation, SwitchDirection } from '../../continuity/vocabulary.ts';
import { canonical } from '../canonical-json.ts';
import type { CallEnd, CallFacts, DialectCall, RequestInput } from '../dialect.ts';
import { asNumber, asString } from '../json.ts';
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
  let last: Judgement | undefined;

  const mark = (): RequestMark => ({
    api: API,
    requestModel: facts.requestModel,
    model: facts.model.id,
    vendor: facts.model.vendor,
    ...(facts.endpoint === undefined ? {} : { endpoint: facts.endpoint }),
    ...(facts.leg === undefined ? {} : { leg: facts.leg }),
    ...(facts.account === undefined ? {} : { account: facts.account }),
    prefix: turns.prefix,
    messageCount: facts.steps.length,
    system: facts.system,
    tools: facts.tools,
    referencedTools: NO_TOOLS,
    ...(facts.level === undefined ? {} : { mode: facts.level }),
    ...(facts.on === undefined ? {} : { reasoningOn: facts.on }),
    config: facts.config,
    seals: sealsBefore(facts, history),
    answers: draft.sideline ? undefined : draft.answers,
    compaction: 0,
    stored: facts.stored,
  });

  const judge = (commit: boolean): Judgement => {
    const { rows, others } = plannedIn(input.experimentArm, draft);
    const entries: Entry[] = rows.flatMap(({ entry }) => entry ?? []);
    entries.push(...others);
    const findings = toFindings(entries);
    const { blocks, firstSeen } = countBlocks(rows, others, draft.released, answer?.blocks.length ?? 0, commit);
    const expectation = expectationOf(input, facts, { ...draft, others });
    const modelSwitch = switchOf(facts, draft, response);
    const tokens = response && resentTokens(draft, facts, response);
    const closes = turns.open && answer?.complete === true && !answer.unfinished && toolCalls.length === 0;
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
      ...(facts.on === false ? {} : { visibility: facts.summaries ? 'summary' : 'omitted' }),
      ...(facts.level === undefined ? {} : { mode: facts.level }),
      ...(modelSwitch === undefined ? {} : { modelSwitch }),
      prefixChanged: draft.sideline ? 'none' : draft.prefixChanged,
      ...(rejection === undefined ? {} : { rejection }),
      ...(tokens === undefined ? {} : { tokens }),
      runId,
      producers: producersOf(draft.rows, refused?.producer),
      toolCalls,
      ...(closes ? { closedCycle: { steps: turns.cycleGroups + 1, toolCalls: turns.cycleCalls } } : {}),
    };
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
      toolCalls = countCalls(response, ledger, runId);
    }
    if (rejection !== undefined) {
      ledger.refuse(key, { runId, rejection, ...(producer === undefined ? {} : { producer }) });
    }
    noteContinuation(draft.newest, draft.rows, turns.prefix);
  };

  return {
    facts: () => callFacts(facts, input, response),
    judgement: () => {
      last ??= judge(false);
      return last;
    },
    event: (event) => reader.event(event),
    response: (interaction) => reader.whole(interaction),
    error(error) {
      const found = classifyError(error);
      // Only a request that names an interaction can be told that there is none.
      rejection =
        found === PREVIOUS_NOT_FOUND && facts.parent === undefined
          ? error.status === 400
            ? 'unclassified'
            : undefined
          : found;
      if (rejection === SIGNATURE_INVALID) blameTarget(draft, match.unknown.length > 0);
      last = undefined;
    },
    close(end) {
      settle(end);
      last = judge(true);
      return last;
    },
  };
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

function countCalls({ steps }: Response, ledger: Ledger, runId: string): readonly ToolCallSeen[] {
  const { calls } = ledger.run(runId);
  const seen: ToolCallSeen[] = [];
  for (const { step } of steps) {
    if (step.type !== 'function_call') continue;
    const key = mix(digest(String(step.name)), canonical(step.arguments ?? {}));
    seen.push({ name: asString(step.name) ?? 'unknown', repeated: calls.has(key) });
    calls.add(key);
  }
  return seen;
}

function callFacts(facts: RequestFacts, input: RequestInput, response: Response | undefined): CallFacts {
  const { settings } = facts;
  const optional = {
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
    ...(Object.fromEntries(Object.entries(optional).filter(([, one]) => one !== undefined)) as Partial<CallFacts>),
  };
}
