import { digest, type Wire } from '../json.ts';
import { callsOf, contentText } from './messages.ts';

/** Reasoning that the server handed out in the open: known again only by its text. */
export interface IssuedThought {
  readonly text: string;
  readonly tokens: number;
  readonly model: string;
  readonly plan?: unknown;
}

export interface IssuedAnswers {
  remember(scope: string, message: Wire, thoughts: readonly IssuedThought[]): void;
  /** What an answer like this one was issued with; undefined for one that never was. */
  of(scope: string, message: Wire): readonly IssuedThought[] | undefined;
}

/** Oldest first out; a conversation that old is then treated as one from elsewhere. */
const LIMIT = 50_000;

/** An answer is known again by its tool calls, else by its text: several may have the same. */
export function createIssuedAnswers(): IssuedAnswers {
  const issued = new Map<string, IssuedThought[]>();
  const keyOf = (scope: string, message: Wire): string => {
    const calls = callsOf(message).map(({ id }) => String(id));
    return digest(scope, ...(calls.length > 0 ? calls : ['text', contentText(message)]));
  };
  return {
    remember(scope, message, thoughts) {
      const key = keyOf(scope, message);
      issued.set(key, [...(issued.get(key) ?? []), ...thoughts]);
      for (const oldest of issued.keys()) {
        if (issued.size <= LIMIT) break;
        issued.delete(oldest);
      }
    },
    of: (scope, message) => issued.get(keyOf(scope, message)),
  };
}
