import type { Answer, Chain, Standing } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { RequestFacts } from './read-request.ts';

/** What the provider adds to a request from its own storage. */
export interface History {
  /** The member of the body that names it; also the place to which findings about it point. */
  readonly by: 'previous_response_id' | 'conversation' | undefined;
  /** The answer that the request follows, where it is known. */
  readonly parent: Answer | undefined;
  /** Answers that the provider holds for this request, oldest first. */
  readonly held: readonly Answer[];
  /** Answers that the request relies on and that the provider did not keep. */
  readonly lost: readonly Answer[];
  /** Place of each of them, counted from the newest, from 1. */
  readonly fromEnd: ReadonlyMap<Answer, number>;
  /** A request that goes through shows that they were kept after all. */
  readonly disproved: boolean;
  /** Something is named that nobody here saw: what it holds is unknown. */
  readonly unknown: boolean;
  readonly standing: Standing | undefined;
  /** Of the provider's own summary in force there; 0 without one. */
  readonly compaction: Digest;
}

const NONE: readonly never[] = [];
const STATELESS: History = {
  by: undefined,
  parent: undefined,
  held: NONE,
  lost: NONE,
  fromEnd: new Map(),
  disproved: false,
  unknown: false,
  standing: undefined,
  compaction: 0,
};

/**
 * Follows `previous_response_id` or `conversation` (guides/conversation-state); the two exclude each other.
 * @param assumed the named response is known to have been kept.
 */
export function readHistory(facts: RequestFacts, ledger: Ledger, assumed = false): History {
  if (facts.parent !== undefined) {
    const parent = ledger.byPiece(facts.parent).findLast((answer) => answer.key === facts.parent);
    if (parent === undefined) return { ...STATELESS, by: 'previous_response_id', unknown: true };
    const kept = facts.host.keepsState && (parent.request.stored !== false || facts.socket);
    const found = kept && parent.request.route === facts.host.route;
    // Whoever keeps responses refuses the name of one that it has not kept (`previous_response_not_found`).
    return { ...follow('previous_response_id', parent, found || assumed), disproved: facts.host.keepsState };
  }
  if (facts.conversation !== undefined) {
    const answers = ledger.byPiece(facts.conversation);
    const newest = answers.findLast((answer) => answer.request.stored !== false);
    if (newest !== undefined) return follow('conversation', newest, facts.host.keepsState);
    const unkept = answers.at(-1);
    if (unkept === undefined) return { ...STATELESS, by: 'conversation', unknown: true };
    // With `store: false` nothing is added to a conversation.
    return follow('conversation', unkept, false);
  }
  return STATELESS;
}

function follow(by: 'previous_response_id' | 'conversation', parent: Answer, kept: boolean): History {
  const answers = listOf(parent);
  const fromEnd = new Map(answers.map((answer, index) => [answer, answers.length - index]));
  if (!kept) return { ...STATELESS, by, parent, lost: answers, fromEnd, standing: parent.after };
  return {
    by,
    parent,
    held: answers,
    lost: NONE,
    fromEnd,
    disproved: false,
    unknown: false,
    standing: parent.after,
    compaction: parent.compaction || parent.request.compaction,
  };
}

/** Everything that an answer was given behind, and itself, oldest first. */
function listOf(parent: Answer): readonly Answer[] {
  const answers = [parent];
  for (let node: Chain<Answer> | undefined = parent.request.answers; node !== undefined; node = node.previous) {
    answers.push(node.value);
  }
  return answers.reverse();
}
