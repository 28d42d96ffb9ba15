/**
 * The same over Amazon Bedrock: system, tools, messages, arguments, results, reasoning as text and as bytes, signatures,
 * credentials and odd names, in Converse's shape and in the model's own, whole and streamed.
 */
import { createRequire } from 'node:module';
import { metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { assemble, invokeLoop } from '../intercept/bedrock/support/loop.ts';
import type { Any } from '../intercept/support/call-shapes.ts';
import { CONTROL, MARKER, ODD } from './marker.ts';

const sdk = new NodeSDK();
sdk.start();
trace.getTracer('application').startSpan(`span ${CONTROL}`).end();
metrics.getMeter('application').createCounter('control').add(1, { text: CONTROL });
console.log(CONTROL);

const CLAUDE = 'us.anthropic.claude-opus-4-8-v1:0';
const NOVA = 'us.amazon.nova-2-lite-v1:0';

/** What a harness makes of a block before it sends it back. */
type Harness = (block: Any) => readonly Any[];
const only =
  (edit: Harness): Harness =>
  (block) =>
    block.reasoningContent ? edit(block) : [block];
const text = (edit: (text: Any) => Any): Harness =>
  only((block) => {
    const { reasoningText } = block.reasoningContent;
    return reasoningText ? [{ reasoningContent: { reasoningText: edit(reasoningText) } }] : [block];
  });

const HARNESSES: Readonly<Record<string, Harness>> = {
  faithful: (block) => [block],
  strips: only(() => []),
  unsigned: text(({ text: said }) => ({ text: said })),
  edits: text(({ signature }) => ({ text: `${MARKER} edited`, signature })),
  rewrites: text(({ text: said, signature }) => ({ text: said, signature: `${MARKER}${signature}` })),
  converts: only(() => [{ text: `<think>${MARKER}</think>${MARKER}` }]),
  mangles: only(() => [{ reasoningContent: { redactedContent: `${MARKER} of bytes` } }]),
  invents: (block) => [{ reasoningContent: { reasoningText: { text: MARKER, signature: `${MARKER}seal` } } }, block],
};

/** An error, without which the application would end: all of them are expected here. */
const attempt = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch {
    // What the provider says of it holds the marker as well.
  }
};

const json = { type: 'object', properties: { [`${MARKER}_key`]: { type: 'string', description: MARKER } } };
const inputOf = (modelId: string, messages: readonly Any[], extra?: Any): Any => ({
  modelId,
  messages,
  system: [{ text: `${MARKER} of the system prompt` }],
  toolConfig: {
    tools: [{ toolSpec: { name: 'look_up', description: `${MARKER} of a description`, inputSchema: { json } } }],
  },
  inferenceConfig: { stopSequences: [`${MARKER} stop`] },
  requestMetadata: { [MARKER]: MARKER },
  additionalModelRequestFields: extra ?? { thinking: { type: 'adaptive', display: 'summarized' } },
});
const user = (said: string): Any => ({ role: 'user', content: [{ text: said }] });

for (const name of ['@aws-sdk/client-bedrock-runtime', 'bedrock-runtime-3.840']) {
  const Sdk: Any = createRequire(import.meta.url)(name);
  const client = instrumentClient(
    new Sdk.BedrockRuntimeClient({
      region: 'us-east-1',
      endpoint: process.env.SIMULATOR_URL,
      credentials: { accessKeyId: `AKIA${MARKER}`, secretAccessKey: MARKER, sessionToken: MARKER },
      maxAttempts: 1,
    }),
  );
  const ask = async (input: Any, stream = false): Promise<Any[]> =>
    stream
      ? assemble((await client.send(new Sdk.ConverseStreamCommand(input))).stream)
      : (await client.send(new Sdk.ConverseCommand(input))).output.message.content;
  const loop = async (modelId: string, harness: Harness, stream: boolean, extra?: Any): Promise<void> => {
    const messages: Any[] = [user(`${MARKER} of a prompt`)];
    for (let step = 0; step < 4; step += 1) {
      const content = await ask(inputOf(modelId, messages, extra), stream);
      messages.push({ role: 'assistant', content: content.flatMap(harness) });
      const calls = content.filter((block) => block.toolUse);
      if (calls.length === 0) return;
      const results = calls.map(({ toolUse }) => ({
        toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: `${MARKER} of a result` }] },
      }));
      messages.push({ role: 'user', content: results });
    }
  };
  for (const stream of [false, true]) {
    for (const harness of Object.values(HARNESSES)) {
      await attempt(() => loop(CLAUDE, harness, stream));
      await attempt(() => loop(NOVA, harness, stream, { reasoningConfig: { type: 'enabled' }, [MARKER]: MARKER }));
    }
    const more = { system: `${MARKER} of the system prompt`, thinking: { type: 'adaptive', display: 'summarized' } };
    for (const harness of [HARNESSES.faithful, ((block) => (block.type === 'thinking' ? [] : [block])) as Harness]) {
      await attempt(() =>
        invokeLoop(Sdk, client, {
          modelId: CLAUDE,
          stream,
          extra: more,
          text: `${MARKER} of a prompt`,
          ...(harness && { harness }),
        }),
      );
    }
    const asked = (said: string, more: Any = {}) =>
      ask({ ...inputOf(CLAUDE, [user(`${MARKER} ${said}`)]), ...more }, stream);
    await attempt(() => asked('odd_tool'));
    await attempt(() => asked('fails'));
    await attempt(() => asked('breaks'));
    await attempt(() => asked('odd model', { modelId: ODD }));
    await attempt(() => asked('long model', { modelId: MARKER.repeat(60) }));
    await attempt(() =>
      asked('odd thinking', { additionalModelRequestFields: { thinking: MARKER, [MARKER]: MARKER } }),
    );
    await attempt(() => asked('odd messages', { messages: [{ role: MARKER, content: [{ [MARKER]: MARKER }] }] }));
    await attempt(() => asked('odd report', { additionalModelResponseFieldPaths: [`/${MARKER}`] }));
  }
}
await sdk.shutdown();
