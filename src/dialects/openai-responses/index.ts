import type { Dialect } from '../dialect.ts';
import { isObject } from '../json.ts';
import { openCall } from './call.ts';
import { openFetch } from './fetch.ts';
import type { JudgeTables } from './foreign.ts';

/** Events that carry no output yet. */
const BEFORE_OUTPUT = new Set<unknown>([
  'response.created',
  'response.queued',
  'response.in_progress',
  'keepalive',
  'error',
]);

/** The Responses API of OpenAI and of everybody who speaks it. */
export function createOpenaiResponses(tables: Partial<JudgeTables> = {}): Dialect {
  const whole: JudgeTables = { models: tables.models ?? {}, readers: tables.readers ?? {} };
  return {
    api: 'openai.responses',
    open: (request, ledger, producer) => openCall(request, ledger, producer, whole),
    fetch: (id, ledger) => openFetch(id, ledger),
    isChunk: (event) => !isObject(event) || !BEFORE_OUTPUT.has(event.type),
  };
}
