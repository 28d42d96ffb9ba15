import type { CallWatch } from './call-watch.ts';
import { googleErrorClass } from './google-error-class.ts';
import { isObject } from './shapes.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * A watch that knows the errors of this SDK.
 * @param signal the one that the application gave to the call
 */
export function withGoogleErrors(watch: CallWatch, signal: unknown): CallWatch {
  const given = signal instanceof AbortSignal ? signal : undefined;
  return {
    ...watch,
    failed: (thrown) => {
      // The SDK keeps its own time by aborting the request.
      const isTimeout = isAbort(thrown) && !given?.aborted;
      watch.failed(isTimeout ? { type: 'timeout' } : readable(thrown), given);
    },
  };
}

/** 1.0 puts it into words of its own. */
function isAbort(thrown: unknown): boolean {
  if (!isObject(thrown)) return false;
  return thrown.name === 'AbortError' || /^exception AbortError\b/.test(String(thrown.message));
}

/**
 * `ApiError` holds the body of the answer as text in its message, `ClientError` and `ServerError` (before 1.10) behind some
 * words; so does what a stream throws when it comes across an error. Other errors as they are.
 */
function readable(thrown: unknown): unknown {
  if (!isObject(thrown)) return thrown;
  const body = isObject(thrown.error) ? thrown.error : bodyIn(thrown.message);
  const api = isObject(body?.error) ? body.error : body;
  if (!api) return thrown;
  const status = [thrown.status, api.code].find((one) => typeof one === 'number');
  return { status, type: googleErrorClass(api.status), code: api.code, message: api.message, headers: thrown.headers };
}

function bodyIn(message: unknown): Fields | undefined {
  const text = typeof message === 'string' ? /[{[].*/s.exec(message)?.[0] : undefined;
  if (text === undefined) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    const [first] = Array.isArray(body) ? body : [body];
    return isObject(first) ? first : undefined;
  } catch {
    return undefined;
  }
}
