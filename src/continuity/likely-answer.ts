import type { Answer, IssuedPiece } from './answer.ts';
import type { Digest } from './digest.ts';

/**
 * How much the place of a piece says of the answer that it comes from, on a scale on which a seal says 100 and a tool
 * call with its name and arguments 30.
 */
export const CONTEXT_POINTS = {
  samePrefix: 40,
  /** Where something further up was changed, the message before it and its place in the row still tell. */
  sameQuestion: 17,
  sameIndex: 15,
  goesOn: 30,
  /** The steps between it and what the request still has before it were left out. */
  sameTurn: 27,
  inLineage: 20,
  seenAlready: 20,
  /** A gateway's two sides issue the same answer twice: the nearer one is meant. */
  samePlace: 1,
} as const;

/** A piece that may come from an answer. */
export interface Hit {
  readonly answer: Answer;
  /** Absent: the piece tells the answer, but is none of its pieces as it stands. */
  readonly issued: IssuedPiece | undefined;
  readonly points: number;
}

/** A hit, where the answer has such a piece. */
export const hit = (answer: Answer, issued: IssuedPiece | undefined, points: number): readonly Hit[] =>
  issued === undefined ? [] : [{ answer, issued, points }];

/** Where in a request pieces stand. */
export interface Place {
  readonly prefix: Digest;
  /** Messages before them. */
  readonly index: number;
  /** The message just before them. */
  readonly question: Digest | undefined;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
}

interface Seen {
  readonly answer: Answer;
  readonly exact: boolean;
  readonly sightings: readonly { readonly issued: IssuedPiece | undefined }[];
}

/** The answers that have been found in a request so far, in its order. */
export interface Found {
  readonly seen: readonly Seen[];
  readonly byAnswer: ReadonlyMap<Answer, Seen>;
}

/** What the place says for an answer. */
export function contextPoints(answer: Answer, place: Place, { seen, byAnswer }: Found): number {
  const { request } = answer;
  const before = seen.at(-1)?.answer;
  let points = 0;
  if (request.endpoint === place.endpoint && request.leg === place.leg) points += CONTEXT_POINTS.samePlace;
  if (request.prefix === place.prefix) points += CONTEXT_POINTS.samePrefix;
  else {
    if (request.lastMessage === place.question) points += CONTEXT_POINTS.sameQuestion;
    if (request.messageCount === place.index) points += CONTEXT_POINTS.sameIndex;
  }
  if (byAnswer.has(answer)) points += CONTEXT_POINTS.seenAlready;
  points += lineagePoints(answer, before);
  // Goes on from an answer that the request has re-sent just before.
  if (before !== undefined && request.answers?.value === before) points += CONTEXT_POINTS.goesOn;
  else if (request.prefix !== place.prefix) points += leftOutPoints(answer, before, place.prefix);
  return points;
}

/** An answer that stands further up in the history of the one before. */
export function lineagePoints(answer: Answer, before: Answer | undefined): number {
  for (let node = before?.request.answers; node !== undefined; node = node.previous) {
    if (node.value === answer) return CONTEXT_POINTS.inLineage;
  }
  return 0;
}

/** An answer whose turn began here, or that came some steps after the one before: the nearer, the more. */
export function leftOutPoints(answer: Answer, before: Answer | undefined, prefix: Digest): number {
  const { sameTurn } = CONTEXT_POINTS;
  let steps = 0;
  for (let node = answer.request.answers; node !== undefined; node = node.previous, steps++) {
    const began = before === undefined ? node.value.request.prefix === prefix : node.value === before;
    if (began) return Math.max(sameTurn - steps / 4, sameTurn - 2);
  }
  return 0;
}

/** Whether the piece that a hit stands for has been found already. */
export function isTaken({ answer, issued }: Hit, { byAnswer }: Found): boolean {
  const seen = byAnswer.get(answer);
  return seen !== undefined && (seen.exact || seen.sightings.some((sighting) => sighting.issued === issued));
}

/** The hit of the likeliest answer; at equal scores the newest answer is meant. */
export function bestOf(hits: readonly Hit[], rank: ReadonlyMap<Answer, number>): Hit | undefined {
  let best: Hit | undefined;
  let bestRank = 0;
  for (const one of hits) {
    const own = rank.get(one.answer) ?? 0;
    if (own < bestRank || own === 0 || one.issued === undefined) continue;
    best = one;
    bestRank = own;
  }
  return best;
}
