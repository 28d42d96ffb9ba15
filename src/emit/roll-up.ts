import type { Span } from '@opentelemetry/api';
import type { Judgement, ReasonCount } from '../continuity/judgement.ts';
import type { AssertionResult, Continuity, FindingKind } from '../continuity/vocabulary.ts';
import {
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_BLOCKS_DROPPED,
  ATTR_REASONING_BLOCKS_EXPECTED,
  ATTR_REASONING_BLOCKS_ISSUED,
  ATTR_REASONING_BLOCKS_RETURNED,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_REASONS,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_DROPPED,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_KINDS,
  ATTR_REASONING_REJECTED,
  ATTR_REASONING_RUN_ID,
  ATTR_REASONING_TOKENS_RESENT,
  ATTR_REASONING_TOKENS_RESENT_CACHED,
  ATTR_REASONING_TOKENS_RESENT_FRESH,
} from '../semconv.ts';
import { kindsOf } from './drops.ts';
import { gateLabels } from './gate.ts';

/** From best to worst. */
const CONTINUITY: readonly Continuity[] = ['not_applicable', 'intact', 'partial', 'stripped'];
const ASSERTION: readonly AssertionResult[] = ['skip', 'pass', 'fail'];

const worse = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(b) > order.indexOf(a) ? b : a);

interface Totals {
  continuity: Continuity;
  assertion: AssertionResult;
  issued: number;
  expected: number;
  returned: number;
  resent: number;
  cached: number;
  fresh: number;
  rejected: boolean;
  readonly drops: Map<string, { reason: ReasonCount['reason']; source: ReasonCount['source']; count: number }>;
  /** In the order in which they first came up. */
  readonly kinds: Set<FindingKind>;
}

const totals = new WeakMap<Span, Totals>();

function add(sum: Totals, { continuity, assertion, blocks, firstSeen, findings, tokens, rejection }: Judgement): void {
  sum.continuity = worse(CONTINUITY, sum.continuity, continuity);
  sum.assertion = worse(ASSERTION, sum.assertion, assertion);
  sum.issued += blocks.issued;
  // Counts of a call describe its request: a block lost at step 2 is missing at step 4 as well. A run has lost it once.
  sum.expected += firstSeen.expected;
  sum.returned += firstSeen.returned;
  for (const { reason, source, count } of firstSeen.dropped) {
    const drop = sum.drops.get(`${reason} ${source}`) ?? { reason, source, count: 0 };
    drop.count += count;
    sum.drops.set(`${reason} ${source}`, drop);
  }
  for (const kind of kindsOf(findings)) sum.kinds.add(kind);
  sum.resent += tokens?.resent ?? 0;
  sum.cached += tokens ? tokens.openCached + tokens.closedCached : 0;
  sum.fresh += tokens ? tokens.openFresh + tokens.closedFresh : 0;
  sum.rejected ||= rejection !== undefined;
}

/** Adds one finished call to the span of its run: the worst state and the sums. Nothing once that span has ended. */
export function rollUp(span: Span, judgement: Judgement, experimentArm?: string): void {
  if (!span.isRecording()) return;
  const sum: Totals = totals.get(span) ?? {
    continuity: 'not_applicable',
    assertion: 'skip',
    issued: 0,
    expected: 0,
    returned: 0,
    resent: 0,
    cached: 0,
    fresh: 0,
    rejected: false,
    drops: new Map(),
    kinds: new Set(),
  };
  totals.set(span, sum);
  add(sum, judgement);

  const drops = [...sum.drops.values()].sort((a, b) => b.count - a.count);
  const kinds = [...sum.kinds];
  span.setAttributes(
    gateLabels('run', [
      [ATTR_REASONING_CONTINUITY, sum.continuity],
      [ATTR_REASONING_ASSERTION, sum.assertion],
      [ATTR_REASONING_DROPPED, drops.length > 0],
      [ATTR_REASONING_DROP_REASON, drops[0]?.reason],
      [ATTR_REASONING_DROP_REASONS, drops.length > 0 ? [...new Set(drops.map(({ reason }) => reason))] : undefined],
      [ATTR_REASONING_DROP_SOURCE, drops[0]?.source],
      [ATTR_REASONING_BLOCKS_ISSUED, sum.issued],
      [ATTR_REASONING_BLOCKS_EXPECTED, sum.expected],
      [ATTR_REASONING_BLOCKS_RETURNED, sum.returned],
      [ATTR_REASONING_BLOCKS_DROPPED, drops.reduce((whole, { count }) => whole + count, 0)],
      [ATTR_REASONING_FINDING_KIND, kinds[0]],
      [ATTR_REASONING_FINDING_KINDS, kinds.length > 0 ? kinds : undefined],
      [ATTR_REASONING_REJECTED, sum.rejected],
      [ATTR_REASONING_TOKENS_RESENT, sum.resent],
      [ATTR_REASONING_TOKENS_RESENT_CACHED, sum.cached],
      [ATTR_REASONING_TOKENS_RESENT_FRESH, sum.fresh],
      [ATTR_REASONING_RUN_ID, judgement.runId],
      [ATTR_REASONING_EXPERIMENT_ARM, experimentArm],
    ]),
  );
}
