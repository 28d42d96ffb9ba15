import type { Dialect } from '../dialect.ts';
import { asObject } from '../json.ts';
import { openCall } from './call.ts';
import type { JudgeTables } from './judge-tables.ts';

/** The Messages API of Anthropic and of everybody who speaks it. */
export function createAnthropicMessages(tables: Partial<JudgeTables> = {}): Dialect {
  const whole: JudgeTables = { models: tables.models ?? {}, readers: tables.readers ?? {} };
  return {
    api: 'anthropic.messages',
    isChunk: (event) => asObject(event)?.type === 'content_block_delta',
    open: (request, ledger, producer) => openCall(request, ledger, producer, whole),
  };
}
