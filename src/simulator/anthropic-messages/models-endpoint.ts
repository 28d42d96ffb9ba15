import type { Exchange, Reply } from '../http/exchange.ts';
import type { Wire } from '../json.ts';
import { failure } from './api-failure.ts';
import { findModel, MODEL_ROWS, type ModelRow } from './models.ts';
import { errorReply, jsonReply, type ReplyHead } from './replies.ts';

/** `GET /v1/models` and `/v1/models/{id}`; undefined for any other path. */
export function handleModels(exchange: Exchange, head: ReplyHead, extra: readonly ModelRow[]): Reply | undefined {
  const match = /\/v1\/models(?:\/(?<id>[^/]+))?$/.exec(exchange.path);
  if (!match || exchange.method !== 'GET') return undefined;
  const id = match.groups?.id;
  if (id !== undefined) {
    const row = findModel(id, extra);
    return row ? jsonReply(modelInfo(row), head) : errorReply(failure(404, `model: ${id}`), head);
  }
  const data = [...extra, ...MODEL_ROWS].map(modelInfo);
  return jsonReply({ data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }, head);
}

function modelInfo(row: ModelRow): Wire {
  const support = (supported: boolean) => ({ supported });
  return {
    id: row.id,
    type: 'model',
    display_name: row.id.replace(/^claude-/, 'Claude ').replaceAll('-', ' '),
    created_at: '1970-01-01T00:00:00Z',
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    capabilities: {
      batch: support(true),
      thinking: {
        supported: true,
        types: {
          adaptive: support(row.adaptive),
          between_tools: support(row.betweenTools !== 'no'),
          disabled: support(row.disabled !== 'no'),
          enabled: support(row.enabled),
        },
      },
    },
  };
}
