import type { Any } from '../../intercept/support/call-shapes.ts';

/** A tool call, as an answer makes it. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** One API through one SDK: how a loop by hand is written there. Entries of a history are what the API calls so. */
export interface Way {
  readonly sdk: string;
  client(Sdk: Any, url: string, tracing: Any): Any;
  user(text: string): Any;
  /** Asks once; the parts of the answer, whatever holds them. */
  ask(client: Any, history: readonly Any[], Sdk: Any): Promise<readonly Any[]>;
  /** The answer in a history. */
  answer(parts: readonly Any[]): readonly Any[];
  calls(parts: readonly Any[]): readonly MadeCall[];
  results(calls: readonly MadeCall[]): readonly Any[];
  isReasoning(part: Any): boolean;
  /** What a filter leaves of a part that holds reasoning. */
  without(part: Any): Any;
}

const TOOL = { name: 'look_up', description: 'Looks up.' };
const PARAMETERS = { type: 'object', properties: { step: { type: 'number' } } };
const nothing = (): undefined => undefined;

type AnthropicHow = 'create' | 'stream' | 'beta';

const anthropic = (sdk: string, how: AnthropicHow = 'create'): Way => ({
  sdk,
  client: (Sdk, baseURL, openTelemetry) => new Sdk.default({ baseURL, apiKey: 'way', maxRetries: 2, openTelemetry }),
  user: (content) => ({ role: 'user', content }),
  async ask(client, messages) {
    const body = {
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [{ ...TOOL, input_schema: PARAMETERS }],
      messages: [...messages],
    };
    const resource = how === 'beta' ? client.beta.messages : client.messages;
    const answer = how === 'stream' ? await client.messages.stream(body).finalMessage() : await resource.create(body);
    return answer.content;
  },
  answer: (content) => [{ role: 'assistant', content }],
  calls: (parts) => parts.filter(({ type }) => type === 'tool_use'),
  results: (calls) => [
    { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
  ],
  isReasoning: ({ type }) => type === 'thinking',
  without: nothing,
});

const responses = (sdk: string, stream = false): Way => ({
  sdk,
  client: (Sdk, url) => new Sdk.default({ baseURL: `${url}/v1`, apiKey: 'way', maxRetries: 2 }),
  user: (content) => ({ role: 'user', content }),
  async ask(client, input) {
    const body = {
      model: 'gpt-6.2-sol',
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', ...TOOL, parameters: PARAMETERS, strict: false }],
      input: [...input],
    };
    let answer: Any;
    if (stream) {
      for await (const event of await client.responses.create({ ...body, stream })) answer = event.response ?? answer;
    } else answer = await client.responses.create(body);
    return answer.output;
  },
  answer: (items) => items,
  calls: (items) =>
    items
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id, name, arguments: args }) => ({ id, name, input: JSON.parse(args) })),
  results: (calls) => calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'r' })),
  isReasoning: ({ type }) => type === 'reasoning',
  without: nothing,
});

const chat = (sdk: string): Way => ({
  sdk,
  client: (Sdk, url) => new Sdk.default({ baseURL: `${url}/deepseek/v1`, apiKey: 'way', maxRetries: 2 }),
  user: (content) => ({ role: 'user', content }),
  async ask(client, messages) {
    const answer = await client.chat.completions.create({
      model: 'deepseek-v4-pro',
      tools: [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }],
      messages: [...messages],
    });
    return Object.entries(answer.choices[0].message);
  },
  answer: (members) => [Object.fromEntries(members)],
  calls: (members) =>
    (new Map(members as [string, Any][]).get('tool_calls') ?? []).map((call: Any) => ({
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    })),
  results: (calls) => calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
  isReasoning: ([name]) => name === 'reasoning_content',
  without: nothing,
});

const DECLARED = { ...TOOL, parameters: { type: 'OBJECT', properties: { step: { type: 'NUMBER' } } } };

const gemini = (sdk: string, stream = false): Way => ({
  sdk,
  client: (Sdk, baseUrl) => new Sdk.GoogleGenAI({ apiKey: 'way', httpOptions: { baseUrl } }),
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  async ask(client, contents) {
    const config = { tools: [{ functionDeclarations: [DECLARED] }] };
    const request = { model: 'gemini-3.8-flash', contents: [...contents], config };
    if (!stream) return (await client.models.generateContent(request)).candidates[0].content.parts;
    const parts: Any[] = [];
    for await (const chunk of await client.models.generateContentStream(request)) {
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    }
    return parts;
  },
  answer: (parts) => [{ role: 'model', parts }],
  calls: (parts) =>
    parts.flatMap(({ functionCall: call }) => (call ? [{ id: call.id, name: call.name, input: call.args }] : [])),
  results: (calls) => [
    {
      role: 'user',
      parts: calls.map(({ id, name }) => ({
        functionResponse: { ...(id && { id }), name, response: { result: 'r' } },
      })),
    },
  ],
  isReasoning: ({ thoughtSignature }) => thoughtSignature !== undefined,
  // The seal is a member of the part that it came with.
  without: ({ thoughtSignature: _, ...part }) => part,
});

