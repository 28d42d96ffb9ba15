import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace';
import { describe, expect, test } from 'vitest';
import type { Judgement } from '../../src/continuity/judgement.ts';
import { callAttributes } from '../../src/emit/call-attributes.ts';
import { startCallSpan, writeJudgement, writeOutcome, writeRequest } from '../../src/emit/call-span.ts';
import { findingAttributes } from '../../src/emit/finding-events.ts';
import { ATTRIBUTES } from '../../src/semconv.ts';
import { factsOf, findingOf, judgementOf, lostOne } from './judgements.ts';
import { tracerHarness } from './telemetry.ts';

const PRODUCER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };

/** Every `reasoning.*` attribute of a call span, with a judgement that shows it and the value it must then have. */
const ROWS: ReadonlyArray<readonly [name: string, judgement: Judgement, value: unknown]> = [
  ['reasoning.continuity', judgementOf({ continuity: 'stripped' }), 'stripped'],
  ['reasoning.dropped', lostOne(), true],
  ['reasoning.dropped', judgementOf(), false],
  ['reasoning.drop.reason', lostOne(), 'omitted_in_cycle'],
  [
    'reasoning.drop.reason',
    judgementOf({
      blocks: { dropped: 4 },
      findings: [
        findingOf({ reason: 'seal_missing', count: 1 }),
        findingOf({ kind: 'foreign', source: 'server', reason: 'model_mismatch', count: 2 }),
        findingOf({ reason: 'seal_missing', count: 1, path: 'messages.3' }),
        findingOf({ kind: 'foreign', source: 'server', reason: 'model_mismatch', count: 1 }),
        findingOf({ severity: 'note', reason: 'omitted_after_cycle', count: 9 }),
        findingOf({ reason: 'compaction', count: 9 }),
      ],
    }),
    'model_mismatch',
  ],
  // Nothing was dropped: the reason of a note is no drop reason of the call.
  ['reasoning.drop.reason', judgementOf({ findings: [findingOf({ severity: 'note' })] }), undefined],
  [
    'reasoning.drop.reasons',
    judgementOf({
      blocks: { dropped: 3 },
      findings: [findingOf({ reason: 'partial_run' }), findingOf({ reason: 'redacted_filtered', count: 2 })],
    }),
    ['redacted_filtered', 'partial_run'],
  ],
  ['reasoning.drop.reasons', judgementOf(), undefined],
  ['reasoning.drop.source', lostOne(), 'client'],
  ['reasoning.blocks.issued', judgementOf({ blocks: { issued: 2 } }), 2],
  ['reasoning.blocks.expected', lostOne(), 3],
  ['reasoning.blocks.returned', lostOne(), 2],
  ['reasoning.blocks.dropped', lostOne(), 1],
  ['reasoning.blocks.damaged', judgementOf({ blocks: { expected: 1, damaged: 1 } }), 1],
  ['reasoning.blocks.newly_dropped', lostOne(), 1],
  ['reasoning.finding.kind', lostOne(), 'dropped'],
  [
    'reasoning.finding.kind',
    judgementOf({
      findings: [findingOf({ kind: 'trimmed', severity: 'note', count: 9 }), findingOf({ kind: 'merged' })],
    }),
    'merged',
  ],
  [
    'reasoning.finding.kinds',
    judgementOf({
      findings: [
        findingOf({ kind: 'trimmed', severity: 'note', count: 9 }),
        findingOf({ kind: 'mode_toggled' }),
        findingOf({ kind: 'dropped' }),
        findingOf({ kind: 'merged', count: 2 }),
      ],
    }),
    ['merged', 'dropped', 'mode_toggled', 'trimmed'],
  ],
  ['reasoning.finding.kinds', judgementOf(), undefined],
  ['reasoning.expected', judgementOf({ expectation: 'expected' }), 'expected'],
  ['reasoning.present', judgementOf({ present: false }), false],
  ['reasoning.present', judgementOf(), undefined],
  ['reasoning.assertion', judgementOf({ assertion: 'fail' }), 'fail'],
  ['reasoning.visibility', judgementOf({ visibility: 'omitted' }), 'omitted'],
  ['reasoning.mode', judgementOf({ mode: 'between_tools' }), 'between_tools'],
  ['reasoning.cycle.state', lostOne(), 'open'],
  ['reasoning.cycle.step', lostOne(), 3],
  ...(
    [
      ['reasoning.switch.direction', 'downgrade'],
      ['reasoning.switch.from', 'claude-opus-5-5'],
      ['reasoning.switch.to', 'claude-haiku-5-5'],
      ['reasoning.switch.survives', 'dropped'],
    ] as const
  ).map(
    ([name, value]) =>
      [
        name,
        judgementOf({
          modelSwitch: {
            direction: 'downgrade',
            from: 'claude-opus-5-5',
            to: 'claude-haiku-5-5',
            survives: 'dropped',
          },
        }),
        value,
      ] as const,
  ),
  ['reasoning.prefix.changed', judgementOf({ prefixChanged: 'tools' }), 'tools'],
  ['reasoning.rejected', judgementOf({ rejection: 'prefix_mismatch' }), true],
  ['reasoning.rejected', judgementOf(), false],
  ['reasoning.rejection', judgementOf({ rejection: 'prefix_mismatch' }), 'prefix_mismatch'],
  ...(
    [
      ['reasoning.tokens.resent', 100],
      ['reasoning.tokens.resent_cached', 70],
      ['reasoning.tokens.resent_fresh', 30],
    ] as const
  ).map(
    ([name, value]) =>
      [
        name,
        judgementOf({ tokens: { resent: 100, openCached: 60, openFresh: 20, closedCached: 10, closedFresh: 10 } }),
        value,
      ] as const,
  ),
  ['reasoning.run.id', judgementOf({ runId: 'r-42' }), 'r-42'],
  ['reasoning.remarks', judgementOf({ remarks: ['structural_loss'] }), ['structural_loss']],
  ['reasoning.remarks', judgementOf(), undefined],
];

