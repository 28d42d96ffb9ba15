import { describe, expect, test } from 'vitest';
import type { Answer, IssuedPiece } from '../../src/continuity/answer.ts';
import {
  bestOf,
  CONTEXT_POINTS,
  contextPoints,
  hit,
  isTaken,
  leftOutPoints,
  lineagePoints,
  type Place,
} from '../../src/continuity/likely-answer.ts';

const chainOf = (answers: readonly Answer[]): Answer['request']['answers'] =>
  answers.reduce<Answer['request']['answers']>(
    (previous, value) => ({ value, previous, length: (previous?.length ?? 0) + 1 }),
    undefined,
  );
/** An answer to a request of `index` messages that re-sent `before`. */
const answerTo = (prefix: number, before: readonly Answer[] = [], more: object = {}): Answer =>
  ({ request: { prefix, messageCount: 1, lastMessage: 7, answers: chainOf(before), ...more } }) as unknown as Answer;
const piece = { kind: 'text', key: 1 } as IssuedPiece;
const nothingFound = { seen: [], byAnswer: new Map() };
const elsewhere: Place = { prefix: 99, index: 9, question: 8, endpoint: undefined, leg: undefined };

describe('what a place says for an answer', () => {
  test.each([
    ['the same beginning', { prefix: 1 }, CONTEXT_POINTS.samePrefix],
    ['the message before it', { question: 7 }, CONTEXT_POINTS.sameQuestion],
    ['as many messages before it', { index: 1 }, CONTEXT_POINTS.sameIndex],
    ['nothing', {}, 0],
    ['another host', { endpoint: 'gateway' }, -CONTEXT_POINTS.samePlace],
  ])('%s', (_, place, points) => {
    const found = contextPoints(answerTo(1), { ...elsewhere, ...place }, nothingFound);
    expect(found).toBe(points + CONTEXT_POINTS.samePlace);
  });

  test('it goes on from the one before, or is behind one that has been seen', () => {
    const first = answerTo(1);
    const next = answerTo(2, [first]);
    const found = (...answers: Answer[]) => ({
      seen: answers.map((answer) => ({ answer, exact: true, sightings: [] })),
      byAnswer: new Map(),
    });
    expect(contextPoints(next, elsewhere, found(first))).toBe(CONTEXT_POINTS.goesOn + CONTEXT_POINTS.samePlace);
    expect(contextPoints(first, elsewhere, found(next))).toBe(CONTEXT_POINTS.inLineage + CONTEXT_POINTS.samePlace);
  });
});

test('an answer further up in a history is in its lineage, one beside it is not', () => {
  const first = answerTo(1);
  const last = answerTo(3, [first, answerTo(2, [first])]);
  expect(lineagePoints(first, last)).toBe(CONTEXT_POINTS.inLineage);
  expect(lineagePoints(answerTo(1), last)).toBe(0);
  expect(lineagePoints(first, undefined)).toBe(0);
});

test('of answers behind left-out steps the nearer has more, and a far one still some', () => {
  const steps = [answerTo(1)];
  for (let at = 0; at < 20; at++) steps.push(answerTo(2 + at, steps));
  const points = steps.slice(1).map((answer) => leftOutPoints(answer, steps[0], 1));
  expect(points[0]).toBe(CONTEXT_POINTS.sameTurn);
  expect(points[1]).toBeLessThan(points[0] ?? 0);
  expect(points.at(-1)).toBe(CONTEXT_POINTS.sameTurn - 2);
  // The turn began here.
  expect(leftOutPoints(steps[2] as Answer, undefined, 1)).toBe(CONTEXT_POINTS.sameTurn - 0.25);
  expect(leftOutPoints(steps[2] as Answer, answerTo(1), 1)).toBe(0);
});

test('the likeliest answer wins, the newest of equals, and one that is ruled out never', () => {
  const [old, young, out] = [answerTo(1), answerTo(1), answerTo(1)];
  const hits = [old, young, out].flatMap((answer) => hit(answer, piece, 1));
  const rank = (points: readonly (readonly [Answer, number])[]) => bestOf(hits, new Map(points))?.answer;
  expect(
    rank([
      [old, 50],
      [young, 40],
    ]),
  ).toBe(old);
  expect(
    rank([
      [old, 40],
      [young, 40],
    ]),
  ).toBe(young);
  expect(rank([])).toBeUndefined();
  expect(hit(old, undefined, 100)).toEqual([]);
});

test('a piece is taken where its answer was found whole, or it was itself', () => {
  const answer = answerTo(1);
  const one = { answer, issued: piece, points: 1 };
  const found = (exact: boolean, ...issued: IssuedPiece[]) => ({
    seen: [],
    byAnswer: new Map([[answer, { answer, exact, sightings: issued.map((each) => ({ issued: each })) }]]),
  });
  expect(isTaken(one, nothingFound)).toBe(false);
  expect(isTaken(one, found(true))).toBe(true);
  expect(isTaken(one, found(false, { ...piece }))).toBe(false);
  expect(isTaken(one, found(false, piece))).toBe(true);
});
