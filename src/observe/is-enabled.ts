import type { Settings } from '../context.ts';

/**
 * Variables that switch observation off where no setting says otherwise, with the words that mean yes. Those of
 * OTEL_SDK_DISABLED are the OpenTelemetry specification's: only "true" is true.
 */
const SWITCHES: ReadonlyArray<readonly [name: string, yes: readonly string[]]> = [
  ['REASONING_OTEL_DISABLED', ['true', '1', 'yes', 'on']],
  ['OTEL_SDK_DISABLED', ['true']],
];

/** Whether calls are observed. What is set in code wins over the environment, which is read at each call. */
export const isEnabled = ({ enabled }: Settings): boolean =>
  enabled ?? !SWITCHES.some(([name, yes]) => yes.includes(process.env[name]?.trim().toLowerCase() ?? ''));
