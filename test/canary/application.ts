/**
 * An application whose every content holds the marker: prompt, system, tools, arguments, results, reasoning, seals,
 * credentials, odd names. Started by canary.test.ts with the exporters of an ordinary SDK in OTEL_* variables.
 */
import Anthropic from '@anthropic-ai/sdk';
import { metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import Anthropic060 from 'anthropic-0.60';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { CONTROL, MARKER, ODD } from './marker.ts';

const sdk = new NodeSDK();
sdk.start();
trace.getTracer('application').startSpan(`span ${CONTROL}`).end();
metrics.getMeter('application').createCounter('control').add(1, { text: CONTROL });
console.log(CONTROL);

type Block = Anthropic.ContentBlockParam;
/** What a harness does with an answer before it sends it back. */
type Harness = (content: readonly Block[]) => Block[];

const isThinking = (block: Block) => block.type === 'thinking' || block.type === 'redacted_thinking';

const HARNESSES: Readonly<Record<string, Harness>> = {
  faithful: (content) => [...content],
  strips: (content) => content.filter((block) => !isThinking(block)),
  edits: (content) =>
    content.map((block) => (block.type === 'thinking' ? { ...block, thinking: `${MARKER} edited` } : block)),
  fabricates: (content) =>
    content.map((block) => (block.type === 'thinking' ? { ...block, signature: `${MARKER}seal` } : block)),
  converts: (content) =>
    content.map((block) => (block.type === 'thinking' ? { type: 'text', text: `${MARKER} ${block.thinking}` } : block)),
  invents: (content) => [{ type: 'redacted_thinking', data: `${MARKER}data` }, ...content],
};

const request = (model: string, messages: Anthropic.MessageParam[]): Anthropic.MessageCreateParamsNonStreaming => ({
  model,
  max_tokens: 4000,
  thinking: { type: 'adaptive' },
  system: `${MARKER} of the system prompt`,
  stop_sequences: [`${MARKER} stop`],
  metadata: { user_id: `${MARKER}-user` },
  tools: [
    {
      name: 'look_up',
      description: `${MARKER} of a description`,
      input_schema: { type: 'object', properties: { [`${MARKER}_key`]: { type: 'string', description: MARKER } } },
    },
  ],
  messages,
});

/** An error, without which the application would end: all of them are expected here. */
const attempt = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch {
    // What the provider says of it holds the marker as well.
  }
};

async function loop(client: Anthropic, model: string, harness: Harness, stream: boolean): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: `${MARKER} of a prompt` }];
  for (let step = 0; step < 4; step += 1) {
    const body = request(model, messages);
    const answer = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    messages.push({ role: 'assistant', content: harness(answer.content as Block[]) });
    const calls = answer.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: `${MARKER} of a result` })),
    });
  }
}

async function everything(client: Anthropic): Promise<void> {
  for (const [name, harness] of Object.entries(HARNESSES)) {
    await attempt(() => loop(client, 'claude-sonnet-5-5', harness, name === 'edits'));
    await attempt(() => loop(client, 'claude-fable-5-2', harness, name !== 'edits'));
  }
  const prompt = (text: string): Anthropic.MessageParam[] => [{ role: 'user', content: text }];
  await attempt(() =>
    client.messages.create({ ...request('claude-sonnet-5-5', []), messages: prompt(`${MARKER} fails`) }),
  );
  await attempt(() => client.messages.stream(request('claude-sonnet-5-5', prompt(`${MARKER} breaks`))).finalMessage());
}

/** What a client of an older SDK sends, which records nothing of it itself: names that are none. */
async function oddities(client: Anthropic): Promise<void> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: `${MARKER} odd_tool` }];
  const body = request('claude-sonnet-5-5', messages);
  await attempt(() => client.messages.create({ ...body, model: ODD }));
  await attempt(() => client.messages.create({ ...body, model: MARKER.repeat(60) }));
  await attempt(() => client.messages.create({ ...body, thinking: { type: ODD } as never }));
  await attempt(() => client.messages.create({ ...body, thinking: { type: MARKER } as never }));
  await attempt(() => client.messages.create({ ...body, output_config: { effort: ODD } } as never));
  await attempt(() => client.messages.create({ ...body, max_tokens: MARKER, temperature: MARKER } as never));
  await attempt(() => client.messages.create(body, { headers: { 'anthropic-beta': MARKER, 'x-custom': MARKER } }));
  await attempt(() =>
    client.messages.create({
      ...body,
      messages: [{ role: MARKER, content: [{ type: MARKER, text: MARKER }] }] as never,
    }),
  );
  await attempt(() => client.messages.create({ ...body, messages: MARKER as never }));
}

const baseURL = process.env.SIMULATOR_URL ?? '';
const apiKey = `sk-ant-${MARKER}`;
const newest = instrumentClient(new Anthropic({ baseURL, apiKey, maxRetries: 0 }));
const ours = instrumentClient(new Anthropic({ baseURL, apiKey, maxRetries: 0, openTelemetry: false }));
const old = instrumentClient(new Anthropic060({ baseURL, apiKey, maxRetries: 0 })) as unknown as Anthropic;
for (const client of [newest, ours, old]) await everything(client);
for (const client of [ours, old]) await oddities(client);
await sdk.shutdown();
