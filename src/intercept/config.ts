import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { InstrumentationConfig } from '@opentelemetry/instrumentation';

/** Plain JSON, so that it can also come from a file. */
export interface ReasoningInstrumentationConfig extends InstrumentationConfig {
  /**
   * Supported packages that are installed under another name: npm alias to package name, such as
   * `{ "anthropic-old": "@anthropic-ai/sdk" }`.
   */
  aliases?: Readonly<Record<string, string>>;
}

export interface InstrumentClientOptions {
  /** false: the client is handed back as it is. Default true. */
  enabled?: boolean;
  /** In place of the global one. Holds for the whole process. */
  tracerProvider?: TracerProvider;
  /** In place of the global one. Holds for the whole process. */
  meterProvider?: MeterProvider;
}
