// The instrumentation without `register`: on, off, and on again.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { startOwn } from './own-sdk.mjs';

const { ReasoningInstrumentation } = await import(pathToFileURL(process.env.PACKAGE).href);
startOwn();
const instrumentation = new ReasoningInstrumentation(JSON.parse(process.env.OPTIONS ?? '{}'));
const Anthropic = createRequire(import.meta.url)('@anthropic-ai/sdk');
const client = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0, openTelemetry: false });
const call = () =>
  client.messages.create({
    model: 'claude-opus-4-8',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Lisbon' }],
  });
await call();
instrumentation.disable();
await call();
instrumentation.enable();
await call();
