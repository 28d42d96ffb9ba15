import type { Reply } from '../http/exchange.ts';

/** A request that is refused. */
export interface Refusal {
  readonly status: number;
  /** Class of the exception. */
  readonly type: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function isRefusal(value: object): value is Refusal {
  return 'status' in value && 'type' in value && 'message' in value;
}

export function invalid(message: string): Refusal {
  return { status: 400, type: 'ValidationException', message };
}

/** What the model behind Converse said, in the words that Converse puts before it. */
export function modelSaid(message: string): Refusal {
  return invalid(`The model returned the following errors: ${message}`);
}

const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors */
export function refusalOf(status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal {
  const known = status === 529 ? 503 : status;
  return {
    status: known,
    type: EXCEPTIONS[known] ?? (known >= 500 ? 'InternalServerException' : 'ValidationException'),
    message,
    ...(headers && { headers }),
  };
}

export function refusalReply({ status, type, message, headers }: Refusal, requestId: string): Reply {
  return {
    kind: 'json',
    status,
    headers: { 'x-amzn-requestid': requestId, 'x-amzn-errortype': type, ...headers },
    body: { message },
  };
}
