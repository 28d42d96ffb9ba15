import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, invalid } from './api-failure.ts';

/** A conversation the server holds. https://platform.claude.com/docs/en/build-with-claude/message-threads */
interface StoredThread {
  readonly account: string;
  readonly messages: readonly Wire[];
  readonly system: unknown;
  readonly tools: unknown;
  readonly expires: number;
  state: 'free' | 'in_flight' | 'continued';
}

export interface ThreadStart {
  readonly stored: readonly Wire[];
  readonly body: Wire;
  /** The response continued from; released if the continuation fails. */
  readonly from?: string;
}

export interface ThreadStore {
  /** Puts what the server holds in place of what a `continue` leaves out. */
  open(body: Wire, account: string, unsupported: readonly string[]): ThreadStart | ApiFailure;
  /** Ends a continuation. */
  close(start: ThreadStart, answered: boolean): void;
  hold(id: string, account: string, start: ThreadStart, content: readonly Wire[]): void;
}

const LIFETIME_MS = 5 * 60_000;

export function createThreadStore(now: () => number): ThreadStore {
  const threads = new Map<string, StoredThread>();
  return {
    open(body, account, unsupported) {
      const { thread } = body;
      if (!isWire(thread)) return { stored: [], body };
      const present = unsupported.filter((name) => body[name] != null);
      if (present.length > 0) {
        return {
          ...invalid(`thread: not supported together with ${present.join(', ')}`),
          details: { error_code: 'thread_unsupported_request', unsupported: present },
        };
      }
      if (thread.type === 'create') return { stored: [], body };
      const from = String(thread.previous_message_id);
      const known = threads.get(from);
      if (!known || known.account !== account || known.expires <= now()) {
        return failure(404, `thread: no thread continues from ${from}`, 'thread_not_found');
      }
      const repeated = ['system', 'tools'].find((name) => body[name] != null);
      if (repeated) return invalid(`${repeated}: cannot be set when a thread is continued`);
      if (known.state === 'continued') {
        return invalid(`thread: ${from} was already continued`, 'thread_already_continued');
      }
      if (known.state === 'in_flight') {
        return invalid(`thread: a continuation of ${from} is in flight`, 'thread_continue_in_flight');
      }
      known.state = 'in_flight';
      return { stored: known.messages, body: { ...body, system: known.system, tools: known.tools }, from };
    },
    close({ from }, answered) {
      const thread = from === undefined ? undefined : threads.get(from);
      if (thread) thread.state = answered ? 'continued' : 'free';
    },
    hold(id, account, { stored, body }, content) {
      const messages = Array.isArray(body.messages) ? body.messages.filter(isWire) : [];
      threads.set(id, {
        account,
        messages: [...stored, ...messages, { role: 'assistant', content }],
        system: body.system,
        tools: body.tools,
        expires: now() + LIFETIME_MS,
        state: 'free',
      });
    },
  };
}
