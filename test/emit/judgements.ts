import type { BlockCounts, Finding, FirstSeen, Judgement } from '../../src/continuity/judgement.ts';
import type { CallFacts } from '../../src/dialects/dialect.ts';

type Parts = Partial<Omit<Judgement, 'blocks' | 'firstSeen'>> & {
  blocks?: Partial<BlockCounts>;
  firstSeen?: Partial<FirstSeen>;
};

/** A judgement of a request with nothing to say, but for `parts`. */
export const judgementOf = ({ blocks, firstSeen, ...parts }: Parts = {}): Judgement => ({
  verdict: 'clean',
  continuity: 'not_applicable',
  findings: [],
  blocks: { issued: 0, expected: 0, returned: 0, dropped: 0, damaged: 0, newlyDropped: 0, ...blocks },
  firstSeen: { expected: 0, returned: 0, dropped: [], released: [], findings: [], ...firstSeen },
  cycle: { state: 'closed', step: 1 },
  expectation: 'not_applicable',
  assertion: 'skip',
  prefixChanged: 'none',
  runId: 'run-1',
  producers: [],
  toolCalls: [],
  ...parts,
});

export const findingOf = (parts: Partial<Finding> = {}): Finding => ({
  kind: 'dropped',
  count: 1,
  source: 'client',
  reason: 'omitted_in_cycle',
  path: 'messages.1',
  cycle: 'open',
  severity: 'loss',
  certainty: 'certain',
  ...parts,
});

/** A request whose open cycle lost one of three blocks. */
export const lostOne = (): Judgement =>
  judgementOf({
    verdict: 'finding',
    continuity: 'partial',
    findings: [
      findingOf({
        producer: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 },
      }),
    ],
    blocks: { expected: 3, returned: 2, dropped: 1, newlyDropped: 1 },
    firstSeen: {
      expected: 1,
      returned: 0,
      dropped: [{ reason: 'omitted_in_cycle', source: 'client', count: 1 }],
      findings: [{ kind: 'dropped', source: 'client', count: 1 }],
    },
    cycle: { state: 'open', step: 3 },
  });

export const factsOf = (parts: Partial<CallFacts> = {}): CallFacts => ({
  provider: 'anthropic',
  operation: 'chat',
  requestModel: 'claude-opus-4-5-20251101',
  stream: false,
  ...parts,
});
