import type { Dialect } from '../dialect.ts';
import { openCall } from './call.ts';
import { API } from './issued.ts';
import type { ChatTables } from './tables.ts';

/** Chat Completions, as OpenAI and everybody else speak it. */
export function createOpenaiChat(tables: Partial<ChatTables> = {}): Dialect {
  const whole: ChatTables = { models: tables.models ?? {}, hosts: tables.hosts ?? {} };
  return {
    api: API,
    open: (request, ledger, producer) => openCall(request, ledger, producer, whole),
  };
}