describe('attributes of a call', () => {
  test.each(ROWS)('%s', (name, judgement, value) => {
    expect(callAttributes(judgement, 'end')[name]).toEqual(value);
  });

  test('the arm of an experiment', () => {
    expect(callAttributes(judgementOf(), 'end', 'stripped')).toMatchObject({ 'reasoning.experiment.arm': 'stripped' });
    expect(callAttributes(judgementOf(), 'end')).not.toHaveProperty(['reasoning.experiment.arm']);
  });

  test('every attribute of the registry that is ours and stands on a call has a row here', () => {
    const ours = ATTRIBUTES.filter(({ name, places }) => name.startsWith('reasoning.') && places.includes('call'));
    const tested = new Set([...ROWS.map(([name]) => name), 'reasoning.experiment.arm']);
    expect(ours.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  test('of the request alone, nothing is said that the answer decides', () => {
    const judgement = { ...lostOne(), present: true, assertion: 'pass', rejection: 'prefix_mismatch' } as const;
    const names = Object.keys(callAttributes(judgement, 'request'));
    expect(names).toContain('reasoning.blocks.dropped');
    for (const name of ['reasoning.blocks.issued', 'reasoning.present', 'reasoning.assertion', 'reasoning.rejected']) {
      expect(names).not.toContain(name);
    }
  });
});

test('the event of a finding', () => {
  expect(findingAttributes(findingOf({ count: 2, producer: PRODUCER }))).toEqual({
    'reasoning.finding.kind': 'dropped',
    'reasoning.finding.count': 2,
    'reasoning.finding.severity': 'loss',
    'reasoning.finding.certainty': 'certain',
    'reasoning.finding.source': 'client',
    'reasoning.finding.path': 'messages.1',
    'reasoning.finding.cycle': 'open',
    'reasoning.drop.reason': 'omitted_in_cycle',
    'reasoning.producer.span_id': 'b7ad6b7169203331',
  });
  const { reason: _, ...withoutReason } = findingOf({ kind: 'edited', producer: { ...PRODUCER, spanId: '' } });
  const names = Object.keys(findingAttributes(withoutReason));
  expect(names).not.toContain('reasoning.drop.reason');
  expect(names).not.toContain('reasoning.producer.span_id');
  expect(names).not.toContain('reasoning.finding.culprit');
  expect(findingAttributes(findingOf({ culprit: 'sdk' }))).toMatchObject({ 'reasoning.finding.culprit': 'sdk' });
});

describe('a span of our own', () => {
  const start = (harness: ReturnType<typeof tracerHarness>, judgement = lostOne(), facts = factsOf()) =>
    startCallSpan(
      harness.tracer,
      ROOT_CONTEXT,
      facts,
      { address: 'api.anthropic.com', port: 443 },
      judgement,
      undefined,
    );

  test('follows the conventions from its start, for samplers', () => {
    const seen: unknown[] = [];
    const harness = tracerHarness({
      shouldSample: (_context, _traceId, name, kind, attributes, links) => {
        seen.push({ name, kind, attributes: { ...attributes }, links });
        return { decision: 2 };
      },
      toString: () => 'recorder',
    });
    const facts = factsOf({
      stream: true,
      maxTokens: 1024,
      temperature: 1,
      topP: 0.9,
      topK: 40,
      reasoningLevel: 'high',
    });
    start(harness, { ...lostOne(), producers: [PRODUCER] }, facts).span.end();
    expect(seen).toMatchObject([
      {
        name: 'chat claude-opus-4-5-20251101',
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'anthropic',
          'gen_ai.request.model': 'claude-opus-4-5-20251101',
          'server.address': 'api.anthropic.com',
          'server.port': 443,
          'reasoning.continuity': 'partial',
          'reasoning.dropped': true,
        },
        links: [{ context: PRODUCER }],
      },
    ]);
    expect(harness.ended()[0]?.attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.request.max_tokens': 1024,
      'gen_ai.request.temperature': 1,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.top_k': 40,
      'gen_ai.request.reasoning.level': 'high',
      'reasoning.blocks.dropped': 1,
    });
  });

  test('gets the answer at its end', () => {
    const harness = tracerHarness();
    const span = start(harness);
    writeJudgement(span, { ...lostOne(), present: true, blocks: { ...lostOne().blocks, issued: 1 } }, undefined);
    writeOutcome(
      span.span,
      factsOf({
        responseId: 'msg_1',
        responseModel: 'claude-opus-4-5-20251101',
        finishReasons: ['tool_use'],
        compacted: true,
        usage: { input: 100, output: 50, cacheRead: 80, cacheWrite: 10, reasoning: 30 },
      }),
      { timeToFirstChunk: 0.25 },
    );
    span.span.end();
    const [ended] = harness.ended();
    expect(ended?.attributes).toMatchObject({
      'gen_ai.response.id': 'msg_1',
      'gen_ai.response.model': 'claude-opus-4-5-20251101',
      'gen_ai.response.finish_reasons': ['tool_use'],
      'gen_ai.response.time_to_first_chunk': 0.25,
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 50,
      'gen_ai.usage.cache_read.input_tokens': 80,
      'gen_ai.usage.cache_write.input_tokens': 10,
      'gen_ai.usage.reasoning.output_tokens': 30,
      'gen_ai.conversation.compacted': true,
      'reasoning.present': true,
      'reasoning.blocks.issued': 1,
      'reasoning.rejected': false,
    });
    expect(ended?.events.map(({ name }) => name)).toEqual(['reasoning.finding']);
    // A finding is no error of the call.
    expect(ended?.status).toEqual({ code: SpanStatusCode.UNSET });
  });

  test('a failure has its type and no message', () => {
    const harness = tracerHarness();
    const span = start(harness);
    writeOutcome(span.span, factsOf({ stream: true }), { errorType: 'overloaded_error', cutShort: true });
    span.span.end();
    expect(harness.ended()[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'overloaded_error', 'gen_ai.response.finish_reasons': ['error'] },
    });
    expect(harness.ended()[0]?.status).not.toHaveProperty('message');
  });

  test('a model that is no name stands neither in the name of the span nor in its attributes', () => {
    const harness = tracerHarness();
    start(harness, judgementOf(), factsOf({ requestModel: 'please "do" this' })).span.end();
    const [ended] = harness.ended();
    expect(ended?.name).toBe('chat');
    expect(ended?.attributes).not.toHaveProperty(['gen_ai.request.model']);
  });

  test('events beyond what a span keeps: losses stay', () => {
    const harness = tracerHarness();
    const span = start(harness);
    const notes = Array.from({ length: 200 }, () => findingOf({ kind: 'trimmed', severity: 'note' }));
    writeJudgement(span, judgementOf({ findings: [...notes, findingOf()] }), undefined);
    span.span.end();
    const [ended] = harness.ended();
    expect(ended?.events).toHaveLength(128);
    expect(
      ended?.events.filter(({ attributes }) => attributes?.['reasoning.finding.severity'] === 'loss'),
    ).toHaveLength(1);
  });

  test('links: the newest eight steps that have a span', () => {
    const harness = tracerHarness();
    const producers = Array.from({ length: 12 }, (_, index) => ({
      ...PRODUCER,
      spanId: index === 1 ? '' : `b7ad6b71692033${(index + 16).toString(16)}`,
    }));
    start(harness, judgementOf({ producers })).span.end();
    const linked = harness.ended()[0]?.links.map((link) => link.context.spanId);
    expect(linked).toEqual([0, 2, 3, 4, 5, 6, 7, 8].map((index) => `b7ad6b71692033${(index + 16).toString(16)}`));
  });

  test('is written at no cost where it is not recorded', () => {
    const harness = tracerHarness(new AlwaysOffSampler());
    const span = start(harness);
    let read = 0;
    const judgement = Object.defineProperty({ ...lostOne() }, 'blocks', { get: () => (read += 1) });
    writeRequest(span.span, judgement, undefined);
    writeJudgement(span, judgement, undefined);
    expect(read).toBe(0);
  });
});

