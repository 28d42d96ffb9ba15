import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { InstrumentationConfig } from '@opentelemetry/instrumentation';
import type { ReasoningOptions } from '../config.ts';

/** Plain JSON, so that it can also come from a file. What is left out comes from the environment. */
export interface ReasoningInstrumentationConfig extends InstrumentationConfig, ReasoningOptions {
  /**
   * Supported packages that are installed under another name: npm alias to package name, such as
   * `{ "anthropic-old": "@anthropic-ai/sdk" }`.
   */
  aliases?: Readonly<Record<string, string>>;
}

/** What is left out comes from the environment. All of it holds for the whole process. */
export interface InstrumentClientOptions extends ReasoningOptions {
  /** In place of the global one. */
  tracerProvider?: TracerProvider;
  /** In place of the global one. */
  meterProvider?: MeterProvider;
}
