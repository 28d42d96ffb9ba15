import type { Settings } from '../context.ts';

/** Variables that switch observation off where no setting says otherwise. */
const SWITCHES = ['REASONING_OTEL_DISABLED', 'OTEL_SDK_DISABLED'] as const;

/** Whether calls are observed. What is set in code wins over the environment, which is read at each call. */
export const isEnabled = ({ enabled }: Settings): boolean =>
  enabled ?? !SWITCHES.some((name) => process.env[name]?.trim().toLowerCase() === 'true');
