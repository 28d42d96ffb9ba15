import { type Answer, type Chain, extend } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { RequestFacts } from './read-request.ts';
import { isOwn } from './slots.ts';

/** What `previous_interaction_id` adds to a request. */
export interface History {
  /** The interaction that it names, where it is known. */
  readonly parent: Answer | undefined;
  /** It and those before it, oldest first: kept by the provider, thoughts included. */
  readonly held: readonly Answer[];
  /** The same, where they were not to be kept (`store: false`). */
  readonly lost: readonly Answer[];
}

const NONE: readonly never[] = [];

/** Follows `previous_interaction_id` (ai.google.dev gemini-api/docs/interactions, stateful conversations). */
export function readHistory(facts: RequestFacts, ledger: Ledger): History {
  const { parent: key } = facts;
  const parent =
    key === undefined ? undefined : ledger.byPiece(key).findLast((answer) => answer.key === key && isOwn(answer));
  if (parent === undefined) return { parent, held: NONE, lost: NONE };
  const all = behind(parent);
  return parent.request.stored === false ? { parent, held: NONE, lost: all } : { parent, held: all, lost: NONE };
}

/** The seals that stand before an answer that the provider keeps: in what the request names, and in what it sends. */
export function sealsBefore({ steps, stored }: RequestFacts, { parent, held }: History): Chain<Digest> | undefined {
  if (!stored) return undefined;
  let seals = held.length > 0 ? parent?.sealsAfter : undefined;
  for (const { seal } of steps) if (seal !== undefined) seals = extend(seals, seal);
  return seals;
}

/** What a named interaction holds: a thought that was left out on the way to it is not there. */
export function sealsIn({ parent }: History): ReadonlySet<Digest> {
  const seals = new Set<Digest>();
  for (let node = parent?.sealsAfter; node !== undefined; node = node.previous) seals.add(node.value);
  return seals;
}

/** An answer and everything that it was given behind, oldest first. */
function behind(answer: Answer): readonly Answer[] {
  const answers = [answer];
  for (let node = answer.request.answers; node !== undefined; node = node.previous) answers.push(node.value);
  return answers.reverse();
}

/**
 * Answers whose calls the request gives results for, and those before them in the same turn: they are part of it neither
 * by name nor in full. A fork that gives no results owes nothing.
 */
export function leftBehind(
  orphans: readonly Digest[],
  { held, lost }: History,
  sent: ReadonlyMap<Answer, unknown>,
  ledger: Ledger,
): readonly Answer[] {
  const known = new Set([...held, ...lost]);
  const gone = new Set<Answer>();
  for (const id of orphans) {
    const caller = ledger.byCall(id).findLast(isOwn);
    if (caller === undefined || known.has(caller)) continue;
    for (const answer of behind(caller).slice(-(caller.after?.turnAnswers ?? 1))) {
      if (!known.has(answer) && !sent.has(answer)) gone.add(answer);
    }
  }
  return [...gone];
}
