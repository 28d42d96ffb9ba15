import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { MessageFacts } from './read-message.ts';

/** Where each message stands: in which turn, in which run of assistant messages, behind which beginning. */
export interface Turns {
  /** Turn number of each message, from 0. */
  readonly turnOf: readonly number[];
  /** First message of the run of neighbouring assistant messages that a message belongs to. */
  readonly groupOf: readonly number[];
  /** Digest chain over all that stands before a message, reasoning left aside. */
  readonly prefixOf: readonly Digest[];
  /** The same over the whole request. */
  readonly prefix: Digest;
  readonly lastTurn: number;
  readonly open: boolean;
  /** Assistant messages with a call in the last turn, and their calls. */
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Every call id that a result in the request answers. */
  readonly results: ReadonlySet<Digest>;
}

const START = digest('start');

/**
 * A turn begins with a user message: results have a role of their own. Its cycle is open from the first call until an
 * answer without one.
 */
export function readTurns(messages: readonly MessageFacts[]): Turns {
  const turnOf: number[] = [];
  const groupOf: number[] = [];
  const prefixOf: Digest[] = [];
  const results = new Set<Digest>();
  let prefix = START;
  let turn = 0;
  let groups = 0;
  let calls = 0;
  let open = false;
  let called = false;
  for (let m = 0; m < messages.length; m++) {
    const message = messages[m] as MessageFacts;
    prefixOf.push(prefix);
    if (message.role === 'assistant') {
      const joins = messages[m - 1]?.role === 'assistant';
      groupOf.push(joins ? (groupOf[m - 1] ?? m) : m);
      called = (joins && called) || message.calls > 0;
      if (message.calls > 0) groups++;
      calls += message.calls;
      open = called;
    } else {
      groupOf.push(m);
      if (message.role === 'user') {
        turn++;
        groups = 0;
        calls = 0;
        open = false;
      }
      if (message.result !== undefined) {
        results.add(message.result);
        // Its call was cut off, but there was one.
        if (calls === 0) open = true;
      }
    }
    turnOf.push(turn);
    prefix = mix(prefix, message.part);
  }
  return { turnOf, groupOf, prefixOf, prefix, lastTurn: turn, open, cycleGroups: groups, cycleCalls: calls, results };
}
