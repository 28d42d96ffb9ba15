import { trace } from '@opentelemetry/api';
import { type ReadableSpan, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Spans of one shape of call after the other. */
export interface ShapeSpans {
  /** Those that began since it was last asked, and have ended. */
  take(): Promise<readonly ReadableSpan[]>;
}

/**
 * Registers a provider that keeps spans. The span of an answer that nobody reads ends when the answer is collected, in some
 * later shape, to which it does not belong.
 */
export function recordShapeSpans(): ShapeSpans {
  const begun = new Set<string>();
  const ended: ReadableSpan[] = [];
  const processor: SpanProcessor = {
    onStart: (span) => void begun.add(span.spanContext().spanId),
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const provider = new TracerProvider({ spanProcessors: [processor] });
  trace.setGlobalTracerProvider(provider);
  return {
    async take() {
      await provider.forceFlush();
      const own = ended.splice(0).filter((span) => begun.has(span.spanContext().spanId));
      begun.clear();
      return own;
    },
  };
}
