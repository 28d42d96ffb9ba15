import { expect, test } from 'vitest';
import type { Answer, IssuedPiece } from '../../src/continuity/answer.ts';
import { homesOf } from '../../src/continuity/homes.ts';

const answer = { blocks: [{}] } as unknown as Answer;
const placed = (...pieces: [kind: IssuedPiece['kind'], message: number][]) =>
  new Map(pieces.map(([kind, message]) => [{ kind, key: 0 } as IssuedPiece, { message }]));

test('home is where calls and texts stand, and where blocks stand by themselves', () => {
  const found = placed(['block', 1], ['call', 3]);
  expect([...homesOf(answer, found, new Set())]).toEqual([1, 3]);
});

test('not the message of another answer that holds but blocks of this one', () => {
  expect([...homesOf(answer, placed(['block', 1], ['call', 3]), new Set([1]))]).toEqual([3]);
  // With no call or text to tell better.
  expect([...homesOf(answer, placed(['block', 1]), new Set([1]))]).toEqual([1]);
});
