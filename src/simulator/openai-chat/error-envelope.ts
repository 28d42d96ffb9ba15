import type { Reply, StreamEvent } from '../http/exchange.ts';
import type { Wire } from '../json.ts';
import { type ApiFailure, errorBody } from '../openai/api-failure.ts';
import type { ChatConflicts } from './conflicts.ts';
import type { ChatProfile } from './profile.ts';

export interface Envelope {
  readonly profile: ChatProfile | undefined;
  /** As a gateway names those who refused. */
  readonly provider: string;
  readonly conflicts: ChatConflicts;
}

/** A refusal in the host's own shape. Gateways wrap what their upstream said. */
export function refusalReply(
  refusal: ApiFailure,
  envelope: Envelope,
  headers: Readonly<Record<string, string>>,
): Reply {
  const inBody = envelope.profile?.envelope === 'openrouter' && envelope.conflicts.openRouterErrors === 'body';
  const status = inBody && refusal.status === 400 ? 200 : refusal.status;
  return { kind: 'json', status, headers, body: envelopeOf(refusal, envelope) };
}

export function envelopeOf(refusal: ApiFailure, { profile, provider }: Envelope): Wire {
  const { status, message, type } = refusal;
  switch (profile?.envelope) {
    case 'openrouter': {
      const raw = JSON.stringify(errorBody(refusal));
      const error = { message: 'Provider returned error', code: status, metadata: { raw, provider_name: provider } };
      return { error, user_id: 'user_simulator' };
    }
    case 'google':
      return { error: { code: status, message, status: GOOGLE_STATUS[status] ?? 'UNKNOWN' } };
    case 'litellm': {
      const text = `litellm.BadRequestError: ${provider}Exception - ${JSON.stringify({ type: 'error', error: { type, message } })}`;
      return { error: { message: text, type: null, param: null, code: String(status) } };
    }
    // What is wrong stands where other hosts name the parameter (tailcallhq/forgecode#3347).
    case 'mimo':
      return { error: { code: String(status), message: 'Param Incorrect', param: message, type: '' } };
    default:
      return errorBody(refusal);
  }
}

const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** An error in mid-stream: a chunk that has nothing else. */
export function errorChunk(type: string, message: string): StreamEvent {
  return { event: 'error', data: { error: { message, type, param: null, code: null } } };
}
