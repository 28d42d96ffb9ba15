/** A request that is refused, before it becomes an HTTP answer in the platform's own shape. */
export interface ApiFailure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const TYPE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export function failure(status: number, message: string, code?: string): ApiFailure {
  const type = TYPE_OF_STATUS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return code === undefined ? { status, type, message } : { status, type, message, details: { error_code: code } };
}

export function invalid(message: string, code?: string): ApiFailure {
  return failure(400, message, code);
}

export function isFailure(value: object): value is ApiFailure {
  return 'status' in value && 'message' in value && 'type' in value;
}
