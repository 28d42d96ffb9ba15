import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { MessageFacts } from './read-message.ts';

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
  readonly open: boolean;
  /** Assistant groups with a call in the last turn, and their calls. */
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Index of the last message that a model wrote, -1 without one. */
  readonly latestAssistant: number;
  /** Message that holds the latest summary by the provider, -1 without one. */
  readonly compactionAt: number;
  readonly compaction: Digest;
  /** Every call id that a result in the request answers. */
  readonly results: ReadonlySet<Digest>;
  /** Tools that the messages refer to. */
  readonly references: ReadonlySet<string>;
}

const START = digest('start');

/**
 * A turn goes on while user messages answer its calls. Its cycle is open from the first call until an answer without
 * one (platform.claude.com build-with-claude/thinking: a tool loop is one assistant turn).
 */
export function readTurns(messages: readonly MessageFacts[]): Turns {
  const turnOf: number[] = [];
  const groupOf: number[] = [];
  const prefixOf: Digest[] = [];
  const results = new Set<Digest>();
  const references = new Set<string>();
  let prefix = START;
  let turn = 0;
  let calls = new Set<Digest>();
  let groups = 0;
  let callCount = 0;
  let open = false;
  let latestAssistant = -1;
  let compactionAt = -1;
  let compaction: Digest = 0;

  for (let m = 0; m < messages.length; m++) {
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
        if (piece.kind !== 'call' || (piece.server && message.serverResults.includes(piece.id))) continue;
        if (!called) groups++;
        called = true;
        callCount++;
        calls.add(piece.id);
      }
      open = called;
    } else {
      groupOf.push(m);
      if (message.role === 'user' && endsTurn(message, calls)) {
        turn++;
        calls = new Set();
        groups = 0;
        callCount = 0;
        open = false;
      }
    }
    for (const id of message.results) results.add(id);
    for (const name of message.references) references.add(name);
    turnOf.push(turn);
    if (compactionAt === m) prefix = mix(START, compaction);
    for (const part of message.parts) prefix = mix(prefix, part);
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
    latestAssistant,
    compactionAt,
    compaction,
    results,
    references,
  };
}

function endsTurn(message: MessageFacts, calls: ReadonlySet<Digest>): boolean {
  if (message.results.some((id) => calls.has(id))) return false;
  // Results whose call was taken out of the history still belong to the turn; nothing else was said.
  return message.hasOther || message.results.length === 0;
}
