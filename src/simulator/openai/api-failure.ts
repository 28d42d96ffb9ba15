import type { Reply } from '../http/exchange.ts';

/** A request that is refused: status and the members of `error`. https://platform.openai.com/docs/guides/error-codes */
export interface ApiFailure {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export interface FailureDetails {
  readonly status?: number;
  readonly param?: string | null;
  readonly code?: string | null;
  readonly type?: string;
}

const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  429: 'rate_limit_exceeded',
  500: 'server_error',
  502: 'server_error',
  503: 'service_unavailable_error',
};

export function failure(message: string, details: FailureDetails = {}): ApiFailure {
  const status = details.status ?? 400;
  return {
    status,
    message,
    type: details.type ?? TYPE_OF_STATUS[status] ?? 'invalid_request_error',
    param: details.param ?? null,
    code: details.code ?? null,
  };
}

export function missing(param: string): ApiFailure {
  return failure(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

export function unknownParameter(param: string): ApiFailure {
  return failure(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

export function isFailure(value: object): value is ApiFailure {
  return 'message' in value && 'param' in value && 'code' in value;
}

export function errorBody({ status: _, ...error }: ApiFailure): { readonly error: Omit<ApiFailure, 'status'> } {
  return { error };
}

export function errorReply(refusal: ApiFailure, headers: Readonly<Record<string, string>>): Reply {
  return { kind: 'json', status: refusal.status, headers, body: errorBody(refusal) };
}

export const NO_KEY = failure(
  "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.",
  { status: 401 },
);

export function modelNotFound(model: string): ApiFailure {
  return failure(`The model \`${model}\` does not exist or you do not have access to it.`, {
    status: 404,
    code: 'model_not_found',
  });
}

export const NOT_JSON = failure(
  'We could not parse the JSON body of your request. The request must be a JSON object in UTF-8.',
);
