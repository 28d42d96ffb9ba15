import type { Finding, Judgement, ReasonCount } from '../continuity/judgement.ts';
import type { AssertionResult, Continuity, FindingKind, PrefixChange } from '../continuity/vocabulary.ts';
import type { ApiName, CallFacts } from '../dialects/dialect.ts';
import { kindsOf } from './drops.ts';

/** One finished call, as its run sees it. */
export interface RunCall {
  readonly api: ApiName;
  readonly facts: CallFacts;
  readonly judgement: Judgement;
}

/** A finding, and which call of the run it is about. */
export interface RunFinding extends Finding {
  /** Calls of the run up to this one, from 1, in the order in which they ended. */
  readonly step: number;
  readonly api: ApiName;
  readonly model: string;
  readonly prefixChanged: PrefixChange;
}

/** What a run adds up to so far. Blocks count once each, however many requests show them; all else is summed over calls. */
export interface RunTotals {
  calls: number;
  toolCalls: number;
  /** Same name and equal arguments as an earlier call of the run. */
  repeatedToolCalls: number;
  continuity: Continuity;
  assertion: AssertionResult;
  issued: number;
  expected: number;
  returned: number;
  /** Unplanned, most blocks first. */
  drops: readonly ReasonCount[];
  /** In the order in which they first came up. */
  kinds: readonly FindingKind[];
  /** The first hundred. */
  readonly findings: RunFinding[];
  /** Calls that the provider refused because of their reasoning. */
  rejections: number;
  inputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Estimates. */
  resent: number;
  resentCached: number;
  resentFresh: number;
  /** Of the first call, as metrics name them. */
  first: Pick<CallFacts, 'provider' | 'requestModel'> | undefined;
  runId: string | undefined;
}

/** From best to worst. */
const CONTINUITY: readonly Continuity[] = ['not_applicable', 'intact', 'partial', 'stripped'];
const ASSERTION: readonly AssertionResult[] = ['skip', 'pass', 'fail'];
const MAX_FINDINGS = 100;

const worse = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(b) > order.indexOf(a) ? b : a);

export const createTotals = (): RunTotals => ({
  calls: 0,
  toolCalls: 0,
  repeatedToolCalls: 0,
  continuity: 'not_applicable',
  assertion: 'skip',
  issued: 0,
  expected: 0,
  returned: 0,
  drops: [],
  kinds: [],
  findings: [],
  rejections: 0,
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  resent: 0,
  resentCached: 0,
  resentFresh: 0,
  first: undefined,
  runId: undefined,
});

/** Adds one finished call. */
export function addCall(sum: RunTotals, { api, facts, judgement }: RunCall): void {
  const { blocks, firstSeen, findings, tokens, toolCalls } = judgement;
  sum.calls++;
  sum.first ??= { provider: facts.provider, requestModel: facts.requestModel };
  sum.runId = judgement.runId;
  sum.toolCalls += toolCalls.length;
  for (const { repeated } of toolCalls) if (repeated) sum.repeatedToolCalls++;
  sum.continuity = worse(CONTINUITY, sum.continuity, judgement.continuity);
  sum.assertion = worse(ASSERTION, sum.assertion, judgement.assertion);
  if (judgement.rejection !== undefined) sum.rejections++;
  sum.issued += blocks.issued;
  // Counts of a call describe its request: a block lost at step 2 is missing at step 4 as well. A run has lost it once.
  sum.expected += firstSeen.expected;
  sum.returned += firstSeen.returned;
  if (firstSeen.dropped.length > 0) sum.drops = withDrops(sum.drops, firstSeen.dropped);
  if (findings.length > 0) {
    sum.kinds = [...new Set([...sum.kinds, ...kindsOf(findings)])];
    const at = { step: sum.calls, api, model: facts.requestModel, prefixChanged: judgement.prefixChanged };
    for (const finding of findings.slice(0, MAX_FINDINGS - sum.findings.length)) {
      sum.findings.push({ ...finding, ...at });
    }
  }
  sum.inputTokens += facts.usage?.input ?? 0;
  sum.outputTokens += facts.usage?.output ?? 0;
  sum.reasoningTokens += facts.usage?.reasoning ?? 0;
  sum.resent += tokens?.resent ?? 0;
  sum.resentCached += tokens ? tokens.openCached + tokens.closedCached : 0;
  sum.resentFresh += tokens ? tokens.openFresh + tokens.closedFresh : 0;
}

function withDrops(sums: readonly ReasonCount[], added: readonly ReasonCount[]): readonly ReasonCount[] {
  const drops = new Map(sums.map((drop) => [`${drop.reason} ${drop.source}`, drop]));
  for (const drop of added) {
    const key = `${drop.reason} ${drop.source}`;
    drops.set(key, { ...drop, count: drop.count + (drops.get(key)?.count ?? 0) });
  }
  return [...drops.values()].sort((a, b) => b.count - a.count);
}

/** Blocks of the run that the model was not shown, unplanned. */
export const droppedOf = ({ drops }: Pick<RunTotals, 'drops'>): number =>
  drops.reduce((whole, { count }) => whole + count, 0);
