/**
 * Imports the SDK as an ES module before the instrumentation, and without hooks: nothing can be patched.
 * Arguments: package name of the SDK, base URL; `client` to hand the client over. What `diag` says goes to stdout, a line each.
 */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { instrumentClient } from '../../../src/intercept/instrument-client.ts';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import type { Any } from './call-shapes.ts';

const [packageName = '', baseURL, mode] = process.argv.slice(2);
const Sdk: Any = await import(packageName);
const say = (...parts: unknown[]) => void process.stdout.write(`${parts.join(' ')}\n`);
const silent = () => undefined;
diag.setLogger(
  { error: say, warn: say, info: silent, debug: silent, verbose: silent },
  { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
);
new ReasoningInstrumentation();
const options = { apiKey: 'key', baseURL, maxRetries: 0 };
const messages = [{ role: 'user', content: 'hi' }];
const body = { model: 'claude-test', max_tokens: 64, messages };
const client: Any = new (Sdk.Anthropic ?? Sdk.OpenAI ?? Sdk.GoogleGenAI)({
  ...options,
  httpOptions: { baseUrl: baseURL },
});
if (mode === 'client') instrumentClient(client);
const CALLS: Readonly<Record<string, () => unknown>> = {
  Anthropic: () => client.messages.create(body),
  OpenAI: () => client.chat.completions.create({ model: 'gpt-test', messages }),
  GoogleGenAI: () => client.models.generateContent({ model: 'gemini-test', contents: 'hi' }),
};
const call = CALLS[Object.keys(CALLS).find((name) => Sdk[name]) ?? ''];
// A request of the application's own, and two calls of the SDK.
for (const path of ['v1/messages', 'chat/completions'])
  await fetch(`${baseURL}/${path}`, { method: 'POST', body: JSON.stringify(body) });
say('fetched');
await call?.();
await call?.();
process.exit(0);
