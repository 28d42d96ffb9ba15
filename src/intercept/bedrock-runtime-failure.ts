import type { CallFailure } from './call-failure.ts';
import { isObject } from './shapes.ts';

/**
 * Reads an error of a Smithy client by its shape: an exception of the service has its class in `name` and `$fault`, and
 * its status in `$metadata`; the same comes out of an event stream, without the status.
 * @param signal the signal that the application gave to the call, where it gave one.
 */
export function readServiceFailure(thrown: unknown, signal?: AbortSignal): CallFailure {
  const error = isObject(thrown) ? thrown : {};
  const metadata = isObject(error.$metadata) ? error.$metadata : {};
  const { name, message, code, $fault } = error;
  const status = typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
  return {
    aborted: name === 'AbortError' || (status === undefined && $fault === undefined && signal?.aborted === true),
    error: {
      ...(status !== undefined && { status }),
      ...(typeof name === 'string' && $fault !== undefined && { type: name }),
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { message }),
    },
  };
}
