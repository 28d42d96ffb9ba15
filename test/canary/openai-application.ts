/**
 * The same over the OpenAI APIs: instructions, input, tools, arguments, results, reasoning text, ciphertext, credentials
 * and odd names, whole and streamed. Started by canary.test.ts with the exporters of an ordinary SDK in OTEL_* variables.
 */
import { metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';
import OpenAI523 from 'openai-5.23';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { CONTROL, MARKER, ODD } from './marker.ts';

const sdk = new NodeSDK();
sdk.start();
trace.getTracer('application').startSpan(`span ${CONTROL}`).end();
metrics.getMeter('application').createCounter('control').add(1, { text: CONTROL });
console.log(CONTROL);

type Wire = Record<string, unknown>;
/** What a harness makes of an item, or of a message, before it sends it back. */
type Harness = (piece: Wire) => readonly Wire[];

const only =
  (edit: Harness): Harness =>
  (item) =>
    item.type === 'reasoning' ? edit(item) : [item];

const ITEMS: Readonly<Record<string, Harness>> = {
  faithful: (item) => [item],
  strips: only(() => []),
  strips_ids: ({ id: _, ...item }) => [item],
  edits: only((item) => [{ ...item, encrypted_content: `${MARKER}${item.encrypted_content}` }]),
  rewrites: only((item) => [{ ...item, summary: [{ type: 'summary_text', text: `${MARKER} edited` }] }]),
  fabricates: only((item) => [{ ...item, id: `rs_${MARKER}`, encrypted_content: `${MARKER}seal` }]),
  converts: only(() => [{ type: 'message', role: 'assistant', content: `${MARKER} of a thought` }]),
  invents: only((item) => [{ type: 'reasoning', summary: [], encrypted_content: `${MARKER}data` }, item]),
};

const MESSAGES: Readonly<Record<string, Harness>> = {
  faithful: (message) => [message],
  strips: ({ reasoning_content: _, reasoning: __, reasoning_details: ___, ...message }) => [message],
  edits: (message) => [{ ...message, reasoning_content: `${MARKER} edited`, reasoning: `${MARKER} edited` }],
  converts: ({ reasoning_content: _, ...message }) => [{ ...message, content: `<think>${MARKER}</think>${MARKER}` }],
  invents: (message) => [{ ...message, reasoning_details: [{ type: 'reasoning.encrypted', data: `${MARKER}data` }] }],
};

/** An error, without which the application would end: all of them are expected here. */
const attempt = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch {
    // What the provider says of it holds the marker as well.
  }
};

const PARAMETERS = { type: 'object', properties: { [`${MARKER}_key`]: { type: 'string', description: MARKER } } };
const TOOL = { name: 'look_up', description: `${MARKER} of a description`, parameters: PARAMETERS };

const responsesBody = (model: string, input: unknown): Wire => ({
  model,
  store: false,
  include: ['reasoning.encrypted_content'],
  instructions: `${MARKER} of the instructions`,
  reasoning: { summary: 'detailed' },
  metadata: { [MARKER]: MARKER },
  safety_identifier: `${MARKER}-user`,
  prompt_cache_key: `${MARKER}-key`,
  tools: [{ type: 'function', strict: false, ...TOOL }],
  input,
});

const chatBody = (model: string, messages: unknown): Wire => ({
  model,
  user: `${MARKER}-user`,
  stop: [`${MARKER} stop`],
  tools: [{ type: 'function', function: TOOL }],
  messages,
});

async function createResponse(client: OpenAI, body: Wire, stream = false): Promise<Wire> {
  if (!stream) return (await client.responses.create(body as never)) as never;
  let response: Wire = {};
  for await (const event of (await client.responses.create({
    ...body,
    stream,
  } as never)) as unknown as AsyncIterable<Wire>)
    if (event.type === 'response.completed') response = event.response as Wire;
  return response;
}

/** A streamed answer is what the helper of the SDK makes of its pieces. */
async function createMessage(client: OpenAI, body: Wire, stream = false): Promise<Wire> {
  if (stream) return (await client.chat.completions.stream(body as never).finalMessage()) as never;
  const { choices } = await client.chat.completions.create(
    body as never as OpenAI.ChatCompletionCreateParamsNonStreaming,
  );
  return choices[0]?.message as never;
}

async function responsesLoop(client: OpenAI, model: string, harness: Harness, stream: boolean): Promise<void> {
  const input: Wire[] = [{ role: 'user', content: `${MARKER} of a prompt` }];
  for (let step = 0; step < 4; step += 1) {
    const { output } = (await createResponse(client, responsesBody(model, input), stream)) as { output: Wire[] };
    input.push(...output.flatMap(harness));
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return;
    for (const { call_id } of calls)
      input.push({ type: 'function_call_output', call_id, output: `${MARKER} of a result` });
  }
}

