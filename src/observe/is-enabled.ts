import type { Settings } from '../context.ts';

const says = (name: string, yes: readonly string[]): boolean =>
  yes.includes(process.env[name]?.trim().toLowerCase() ?? '');

/** By the OpenTelemetry specification only "true" is true. */
export const isSdkDisabled = (): boolean => says('OTEL_SDK_DISABLED', ['true']);

/** Whether calls are observed. What is set in code wins over the environment, which is read at each call. */
export const isEnabled = ({ enabled }: Settings): boolean =>
  enabled ?? !(says('REASONING_OTEL_DISABLED', ['true', '1', 'yes', 'on']) || isSdkDisabled());
