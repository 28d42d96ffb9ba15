import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { ContentFacts, FunctionResult, Piece } from './read-content.ts';

/** Where each content stands: in which turn, in which run of model contents, behind which prefix. */
export interface Turns {
  /** Turn number of each content, from 0. */
  readonly turnOf: readonly number[];
  /** First content of the run of neighbouring model contents that a content belongs to. */
  readonly groupOf: readonly number[];
  /** Digest chain over all that stands before a content. */
  readonly prefixOf: readonly Digest[];
  /** The same over the whole request. */
  readonly prefix: Digest;
  readonly lastTurn: number;
  readonly open: boolean;
  /** Runs of model contents with a call in the last turn, and their calls. */
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Results whose call is not in the request. */
  readonly orphans: readonly FunctionResult[];
  /** Calls and results do not fit in number, name or id: answered by an error, or by nothing at all. */
  readonly mispaired: boolean;
}

const START = digest('start');

/**
 * A turn begins with user content that holds no result; its cycle is open from its first call until an answer without
 * one (ai.google.dev gemini-api/docs/thought-signatures: the current turn, and steps inside it).
 */
export function readTurns(contents: readonly ContentFacts[]): Turns {
  const turnOf: number[] = [];
  const groupOf: number[] = [];
  const prefixOf: Digest[] = [];
  const orphans: FunctionResult[] = [];
  let prefix = START;
  let turn = 0;
  let groups = 0;
  let callCount = 0;
  let open = false;
  let mispaired = false;
  let waiting: Piece[] = [];

  for (let c = 0; c < contents.length; c++) {
    const content = contents[c] as ContentFacts;
    const inGroup = content.role === 'model' && contents[c - 1]?.role === 'model';
    prefixOf.push(prefix);
    groupOf.push(inGroup ? (groupOf[c - 1] ?? c) : c);
    if (content.role === 'model') {
      let called: boolean = inGroup && open;
      if (!inGroup) {
        if (waiting.length > 0) mispaired = true;
        waiting = [];
      }
      for (const piece of content.pieces) {
        if (piece.kind !== 'call') continue;
        if (!called) groups++;
        called = true;
        callCount++;
        waiting.push(piece);
      }
      open = called;
    } else if (!content.hasOther && content.results.length === 0 && content.parts.length > 0) {
      // Calls under the user's role: wrong there, but nothing that a user said.
      mispaired = true;
      open = true;
    } else if (content.results.length === 0) {
      if (waiting.length > 0) mispaired = true;
      waiting = [];
      turn++;
      groups = 0;
      callCount = 0;
      open = false;
    } else if (content.hasOther && callCount === 0) {
      turn++;
    }
    for (const result of content.results) {
      const call = takeCall(waiting, result);
      if (call === undefined) orphans.push(result);
      if (call === undefined || (call.id !== undefined && result.id === undefined)) mispaired = true;
    }
    turnOf.push(turn);
    for (const part of content.parts) prefix = mix(prefix, part);
  }
  return {
    turnOf,
    groupOf,
    prefixOf,
    prefix,
    lastTurn: turn,
    open,
    cycleGroups: groups,
    cycleCalls: callCount,
    orphans,
    mispaired: mispaired || waiting.length > 0,
  };
}

/** Takes out the call that a result answers: by name, and by id where both have one. */
export function takeCall(waiting: Piece[], { id, name }: FunctionResult): Piece['call'] {
  const named = (piece: Piece): boolean => piece.call?.name === name;
  let at = waiting.findIndex((piece) => named(piece) && id !== undefined && piece.call?.id === id);
  if (at < 0) at = waiting.findIndex((piece) => named(piece) && (id === undefined || piece.call?.id === undefined));
  return at < 0 ? undefined : waiting.splice(at, 1)[0]?.call;
}
