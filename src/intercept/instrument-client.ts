import { readSettings } from '../config/read-settings.ts';
import { processContext } from '../context.ts';
import { applySettings } from '../observe/apply-settings.ts';
import { observeCall } from '../observe/observe-call.ts';
import type { InstrumentClientOptions } from './config.ts';
import { clientWatcher } from './watch-client.ts';

const watchClient = clientWatcher(observeCall);

/**
 * Observes one client without any loader hook: in bundles, on runtimes without hooks, in tests. The telemetry is that of
 * `reasoning-otel/register`; with both, a call is observed once.
 *
 * @param client a client of `@anthropic-ai/sdk` 0.37 to 1.x, or of a package built upon it (Bedrock, Vertex); a client of
 *   `openai` 4.87 to 7.x (Azure and Bedrock included), or one of its `ResponsesWS`, which no client leads to; a
 *   `GoogleGenAI` of `@google/genai` 1 to 3; a client of `@aws-sdk/client-bedrock-runtime` 3.755 or newer
 * @returns the same client, unchanged. What is no such client is handed back too, with one line through `diag`.
 */
export function instrumentClient<Client extends object>(client: Client, options?: InstrumentClientOptions): Client {
  const { settings } = processContext();
  // A client that comes without options takes what is in force.
  if (options || settings.enabled === undefined) applySettings(readSettings(options));
  if (options?.tracerProvider) settings.tracerProvider = options.tracerProvider;
  if (options?.meterProvider) settings.meterProvider = options.meterProvider;
  watchClient(client);
  return client;
}
