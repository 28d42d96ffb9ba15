import type { Reply } from '../http/exchange.ts';
import type { Wire } from '../json.ts';

/** A request that is refused, as Google's APIs tell it. https://ai.google.dev/gemini-api/docs/troubleshooting */
export interface GeminiFailure {
  /** HTTP status. */
  readonly code: number;
  readonly message: string;
  /** The canonical name of the status. */
  readonly status: string;
}

const STATUS_OF_CODE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function failure(message: string, code = 400, status = STATUS_OF_CODE[code] ?? 'UNKNOWN'): GeminiFailure {
  return { code, message, status };
}

export function isFailure(value: object): value is GeminiFailure {
  return 'code' in value && 'message' in value && 'status' in value;
}

export function errorBody({ code, message, status }: GeminiFailure): Wire {
  return { error: { code, message, status } };
}

export function errorReply(refusal: GeminiFailure, headers: Readonly<Record<string, string>>): Reply {
  return { kind: 'json', status: refusal.code, headers, body: errorBody(refusal) };
}

export const NO_KEY = failure(
  "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form " +
    'of API consumer identity to call this API.',
  403,
);

export const NOT_JSON = failure('Invalid JSON payload received. Expected an object.');

/** Says nothing of what is wrong: for whatever no source gives a text for. */
export const INVALID_ARGUMENT = failure('Request contains an invalid argument.');
