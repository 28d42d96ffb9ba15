import { DiagLogLevel, diag, type Span } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { rollUp } from '../../src/emit/roll-up.ts';
import type { RunTotals } from '../../src/emit/run-totals.ts';
import { factsOf, findingOf, judgementOf, lostOne } from './judgements.ts';
import { tracerHarness } from './telemetry.ts';

const sums = new WeakMap<Span, RunTotals>();
const add = (span: Span, judgement: Judgement, arm?: string): void =>
  rollUp(sums, span, { api: 'anthropic.messages', facts: factsOf(), judgement }, arm);

test('a run shows the worst of its calls and the sums, each block once', () => {
  const { tracer, ended } = tracerHarness();
  const span = tracer.startSpan('run');
  const tokens = { resent: 100, openCached: 60, openFresh: 40, closedCached: 0, closedFresh: 0 };
  const toolCalls = [
    { name: 'search', repeated: false },
    { name: 'search', repeated: true },
  ];
  add(span, judgementOf({ continuity: 'intact', assertion: 'pass', blocks: { issued: 1 }, tokens, toolCalls }));
  add(span, { ...lostOne(), assertion: 'fail', blocks: { ...lostOne().blocks, issued: 2 }, tokens });
  // The block lost before is still missing here, and counts no second time.
  add(span, { ...lostOne(), firstSeen: { ...judgementOf().firstSeen, returned: 1 }, rejection: 'prefix_mismatch' });
  add(
    span,
    judgementOf({
      continuity: 'intact',
      assertion: 'pass',
      findings: [findingOf({ kind: 'trimmed', severity: 'note' })],
      firstSeen: { dropped: [{ reason: 'model_mismatch', source: 'server', count: 2 }] },
    }),
    'intact',
  );
  span.end();
  expect(ended()[0]?.attributes).toEqual({
    'reasoning.continuity': 'partial',
    'reasoning.assertion': 'fail',
    'reasoning.dropped': true,
    'reasoning.drop.reason': 'model_mismatch',
    'reasoning.drop.reasons': ['model_mismatch', 'omitted_in_cycle'],
    'reasoning.drop.source': 'server',
    'reasoning.blocks.issued': 3,
    'reasoning.blocks.expected': 1,
    'reasoning.blocks.returned': 1,
    'reasoning.blocks.dropped': 3,
    'reasoning.finding.kind': 'dropped',
    'reasoning.finding.kinds': ['dropped', 'trimmed'],
    'reasoning.rejected': true,
    'reasoning.tokens.resent': 200,
    'reasoning.tokens.resent_cached': 120,
    'reasoning.tokens.resent_fresh': 80,
    'reasoning.run.calls': 4,
    'reasoning.run.tool_calls': 2,
    'reasoning.run.repeated_tool_calls': 1,
    'reasoning.run.id': 'run-1',
    'reasoning.experiment.arm': 'intact',
  });
});

test('a run without a fault says so, and one that has ended is left alone', () => {
  const { tracer, ended } = tracerHarness();
  const span = tracer.startSpan('run');
  add(span, judgementOf({ continuity: 'intact' }));
  span.end();
  const complaints: unknown[] = [];
  const keep = (...args: unknown[]) => void complaints.push(args);
  diag.setLogger({ verbose: keep, debug: keep, info: keep, warn: keep, error: keep }, DiagLogLevel.WARN);
  add(span, lostOne());
  diag.disable();
  expect(complaints).toEqual([]);
  const attributes = ended()[0]?.attributes;
  expect(attributes).toMatchObject({ 'reasoning.continuity': 'intact', 'reasoning.dropped': false });
  expect(attributes).not.toHaveProperty(['reasoning.drop.reason']);
  expect(attributes).not.toHaveProperty(['reasoning.finding.kind']);
});
