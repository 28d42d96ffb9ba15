import { context, type Span, trace } from '@opentelemetry/api';
import { guard } from './guard.ts';

/** Runs `fn` with a span active; exactly once, and with its outcome unchanged, whatever the context manager does. */
export function runWithSpan<T>(span: Span, fn: () => T): T {
  let begun = false;
  const once = () => {
    begun = true;
    return fn();
  };
  const active = guard('making a span active', () => trace.setSpan(context.active(), span));
  if (active === undefined) return fn();
  try {
    return context.with(active, once);
  } catch (thrown) {
    if (begun) throw thrown;
    return fn();
  }
}
