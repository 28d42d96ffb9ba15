import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';
import { isRegistered, yieldRegistration } from './registrations.ts';
import { say } from './say.ts';

const OURS = 'reasoning-otel';
const MARK = `${OURS}: `;

/** The sentence of a diagnostic message of ours; undefined for everybody else's. */
function sentenceOf(args: readonly unknown[]): string | undefined {
  const [first, ...rest] = args.map(String);
  if (first === OURS) return rest.join(' ');
  return first?.startsWith(MARK) ? first.slice(MARK.length) : undefined;
}

const line = (...args: unknown[]): void => {
  const sentence = sentenceOf(args);
  if (sentence !== undefined) say('warn', sentence);
};
const nothing = (): void => undefined;
const logger: DiagLogger = { error: line, warn: line, info: nothing, debug: nothing, verbose: nothing };

/**
 * Shows warnings of this package, and of nobody else, where the application has set no `diag` logger: otherwise "outside
 * the supported range" would be said to nobody. Gives way to a logger that comes later, and to `OTEL_LOG_LEVEL`, by which
 * the SDK sets one.
 */
export function showWarnings(): void {
  if (isRegistered('diag') || process.env.OTEL_LOG_LEVEL?.trim()) return;
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN });
  yieldRegistration('diag', () => undefined);
}
