import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { CallPiece, MessageFacts, Piece } from './read-message.ts';

/** Where each message stands: in which turn, in which group of assistant messages, behind which prefix. */
export interface Turns {
  /** Turn number of each message, from 0. */
  readonly turnOf: readonly number[];
  /** First message of the run of neighbouring assistant messages that a message belongs to; the API merges such a run. */
  readonly groupOf: readonly number[];
  /** Digest chain over all that stands before a message, restarted at the provider's own summary. */
  readonly prefixOf: readonly Digest[];
  /** The same over the whole request. */
  readonly prefix: Digest;
  readonly lastTurn: number;
  /** First message of the last turn. */
  readonly turnStart: number;
  readonly open: boolean;
  /** Assistant groups with a call in the last turn, and their calls. */
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Index of the last message that a model wrote, -1 without one. */
  readonly latestAssistant: number;
  /** Message that holds the latest summary by the provider, -1 without one. */
  readonly compactionAt: number;
  readonly compaction: Digest;
  /** Whether the request holds a result for a call. */
  readonly answers: (call: Digest) => boolean;
  /** Whether a message refers to a tool by its name. */
  readonly refersTo: (tool: string) => boolean;
}

const START = digest('start');
const NO_TURNS: Turns = {
  turnOf: [],
  groupOf: [],
  prefixOf: [],
  prefix: START,
  lastTurn: 0,
  turnStart: 0,
  open: false,
  cycleGroups: 0,
  cycleCalls: 0,
  latestAssistant: -1,
  compactionAt: -1,
  compaction: 0,
  answers: () => false,
  refersTo: () => false,
};

/**
 * A turn goes on while user messages answer its calls. Its cycle is open from the first call until an answer without
 * one (platform.claude.com build-with-claude/thinking: a tool loop is one assistant turn).
 * @param known of the first of these messages, to go on from
 */
export function readTurns(messages: readonly MessageFacts[], known: Turns = NO_TURNS): Turns {
  const turnOf = [...known.turnOf];
  const groupOf = [...known.groupOf];
  const prefixOf = [...known.prefixOf];
  let { prefix, turnStart, open, latestAssistant, compactionAt, compaction } = known;
  let turn = known.lastTurn;
  let groups = known.cycleGroups;
  let callCount = known.cycleCalls;

  for (let m = turnOf.length; m < messages.length; m++) {
    const message = messages[m] as MessageFacts;
    const before = m > 0 ? messages[m - 1] : undefined;
    prefixOf.push(prefix);
    if (message.role === 'assistant') {
      const inGroup = before?.role === 'assistant';
      groupOf.push(inGroup ? (groupOf[m - 1] ?? m) : m);
      latestAssistant = m;
      let called: boolean = inGroup && open;
      for (const piece of message.pieces) {
        if (piece.kind === 'compaction') {
          compactionAt = m;
          compaction = piece.key;
        }
        if (!isOpenCall(piece, message)) continue;
        if (!called) groups++;
        called = true;
        callCount++;
      }
      open = called;
    } else {
      groupOf.push(m);
      if (message.role === 'user' && endsTurn(messages, m, turnStart)) {
        turn++;
        turnStart = m;
        groups = 0;
        callCount = 0;
        open = false;
      }
    }
    turnOf.push(turn);
    if (compactionAt === m) prefix = mix(START, compaction);
    prefix = extendPrefix(prefix, message);
  }
  return {
    turnOf,
    groupOf,
    prefixOf,
    prefix,
    lastTurn: turn,
    turnStart,
    open,
    cycleGroups: groups,
    cycleCalls: callCount,
    latestAssistant,
    compactionAt,
    compaction,
    answers: (call) => messages.some((message) => message.results.includes(call)),
    refersTo: (tool) => messages.some((message) => message.references.includes(tool)),
  };
}

/** A call that the provider does not answer itself in the same message. */
function isOpenCall(piece: Piece, message: MessageFacts): piece is CallPiece {
  return piece.kind === 'call' && !(piece.server && message.serverResults.includes(piece.id));
}

function endsTurn(messages: readonly MessageFacts[], at: number, turnStart: number): boolean {
  const message = messages[at] as MessageFacts;
  // Results whose call was taken out of the history still belong to the turn; nothing else was said.
  if (message.results.length === 0) return true;
  if (!message.hasOther) return false;
  for (let m = at - 1; m >= turnStart; m--) {
    const earlier = messages[m] as MessageFacts;
    for (const piece of earlier.pieces) {
      if (isOpenCall(piece, earlier) && message.results.includes(piece.id)) return false;
    }
  }
  return true;
}

/** The chain over a message that stands where it stood at the last step is the one of the last step. */
function extendPrefix(prefix: Digest, message: MessageFacts): Digest {
  const known = chained.get(message);
  if (known !== undefined && known.before === prefix) return known.after;
  let after = prefix;
  for (const part of message.parts) after = mix(after, part);
  chained.set(message, { before: prefix, after });
  return after;
}

const chained = new WeakMap<MessageFacts, { readonly before: Digest; readonly after: Digest }>();
