import { expect, test } from 'vitest';
import type { Answer } from '../../src/continuity/answer.ts';
import type { Entry } from '../../src/continuity/summary.ts';
import { type JudgedStep, toJudgement } from '../../src/continuity/to-judgement.ts';

const step = (parts: Partial<JudgedStep> = {}): JudgedStep => ({
  request: { rows: [], others: [], released: [], sideline: false, prefixChanged: 'none' },
  cycle: { open: true, steps: 2, toolCalls: 3 },
  answer: undefined,
  issued: 0,
  expectation: 'not_applicable',
  present: undefined,
  visibility: undefined,
  mode: undefined,
  modelSwitch: undefined,
  rejection: undefined,
  tokens: undefined,
  runId: 'run',
  refusedAt: undefined,
  toolCalls: [],
  ...parts,
});
const answered = (parts: Partial<Answer> = {}) => ({ complete: true, unfinished: false, ...parts }) as Answer;
const entry = (parts: Partial<Entry> = {}): Entry => ({
  kind: 'split_results',
  count: 1,
  source: 'client',
  path: 'messages.2',
  cycle: 'open',
  severity: 'loss',
  certainty: 'certain',
  ...parts,
});

test.each([
  ['an open cycle counts this step', { open: true, steps: 2, toolCalls: 3 }, { state: 'open', step: 3 }],
  ['a closed one begins anew', { open: false, steps: 2, toolCalls: 3 }, { state: 'closed', step: 1 }],
] as const)('%s', (_, cycle, expected) => {
  expect(toJudgement(step({ cycle }), false).cycle).toEqual(expected);
});

test.each([
  ['an answer without calls closes the cycle', {}, { steps: 3, toolCalls: 3 }],
  ['not one with calls', { toolCalls: [{ name: 'search', repeated: false }] }, undefined],
  ['not one that goes on', { answer: answered({ unfinished: true }) }, undefined],
  ['not one that was cut off', { answer: answered({ complete: false }) }, undefined],
  ['not where none is open', { cycle: { open: false, steps: 0, toolCalls: 0 } }, undefined],
  ['not where there is none', { answer: undefined }, undefined],
] as const)('%s', (_, parts, expected) => {
  expect(toJudgement(step({ answer: answered(), ...parts }), false).closedCycle).toEqual(expected);
});

test('reasoning that arrived was to be expected, though nobody could say so before', () => {
  const { expectation, assertion } = toJudgement(step({ present: true }), false);
  expect([expectation, assertion]).toEqual(['expected', 'pass']);
  expect(toJudgement(step({ present: false }), false).assertion).toBe('skip');
});

test('what is not known has no member', () => {
  const judgement = toJudgement(step({ remarks: [] }), false);
  for (const name of ['present', 'visibility', 'mode', 'modelSwitch', 'rejection', 'tokens', 'closedCycle', 'remarks'])
    expect(judgement).not.toHaveProperty(name);
});

test('a culprit is named where an entry is somebody’s code', () => {
  const others = [entry(), entry({ kind: 'merged' })];
  const request = { rows: [], others, released: [], sideline: false, prefixChanged: 'none' } as const;
  const { findings, verdict } = toJudgement(
    step({ request, culpritOf: ({ kind }) => (kind === 'merged' ? 'sdk' : undefined) }),
    false,
  );
  expect(verdict).toBe('finding');
  expect(findings.map(({ kind, culprit }) => [kind, culprit])).toEqual([
    ['split_results', undefined],
    ['merged', 'sdk'],
  ]);
});

test('a request beside the history says nothing of its beginning', () => {
  const request = { rows: [], others: [], released: [], sideline: true, prefixChanged: 'system' } as const;
  expect(toJudgement(step({ request }), false).prefixChanged).toBe('none');
});
