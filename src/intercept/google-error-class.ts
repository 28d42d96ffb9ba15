/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const CLASSES: ReadonlySet<unknown> = new Set([
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
]);

/** The class that Google gives an error, in the member where others write the HTTP status; undefined for any other value. */
export const googleErrorClass = (status: unknown): unknown => (CLASSES.has(status) ? status : undefined);
