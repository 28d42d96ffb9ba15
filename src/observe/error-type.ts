import type { CallError } from '../dialects/dialect.ts';
import { passes } from '../emit/gate.ts';
import { ATTR_ERROR_TYPE, VALUE_OTHER } from '../semconv.ts';

/** The class of an error, as its prototype names it: the `name` of most SDKs' errors is only "Error". */
function className(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name } = cause.constructor;
  return name === 'Error' ? cause.name : name;
}

/**
 * `error.type` of a call that failed: the provider's own error type, else the HTTP status, else the class of the error
 * that the application gets, else `_OTHER`. Never a message.
 */
export const errorType = (error: CallError | undefined, cause: unknown): string =>
  [error?.type, error?.status === undefined ? undefined : String(error.status), className(cause)].find((type) =>
    passes('call', ATTR_ERROR_TYPE, type),
  ) ?? VALUE_OTHER;
