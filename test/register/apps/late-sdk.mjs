// Starts its own OpenTelemetry after everything has been loaded, as many applications do, and keeps a tracer from before.
import Anthropic from '@anthropic-ai/sdk';
import { DiagConsoleLogger, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import { startOwn } from './own-sdk.mjs';

const tracer = trace.getTracer('application');
tracer.startSpan('before').end();

if (process.env.OWN_DIAG) diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.WARN);
startOwn();

const client = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0 });
await tracer.startActiveSpan('work', async (span) => {
  await client.messages.create({
    model: 'claude-opus-4-8',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Lisbon' }],
  });
  span.end();
});
