import { failure, type GeminiFailure } from '../gemini/api-failure.ts';
import type { Caller } from '../gemini/caller.ts';
import type { Exchange, Reply } from '../http/exchange.ts';
import type { InteractionsContext } from './context.ts';
import { errorEvent } from './events.ts';

/** `GET`, `DELETE` and `cancel` of a stored interaction. A stream can be gone on with from any event. */
export function handleStored(
  { store }: InteractionsContext,
  { method, path, query }: Exchange,
  { project }: Caller,
): Reply | GeminiFailure {
  const [, id, action] = /\/interactions\/([^/]+?)(?:\/(cancel))?$/.exec(path) ?? [];
  const held = store.find(id, project);
  if (id === undefined || !held) return failure(`Interaction '${id ?? ''}' not found.`, 404);
  if (action === 'cancel') return failure('Only interactions that are still running can be cancelled.');
  if (method === 'DELETE') {
    store.forget(id);
    return { kind: 'json', status: 200, body: {} };
  }
  if (query.get('stream') !== 'true') return { kind: 'json', status: 200, body: held.interaction };
  const after = Number(query.get('last_event_id') ?? -1);
  const events = held.events.filter(({ data }) => Number(data.event_id) > after);
  return { kind: 'stream', status: 200, framing: 'sse', events, errorEvent };
}
