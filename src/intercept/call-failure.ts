import type { CallError } from '../dialects/dialect.ts';
import { googleErrorClass } from './google-error-class.ts';
import { isCallable, isObject } from './shapes.ts';

/** What a rejection says, as plain facts. The error object itself is never kept and never changed. */
export interface CallFailure {
  /** The application gave the call up; no failure. */
  readonly aborted: boolean;
  readonly error: CallError;
  /** Of the response that carried the error, where there was one. */
  readonly headers?: (name: string) => string | null | undefined;
}

/** How the SDKs of this family name an abort by the application. */
const ABORT_NAMES: ReadonlySet<unknown> = new Set(['AbortError', 'APIUserAbortError']);
const ABORT_MESSAGE = 'Request was aborted.';

/**
 * Reads an error of a Stainless SDK by its shape: `instanceof` does not work across copies, and class names do not
 * survive a minifier.
 * @param signal the signal that the application gave to the call, where it gave one.
 */
export function readFailure(thrown: unknown, signal?: AbortSignal): CallFailure {
  const error = isObject(thrown) ? thrown : {};
  const api = apiError(error);
  const status = typeof error.status === 'number' ? error.status : undefined;
  const type = [error.type, api?.type, googleErrorClass(api?.status)]
    .map(text)
    .find((one) => one !== undefined && one !== 'error');
  const code = text(error.code) ?? (isObject(error.cause) ? text(error.cause.code) : undefined);
  const metadata = isObject(api?.metadata) ? api.metadata : {};
  const upstream = text(metadata.provider_name);
  const said = [text(api?.message) ?? text(error.message), sentence(api?.param), upstreamError(metadata.raw)];
  const message = said.filter(Boolean).join(' ');
  const headers = headerReader(error.headers);
  return {
    aborted: (status === undefined && signal?.aborted === true) || isAbort(error),
    error: {
      ...(status !== undefined && { status }),
      ...(type !== undefined && { type }),
      ...(code !== undefined && { code }),
      ...(message !== '' && { message }),
      ...(upstream !== undefined && { provider: upstream }),
    },
    ...(headers && { headers }),
  };
}

/** Reads `get(name)` off a `Headers`, or off the plain object that older SDKs hand out. */
export function headerReader(headers: unknown): ((name: string) => string | null | undefined) | undefined {
  if (!isObject(headers)) return undefined;
  const { get } = headers;
  if (isCallable(get)) return (name) => text(Reflect.apply(get, headers, [name])) ?? null;
  return (name) => text(headers[name]) ?? null;
}

function isAbort(error: Record<PropertyKey, unknown>): boolean {
  return (
    ABORT_NAMES.has(error.name) ||
    (isObject(error.constructor) || isCallable(error.constructor)
      ? ABORT_NAMES.has((error.constructor as { name?: unknown }).name)
      : false) ||
    error.message === ABORT_MESSAGE
  );
}

/**
 * The API's own error object: in `error.error` of the body (HTTP) or of the event (SSE). SDKs up to 0.5x have no field for
 * the event, and give its text as the message.
 */
function apiError(error: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> | undefined {
  const body = isObject(error.error) ? error.error : parseEvent(error.message);
  if (!body) return undefined;
  return isObject(body.error) ? body.error : body;
}

/** Some hosts say here what is wrong (Xiaomi MiMo: tailcallhq/forgecode#3347), where others name a parameter. */
function sentence(param: unknown): string | undefined {
  return text(param)?.includes(' ') ? text(param) : undefined;
}

/** What a router was told by whom it asked (openrouter.ai errors-and-debugging, `metadata.raw`): text, or JSON of any depth. */
function upstreamError(raw: unknown): string | undefined {
  return isObject(raw) ? JSON.stringify(raw) : text(raw);
}

function parseEvent(message: unknown): Record<PropertyKey, unknown> | undefined {
  if (typeof message !== 'string' || !message.startsWith('{')) return undefined;
  try {
    const event: unknown = JSON.parse(message);
    return isObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
