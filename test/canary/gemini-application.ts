/**
 * The same over the Gemini APIs: instructions, contents, tools, arguments, results, thoughts, signatures, credentials and odd
 * names, whole and streamed, in chats and by automatic function calling. Started by canary.test.ts with the exporters of
 * an ordinary SDK in OTEL_* variables.
 */
import { GoogleGenAI } from '@google/genai';
import { metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { GoogleGenAI as GoogleGenAI1 } from 'genai-1.0';
import { GoogleGenAI as GoogleGenAI150 } from 'genai-1.50';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { CONTROL, MARKER, ODD } from './marker.ts';

const sdk = new NodeSDK();
sdk.start();
trace.getTracer('application').startSpan(`span ${CONTROL}`).end();
metrics.getMeter('application').createCounter('control').add(1, { text: CONTROL });
console.log(CONTROL);
// What the SDK says of experiments.
console.warn = () => undefined;

type Wire = Record<string, unknown>;
/** What a harness makes of a part, or of a step, before it sends it back. */
type Harness = (piece: Wire) => readonly Wire[];
// biome-ignore lint/suspicious/noExplicitAny: three majors, and bodies that no type allows
type Any = any;

const PARTS: Readonly<Record<string, Harness>> = {
  faithful: (part) => [part],
  strips: ({ thoughtSignature: _, ...part }) => [part],
  edits: (part) =>
    part.thoughtSignature ? [{ ...part, thoughtSignature: `${MARKER}${part.thoughtSignature}` }] : [part],
  rewrites: (part) => (part.thought ? [{ ...part, text: `${MARKER} edited` }] : [part]),
  fabricates: (part) => [{ ...part, thoughtSignature: `${MARKER}seal` }],
  says_aloud: ({ thought: _, ...part }) => [part],
  invents: (part) => [{ text: '', thoughtSignature: `${MARKER}data` }, part],
};

const STEPS: Readonly<Record<string, Harness>> = {
  faithful: (step) => [step],
  strips: (step) => (step.type === 'thought' ? [] : [step]),
  edits: (step) => (step.type === 'thought' ? [{ ...step, signature: `${MARKER}${step.signature}` }] : [step]),
  converts: (step) =>
    step.type === 'thought' ? [{ type: 'model_output', content: [{ type: 'text', text: MARKER }] }] : [step],
};

/** An error, without which the application would end: all of them are expected here. */
const attempt = async (call: () => Promise<unknown>): Promise<void> => {
  try {
    await call();
  } catch {
    // What the provider says of it holds the marker as well.
  }
};

const PROPERTIES = { [`${MARKER}_key`]: { type: 'STRING', description: MARKER } };
const DECLARATION = {
  name: 'look_up',
  description: `${MARKER} of a description`,
  parameters: { type: 'OBJECT', properties: PROPERTIES },
};
const CONFIG = {
  systemInstruction: `${MARKER} of the instructions`,
  stopSequences: [`${MARKER} stop`],
  thinkingConfig: { includeThoughts: true },
  tools: [{ functionDeclarations: [DECLARATION] }],
};
const resultOf = ({ id, name }: Any): Wire => ({
  functionResponse: { ...(id && { id }), name, response: { output: `${MARKER} of a result` } },
});
const adder = {
  tool: async () => ({ functionDeclarations: [DECLARATION] }),
  callTool: async (calls: Any[]) => calls.map(resultOf),
};
const user = (text: string): Wire => ({ role: 'user', parts: [{ text }] });

async function generate(ai: Any, body: Wire, stream: boolean): Promise<Wire[]> {
  if (!stream) return (await ai.models.generateContent(body)).candidates[0].content.parts;
  const parts: Wire[] = [];
  const config = { ...(body.config as Wire), automaticFunctionCalling: { disable: true } };
  for await (const chunk of await ai.models.generateContentStream({ ...body, config }))
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  return parts;
}

async function loop(ai: Any, model: string, harness: Harness, stream: boolean): Promise<void> {
  const contents: Wire[] = [user(`${MARKER} of a prompt`)];
  for (let step = 0; step < 4; step += 1) {
    const parts = await generate(ai, { model, contents, config: CONFIG }, stream);
    contents.push({ role: 'model', parts: parts.flatMap(harness) });
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length === 0) return;
    contents.push({ role: 'user', parts: calls.map(resultOf) });
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function chat(ai: Any, model: string): Promise<void> {
  const own = ai.chats.create({ model, config: { ...CONFIG, tools: [adder] } });
  await own.sendMessage({ message: `${MARKER} of a prompt` });
  await readAll(await own.sendMessageStream({ message: `${MARKER} again` }));
  await own.sendMessage({ message: `${MARKER} at last` });
}

async function content(ai: Any, model: string): Promise<void> {
  for (const harness of Object.values(PARTS)) {
    await attempt(() => loop(ai, model, harness, false));
    await attempt(() => loop(ai, model, harness, true));
  }
  await attempt(() => chat(ai, model));
  const body = { model, contents: [user(`${MARKER} odd_tool`)], config: CONFIG };
  const ask = (change: Wire, stream = false) => attempt(() => generate(ai, { ...body, ...change }, stream));
  await ask({});
  await ask({ contents: [user(`${MARKER} fails`)] });
  await ask({ contents: [user(`${MARKER} breaks`)] }, true);
  await ask({ contents: `${MARKER} as text` });
  await ask({ model: ODD });
  await ask({ model: MARKER.repeat(60) });
  await ask({ config: { ...CONFIG, thinkingConfig: { thinkingLevel: ODD } } });
  await ask({ config: { ...CONFIG, cachedContent: `cachedContents/${MARKER}` } });
  await ask({ contents: [{ role: MARKER, parts: [{ [MARKER]: MARKER }] }] });
  await ask({
    contents: [user(MARKER), { role: 'model', parts: [{ functionCall: { name: ODD, args: { a: MARKER } } }] }],
  });
}

const TOOL = {
  type: 'function',
  ...DECLARATION,
  parameters: { type: 'object', properties: { [MARKER]: { type: 'string' } } },
};

async function interact(ai: Any, stored: boolean, harness: Harness): Promise<void> {
  let input: Wire[] = [{ type: 'user_input', content: [{ type: 'text', text: `${MARKER} of a prompt` }] }];
  let previous: Wire = {};
  for (let step = 0; step < 4; step += 1) {
    const { id, steps } = await ai.interactions.create({
      model: 'gemini-3.8-flash',
      store: stored,
      system_instruction: `${MARKER} of the instructions`,
      generation_config: { thinking_summaries: 'auto' },
      tools: [TOOL],
      input,
      ...previous,
    });
    const results = (steps as Wire[])
      .filter(({ type }) => type === 'function_call')
      .map((call) => ({ type: 'function_result', call_id: call.id, name: call.name, result: `${MARKER} of a result` }));
    if (results.length === 0) return;
    previous = stored ? { previous_interaction_id: id } : {};
    input = stored ? results : [...input, ...(steps as Wire[]).flatMap(harness), ...results];
  }
}

async function interactions(ai: Any): Promise<void> {
  for (const harness of Object.values(STEPS)) await attempt(() => interact(ai, false, harness));
  await attempt(() => interact(ai, true, (step) => [step]));
  const body = { model: 'gemini-3.8-flash', input: `${MARKER} of a prompt`, tools: [TOOL] };
  const ask = (change: Wire) => attempt(() => ai.interactions.create({ ...body, ...change }, { maxRetries: 0 }));
  await attempt(async () => readAll(await ai.interactions.create({ ...body, stream: true })));
  await attempt(async () =>
    readAll(await ai.interactions.create({ ...body, input: `${MARKER} breaks`, stream: true })),
  );
  await ask({ input: `${MARKER} odd_tool` });
  await ask({ input: `${MARKER} fails` });
  await ask({ model: ODD });
  await ask({ previous_interaction_id: `int_${MARKER}` });
  await ask({ generation_config: { thinking_level: ODD } });
  await ask({ input: [{ type: MARKER, [MARKER]: MARKER }] });
}

const baseUrl = process.env.SIMULATOR_URL;
const options = { apiKey: `key-${MARKER}`, httpOptions: { baseUrl } };
for (const Client of [GoogleGenAI, GoogleGenAI150, GoogleGenAI1] as Any[]) {
  const ai = instrumentClient(new Client(options)) as Any;
  await content(ai, 'gemini-3.8-flash');
  await content(ai, 'gemini-2.5-flash');
  if (Client !== GoogleGenAI1) await interactions(ai);
}
await sdk.shutdown();