const interactions = (sdk: string): Way => ({
  sdk,
  client: (Sdk, baseUrl) => new Sdk.GoogleGenAI({ apiKey: 'way', httpOptions: { baseUrl } }),
  user: (text) => ({ type: 'user_input', content: [{ type: 'text', text }] }),
  async ask(client, input) {
    const tools = [{ type: 'function', ...TOOL, parameters: PARAMETERS }];
    const answer = await client.interactions.create({
      model: 'gemini-3.8-flash',
      tools,
      store: false,
      input: [...input],
    });
    return answer.steps;
  },
  answer: (steps) => steps,
  calls: (steps) =>
    steps.filter(({ type }) => type === 'function_call').map(({ id, name, arguments: input }) => ({ id, name, input })),
  results: (calls) => calls.map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result: 'r' })),
  isReasoning: ({ type }) => type === 'thought',
  without: nothing,
});

const converse = (sdk: string): Way => ({
  sdk,
  client: (Sdk, endpoint) =>
    new Sdk.BedrockRuntimeClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIAWAY', secretAccessKey: 'way' },
    }),
  user: (text) => ({ role: 'user', content: [{ text }] }),
  async ask(client, messages, Sdk) {
    const command = new Sdk.ConverseCommand({
      modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      messages: [...messages],
      inferenceConfig: { maxTokens: 4000 },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2000 } },
      toolConfig: { tools: [{ toolSpec: { ...TOOL, inputSchema: { json: PARAMETERS } } }] },
    });
    return (await client.send(command)).output.message.content;
  },
  answer: (content) => [{ role: 'assistant', content }],
  calls: (parts) =>
    parts.flatMap(({ toolUse: call }) => (call ? [{ id: call.toolUseId, name: call.name, input: call.input }] : [])),
  results: (calls) => [
    { role: 'user', content: calls.map(({ id }) => ({ toolResult: { toolUseId: id, content: [{ text: 'r' }] } })) },
  ],
  isReasoning: ({ reasoningContent }) => reasoningContent !== undefined,
  without: nothing,
});

/** Every API, through the newest of its SDKs. */
export const NEWEST: Readonly<Record<string, Way>> = {
  Messages: anthropic('@anthropic-ai/sdk'),
  Responses: responses('openai'),
  'Chat Completions': chat('openai'),
  generateContent: gemini('@google/genai'),
  Interactions: interactions('@google/genai'),
  Converse: converse('@aws-sdk/client-bedrock-runtime'),
};

/** The same, and older SDKs and other methods of them. */
export const WAYS: Readonly<Record<string, Way>> = {
  ...NEWEST,
  'Messages, 0.37': anthropic('anthropic-0.37'),
  'Messages, 0.137': anthropic('anthropic-0.137'),
  'beta Messages': anthropic('@anthropic-ai/sdk', 'beta'),
  'Messages, streamed by the helper': anthropic('@anthropic-ai/sdk', 'stream'),
  'Responses, 4.87': responses('openai-4.87'),
  'Responses, 6.49': responses('openai-6.49'),
  'Responses, streamed': responses('openai', true),
  'Chat Completions, 4.87': chat('openai-4.87'),
  'generateContent, 1.50': gemini('genai-1.50'),
  generateContentStream: gemini('@google/genai', true),
  'Interactions, 2.32': interactions('genai-2.32'),
  'Converse, 3.840': converse('bedrock-runtime-3.840'),
};

/**
 * Works a few tasks in one conversation.
 * @param keeps asked of each part that holds reasoning, whether it goes back
 * @returns the tool calls that were made
 */
export async function work(
  way: Way,
  client: Any,
  Sdk: Any,
  tasks: readonly string[],
  keeps: () => boolean = () => true,
): Promise<readonly MadeCall[]> {
  const history: Any[] = [];
  const made: MadeCall[] = [];
  for (const task of tasks) {
    history.push(way.user(task));
    for (;;) {
      const parts = await way.ask(client, history, Sdk);
      const back = parts.map((part) => (way.isReasoning(part) && !keeps() ? way.without(part) : part));
      history.push(...way.answer(back.filter((part) => part !== undefined)));
      const calls = way.calls(parts);
      if (calls.length === 0) break;
      made.push(...calls);
      history.push(...way.results(calls));
    }
  }
  return made;
}
