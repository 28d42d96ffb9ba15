import {
  ATTR_REASONING_INSTRUMENTATION_SDK,
  ATTR_REASONING_INSTRUMENTATION_SDK_VERSION,
  ATTR_REASONING_INSTRUMENTATION_SEEN_BY,
  ATTR_REASONING_INSTRUMENTATION_SPAN,
  ATTR_REASONING_INSTRUMENTATION_VERSION,
  SCOPE_VERSION,
  type SEEN_BY,
  type SPAN_OWNERS,
} from '../semconv.ts';

/** How the calls of one provider SDK are seen. */
export interface SeenSdk {
  readonly name: string;
  readonly version?: string;
  readonly by: (typeof SEEN_BY)[number];
  readonly span: (typeof SPAN_OWNERS)[number];
}

type Labels = ReadonlyArray<readonly [string, unknown]>;

const seen = new Map<string, Labels>();
/** Copies and majors of an SDK in one process are few; a version read from a strange place must not grow without end. */
const MAX_SEEN = 64;

/** Notes that a call of this SDK was seen, for the info gauge. */
export function noteSdk({ name, version, by, span }: SeenSdk): void {
  const key = `${name} ${version} ${by} ${span}`;
  if (seen.has(key) || seen.size >= MAX_SEEN) return;
  seen.set(key, [
    [ATTR_REASONING_INSTRUMENTATION_VERSION, SCOPE_VERSION],
    [ATTR_REASONING_INSTRUMENTATION_SDK, name],
    [ATTR_REASONING_INSTRUMENTATION_SDK_VERSION, version],
    [ATTR_REASONING_INSTRUMENTATION_SEEN_BY, by],
    [ATTR_REASONING_INSTRUMENTATION_SPAN, span],
  ]);
}

export const seenSdks = (): Iterable<Labels> => seen.values();
