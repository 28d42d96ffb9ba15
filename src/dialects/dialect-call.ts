import type { Judgement } from '../continuity/judgement.ts';
import type { CallEnd, CallError, CallFacts, DialectCall } from './dialect.ts';

/** How one API does what every call needs. */
export interface CallParts {
  facts(): CallFacts;
  readonly reader: { event(event: unknown): void; whole(message: unknown): void };
  /** @param commit the call is over: remembers what has been counted. */
  judge(commit: boolean): Judgement;
  refuse(error: CallError): void;
  /** Takes in what has come of the request; once, before the last judgement. */
  settle(end: CallEnd): void;
}

/** One call made from its parts: a judgement stands until something arrives that may change it. */
export function createDialectCall({ facts, reader, judge, refuse, settle }: CallParts): DialectCall {
  let last: Judgement | undefined;
  return {
    facts,
    judgement: () => {
      last ??= judge(false);
      return last;
    },
    event: (event) => reader.event(event),
    response: (message) => reader.whole(message),
    error(error) {
      refuse(error);
      last = undefined;
    },
    close(end) {
      settle(end);
      last = judge(true);
      return last;
    },
  };
}
