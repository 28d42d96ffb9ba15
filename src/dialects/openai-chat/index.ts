import type { Dialect } from '../dialect.ts';
import { asArray, asObject } from '../json.ts';
import { openCall } from './call.ts';
import { API } from './issued.ts';
import type { ChatTables } from './tables.ts';

/** Chat Completions, as OpenAI and everybody else speak it. */
export function createOpenaiChat(tables: Partial<ChatTables> = {}): Dialect {
  const whole: ChatTables = { models: tables.models ?? {}, hosts: tables.hosts ?? {} };
  return {
    api: API,
    open: (request, ledger, producer) => openCall(request, ledger, producer, whole),
    isChunk: hasOutput,
  };
}

/** The first chunk of a stream says who speaks, and the last how much it was. */
function hasOutput(chunk: unknown): boolean {
  return (asArray(asObject(chunk)?.choices) ?? []).some((choice) => {
    const delta = asObject(asObject(choice)?.delta) ?? {};
    return Object.entries(delta).some(([member, value]) => member !== 'role' && value !== null && value !== '');
  });
}
