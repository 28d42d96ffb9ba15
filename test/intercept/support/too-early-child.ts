/**
 * Imports the SDK as an ES module before the instrumentation, and without hooks: nothing can be patched.
 * Arguments: package name of the SDK, base URL. What `diag` says goes to stdout, a line each.
 */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { ReasoningInstrumentation } from '../../../src/intercept/reasoning-instrumentation.ts';
import type { Any } from './call-shapes.ts';

const [packageName = '', baseURL] = process.argv.slice(2);
const { Anthropic }: Any = await import(packageName);
const say = (...parts: unknown[]) => void process.stdout.write(`${parts.join(' ')}\n`);
const silent = () => undefined;
diag.setLogger(
  { error: say, warn: say, info: silent, debug: silent, verbose: silent },
  { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
);
new ReasoningInstrumentation();
const client = new Anthropic({ apiKey: 'key', baseURL, maxRetries: 0 });
const body = { model: 'claude-test', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }] };
// A request of the application's own, and two calls of the SDK.
await fetch(`${baseURL}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
say('fetched');
await client.messages.create(body);
await client.messages.create(body);
process.exit(0);