describe('a borrowed span', () => {
  test('gets reasoning attributes, links and events, and keeps what its owner wrote', () => {
    const harness = tracerHarness();
    const theirs = harness.tracer.startSpan('anthropic.messages.create', {
      attributes: { 'gen_ai.request.model': 'theirs' },
    });
    const judgement = { ...lostOne(), producers: [PRODUCER] };
    const begun = writeRequest(theirs, judgement, undefined);
    writeJudgement(begun, judgement, undefined);
    theirs.end();
    const [ended] = harness.ended();
    const genAi = Object.keys(ended?.attributes ?? {}).filter((name) => !name.startsWith('reasoning.'));
    expect(genAi).toEqual(['gen_ai.request.model']);
    expect(ended?.attributes).toMatchObject({ 'gen_ai.request.model': 'theirs', 'reasoning.blocks.dropped': 1 });
    expect(ended?.links.map((link) => link.context.spanId)).toEqual([PRODUCER.spanId]);
    expect(ended?.events).toHaveLength(1);
  });

  test('without addLinks, as in SDKs before 1.25, goes without links', () => {
    const harness = tracerHarness();
    const theirs = harness.tracer.startSpan('old');
    Object.defineProperty(theirs, 'addLinks', { value: undefined });
    expect(() => writeRequest(theirs, { ...lostOne(), producers: [PRODUCER] }, undefined)).not.toThrow();
    theirs.end();
    expect(harness.ended()[0]?.attributes).toMatchObject({ 'reasoning.dropped': true });
  });
});