async function chainedLoop(client: OpenAI): Promise<void> {
  let next: Wire = { input: `${MARKER} of a prompt` };
  for (let step = 0; step < 4; step += 1) {
    const body = { ...responsesBody('gpt-5.6-sol', undefined), store: true, ...next };
    const { id, output } = (await createResponse(client, body)) as { id: string; output: Wire[] };
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return;
    const results = calls.map(({ call_id }) => ({
      type: 'function_call_output',
      call_id,
      output: `${MARKER} of a result`,
    }));
    next = { previous_response_id: id, input: results };
  }
}

async function chatLoop(client: OpenAI, model: string, harness: Harness, stream: boolean): Promise<void> {
  const messages: Wire[] = [
    { role: 'system', content: `${MARKER} of the system prompt` },
    { role: 'user', content: `${MARKER} of a prompt` },
  ];
  for (let step = 0; step < 4; step += 1) {
    const message = await createMessage(client, chatBody(model, messages), stream);
    messages.push(...harness(message));
    const calls = (message.tool_calls ?? []) as Wire[];
    if (calls.length === 0) return;
    for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: `${MARKER} of a result` });
  }
}

async function responses(client: OpenAI): Promise<void> {
  for (const harness of Object.values(ITEMS)) {
    await attempt(() => responsesLoop(client, 'gpt-6.2-sol', harness, false));
    await attempt(() => responsesLoop(client, 'gpt-5.6-sol', harness, true));
  }
  await attempt(() => chainedLoop(client));
  const body = responsesBody('gpt-6.2-sol', `${MARKER} odd_tool`);
  await attempt(() => createResponse(client, { ...body, input: `${MARKER} fails` }));
  await attempt(() => createResponse(client, { ...body, input: `${MARKER} breaks` }, true));
  await attempt(() => createResponse(client, { ...body, model: ODD }));
  await attempt(() => createResponse(client, { ...body, model: MARKER.repeat(60) }));
  await attempt(() => createResponse(client, { ...body, reasoning: { effort: ODD, context: MARKER } }));
  await attempt(() => createResponse(client, { ...body, reasoning: MARKER, max_output_tokens: MARKER }));
  await attempt(() => createResponse(client, { ...body, previous_response_id: `resp_${MARKER}` }));
  await attempt(() => createResponse(client, { ...body, conversation: `conv_${MARKER}` }));
  await attempt(() => createResponse(client, { ...body, [MARKER]: MARKER }));
  await attempt(() => createResponse(client, { ...body, input: [{ type: MARKER, role: MARKER, id: MARKER }] }));
  await attempt(() => createResponse(client, { ...body, input: [{ type: 'item_reference', id: `rs_${MARKER}` }] }));
}

async function chat(client: OpenAI, model: string): Promise<void> {
  for (const harness of Object.values(MESSAGES)) {
    await attempt(() => chatLoop(client, model, harness, false));
    await attempt(() => chatLoop(client, model, harness, true));
  }
  const prompt = (text: string): Wire[] => [{ role: 'user', content: text }];
  const body = chatBody(model, prompt(`${MARKER} odd_tool`));
  await attempt(() => createMessage(client, { ...body, messages: prompt(`${MARKER} fails`) }));
  await attempt(() => createMessage(client, { ...body, model: ODD }));
  await attempt(() => createMessage(client, { ...body, reasoning_effort: ODD, thinking: { type: MARKER } }));
  await attempt(() => createMessage(client, { ...body, max_tokens: MARKER, temperature: MARKER }));
  await attempt(() => createMessage(client, { ...body, messages: [{ role: MARKER, content: [{ type: MARKER }] }] }));
  await attempt(() => createMessage(client, { ...body, messages: MARKER }));
  const runner = {
    type: 'function',
    function: { ...TOOL, parse: JSON.parse, function: () => `${MARKER} of a result` },
  };
  await attempt(() =>
    client.chat.completions
      .runTools({ ...body, tools: [runner], messages: prompt(`${MARKER} of a prompt`) } as never)
      .done(),
  );
}

const url = process.env.SIMULATOR_URL ?? '';
const options = { apiKey: `sk-${MARKER}`, organization: `org-${MARKER}`, maxRetries: 0 };
for (const Client of [OpenAI, OpenAI523 as unknown as typeof OpenAI]) {
  const client = (path: string): OpenAI => instrumentClient(new Client({ ...options, baseURL: `${url}${path}` }));
  await responses(client('/v1'));
  await chat(client('/deepseek/v1'), 'deepseek-v4-pro');
  await chat(client('/openrouter/v1'), 'anthropic/claude-opus-4.8');
}
await sdk.shutdown();
