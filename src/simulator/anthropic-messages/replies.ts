import type { Reply } from '../http/exchange.ts';
import type { ApiFailure } from './api-failure.ts';
import type { Platform } from './platform.ts';

export interface ReplyHead {
  readonly requestId: string;
  readonly organizationId: string;
  readonly platform: Platform;
}

export function headersOf({ requestId, organizationId, platform }: ReplyHead): Record<string, string> {
  if (platform === 'bedrock') return { 'x-amzn-requestid': requestId };
  return { 'request-id': requestId, 'anthropic-organization-id': organizationId };
}

export function jsonReply(body: unknown, head: ReplyHead): Reply {
  return { kind: 'json', status: 200, headers: headersOf(head), body };
}

const AWS_EXCEPTION: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

/** A refusal in the platform's own shape: Bedrock answers with a bare `message`, the others with the full body. */
export function errorReply(failure: ApiFailure, head: ReplyHead): Reply {
  const { status, message } = failure;
  const headers = { ...headersOf(head), ...failure.headers };
  if (head.platform === 'bedrock') {
    const awsStatus = status === 529 ? 503 : status;
    return {
      kind: 'json',
      status: awsStatus,
      headers: { ...headers, 'x-amzn-errortype': AWS_EXCEPTION[awsStatus] ?? 'ValidationException' },
      body: { message },
    };
  }
  return { kind: 'json', status, headers, body: errorBody(failure, head.requestId) };
}

export function errorBody({ type, message, details }: ApiFailure, requestId: string): Record<string, unknown> {
  return { type: 'error', error: { type, message, ...(details && { details }) }, request_id: requestId };
}
