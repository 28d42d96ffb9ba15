/**
 * The SDK in a place that no hook reaches, as in a bundle. Argument: endpoint. What `diag` says goes to stdout, a line
 * each.
 */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { ReasoningInstrumentation } from '../../../../src/intercept/reasoning-instrumentation.ts';

// Not in the cache of `require`, and without a hook: the class that is used was never offered.
const { createRequire } = await import('node:module');
const require = createRequire(import.meta.url);
const { BedrockRuntime, BedrockRuntimeClient } = require('@aws-sdk/client-bedrock-runtime');
delete require.cache[require.resolve('@aws-sdk/client-bedrock-runtime')];

const say = (...parts: unknown[]) => void process.stdout.write(`${parts.join(' ')}\n`);
const silent = () => undefined;
diag.setLogger(
  { error: say, warn: say, info: silent, debug: silent, verbose: silent },
  { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
);
new ReasoningInstrumentation();
const client = new BedrockRuntime({
  region: 'us-east-1',
  endpoint: process.argv[2],
  credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 's' },
});
const input = { modelId: 'anthropic.claude-test-v1:0', messages: [{ role: 'user', content: [{ text: 'hi' }] }] };
await client.converse(input);
await client.converse(input);
if (Object.hasOwn(BedrockRuntimeClient.prototype, 'send')) say('patched after all');
process.exit(0);
