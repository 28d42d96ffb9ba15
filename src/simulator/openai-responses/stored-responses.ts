import type { Exchange, Reply } from '../http/exchange.ts';
import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure } from '../openai/api-failure.ts';
import type { Organization } from '../openai/organization.ts';
import { seeded } from '../seeded.ts';
import { withId, withoutCiphertext } from './answer.ts';
import type { ResponsesContext } from './context.ts';
import { type Headers, jsonReply, listBody, streamReply } from './replies.ts';
import type { HeldResponse } from './store.ts';

/** `GET`, `DELETE` and `cancel` of a stored response, and its input items. */
export function handleStored(
  context: ResponsesContext,
  exchange: Exchange,
  organization: Organization,
  headers: Headers,
): Reply | ApiFailure | undefined {
  const [, id, action] = /\/responses\/(resp_\w+)(?:\/(\w+))?$/.exec(exchange.path) ?? [];
  if (id === undefined) return undefined;
  const held = context.store.response(id, organization.id);
  if (!held) return failure(`Response with id '${id}' not found.`, { status: 404 });
  switch (`${exchange.method} ${action ?? ''}`) {
    case 'GET ':
      return retrieve(held, exchange.query, headers);
    case 'GET input_items':
      return jsonReply(listBody(inputItems(context, held)), headers);
    case 'POST cancel':
      if (!held.isPending) return failure('Cannot cancel a completed response.');
      held.isPending = false;
      held.response = { ...held.response, status: 'cancelled', output: [], usage: null, completed_at: null };
      return jsonReply(held.response, headers);
    case 'DELETE ':
      context.store.forget(id);
      return jsonReply({ id, object: 'response', deleted: true }, headers);
    default:
      return undefined;
  }
}

/** Ciphertext comes by itself only with the answer; here it has to be asked for. */
function retrieve(held: HeldResponse, query: URLSearchParams, headers: Headers): Reply {
  held.isPending = false;
  const asked = [...query.getAll('include'), ...query.getAll('include[]')].includes('reasoning.encrypted_content');
  const shown = (response: Wire): Wire =>
    asked || !Array.isArray(response.output)
      ? response
      : { ...response, output: response.output.filter(isWire).map(withoutCiphertext) };
  if (query.get('stream') !== 'true') return jsonReply(shown(held.response), headers);
  const after = Number(query.get('starting_after') ?? -1);
  const events = held.events
    .filter(({ data }) => Number(data.sequence_number) > after)
    .map(({ event, data }) => ({
      event,
      data: {
        ...data,
        ...(isWire(data.response) && { response: shown(data.response) }),
        ...(isWire(data.item) && !asked && { item: withoutCiphertext(data.item) }),
      },
    }));
  return streamReply(events, headers);
}

function inputItems({ seed }: ResponsesContext, { id, input }: HeldResponse): Wire[] {
  const ids = seeded(seed, `input items ${id}`);
  // Newest first, as the API lists them.
  return input.map(({ item, type }) => withId(item, type, ids)).reverse();
}
