/** The run of agent-run.ts, as each API writes it. */
import type { ApiName } from '../src/dialects/dialect.ts';
import {
  answerJson,
  type Body,
  firstBody,
  type Habit,
  nextMessages,
  RESULT_CHARS,
  SAID_CHARS,
  SYSTEM_CHARS,
  seal,
  THINKING_CHARS,
  TOOLS,
  text,
} from './agent-run.ts';

export type Wire = Record<string, unknown>;

export interface ApiRun {
  readonly api: ApiName;
  readonly sdk: { readonly name: string; readonly version: string };
  readonly baseURL: string;
  /** What the path of its requests ends in. */
  readonly path: string;
  firstBody(): Wire;
  /** The answer to a step, as text: parsed anew each time, so that no object or string is shared. */
  answerJson(run: string, step: number): string;
  /** Appends the answer as it came, and the tool's result. */
  append(body: Wire, run: string, step: number, answer: Wire): void;
}

const OPENAI = { name: 'openai', version: '7.59.0' };
const result = (step: number): string => Buffer.from(text(step + 3, RESULT_CHARS)).toString('utf8');
const called = (step: number): string =>
  JSON.stringify({ path: `src/part-${step}.ts`, limit: 200, pattern: text(step, 60) });
const usage = (step: number) => ({ input: 40 + step * 5_000, cached: step * 5_000, output: 900, reasoning: 600 });
const functions = (): { readonly name: string; readonly description: string; readonly parameters: unknown }[] =>
  (firstBody().tools ?? []).map((tool) => ({
    name: 'name' in tool ? tool.name : '',
    description: 'description' in tool ? String(tool.description) : '',
    parameters: 'input_schema' in tool ? tool.input_schema : {},
  }));

const MESSAGES: ApiRun = {
  api: 'anthropic.messages',
  sdk: { name: '@anthropic-ai/sdk', version: '1.14.0' },
  baseURL: 'https://api.anthropic.com',
  path: '/messages',
  firstBody: () => ({ ...firstBody() }),
  answerJson,
  append(body, run, step, answer) {
    (body.messages as Body['messages']).push(...nextMessages(run, step, answer as never));
  },
};

/** Stateless: the encrypted reasoning is the client's to carry. */
const RESPONSES: ApiRun = {
  api: 'openai.responses',
  sdk: OPENAI,
  baseURL: 'https://api.openai.com/v1',
  path: '/responses',
  firstBody: () => ({
    model: 'gpt-6.2-sol',
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: text(0, SYSTEM_CHARS),
    tools: functions().map((tool) => ({ type: 'function', strict: false, ...tool })),
    input: [{ role: 'user', content: text(1, 600) }],
  }),
  answerJson(run, step) {
    const { input, cached, output, reasoning } = usage(step);
    return JSON.stringify({
      id: `resp_${run}_${step}`,
      object: 'response',
      model: 'gpt-6.2-sol',
      status: 'completed',
      output: [
        {
          id: `rs_${run}_${step}`,
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: text(step, THINKING_CHARS) }],
          encrypted_content: seal(`${run}.${step}`),
        },
        {
          id: `msg_${run}_${step}`,
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: text(step + 7, SAID_CHARS), annotations: [] }],
        },
        {
          id: `fc_${run}_${step}`,
          type: 'function_call',
          status: 'completed',
          call_id: `call_${run}_${step}`,
          name: `tool_${step % TOOLS}`,
          arguments: called(step),
        },
      ],
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
        output_tokens_details: { reasoning_tokens: reasoning },
      },
    });
  },
  append(body, run, step, { output }) {
    const returned = { type: 'function_call_output', call_id: `call_${run}_${step}`, output: result(step) };
    (body.input as unknown[]).push(...(output as unknown[]), returned);
  },
};

/** A host that gives its reasoning as a string, and wants it back. */
const CHAT: ApiRun = {
  api: 'openai.chat',
  sdk: OPENAI,
  baseURL: 'https://api.deepseek.com',
  path: '/chat/completions',
  firstBody: () => ({
    model: 'deepseek-v4-pro',
    tools: functions().map((tool) => ({ type: 'function', function: tool })),
    messages: [
      { role: 'system', content: text(0, SYSTEM_CHARS) },
      { role: 'user', content: text(1, 600) },
    ],
  }),
  answerJson(run, step) {
    const { input, cached, output, reasoning } = usage(step);
    return JSON.stringify({
      id: `chatcmpl_${run}_${step}`,
      object: 'chat.completion',
      model: 'deepseek-v4-pro',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: text(step + 7, SAID_CHARS),
            reasoning_content: `${run} ${text(step, THINKING_CHARS)}`,
            tool_calls: [
              {
                id: `call_${run}_${step}`,
                type: 'function',
                function: { name: `tool_${step % TOOLS}`, arguments: called(step) },
              },
            ],
          },
        },
      ],
      usage: {
        prompt_tokens: input,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens: output,
        completion_tokens_details: { reasoning_tokens: reasoning },
      },
    });
  },
  append(body, run, step, { choices }) {
    const [choice] = choices as { readonly message: unknown }[];
    const returned = { role: 'tool', tool_call_id: `call_${run}_${step}`, content: result(step) };
    (body.messages as unknown[]).push(choice?.message, returned);
  },
};

const GOOGLE = { name: '@google/genai', version: '3.3.0' };

/** As the SDK hands it on: configuration and contents side by side. */
const GENERATE: ApiRun = {
  api: 'gemini.generateContent',
  sdk: GOOGLE,
  baseURL: 'https://generativelanguage.googleapis.com/',
  path: ':generateContent',
  firstBody: () => ({
    model: 'gemini-3.8-flash',
    config: {
      systemInstruction: text(0, SYSTEM_CHARS),
      tools: [
        {
          functionDeclarations: functions().map(({ parameters, ...tool }) => ({
            ...tool,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    },
    contents: [{ role: 'user', parts: [{ text: text(1, 600) }] }],
  }),
  answerJson(run, step) {
    const { input, cached, output, reasoning } = usage(step);
    return JSON.stringify({
      responseId: `rsp_${run}_${step}`,
      modelVersion: 'gemini-3.8-flash',
      candidates: [
        {
          index: 0,
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: [
              { text: text(step, THINKING_CHARS), thought: true },
              { text: text(step + 7, SAID_CHARS) },
              {
                functionCall: { id: `fc_${run}_${step}`, name: `tool_${step % TOOLS}`, args: JSON.parse(called(step)) },
                thoughtSignature: seal(`${run}.${step}`),
              },
            ],
          },
        },
      ],
      usageMetadata: {
        promptTokenCount: input,
        cachedContentTokenCount: cached,
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
      },
    });
  },
  append(body, run, step, { candidates }) {
    const [candidate] = candidates as { readonly content: unknown }[];
    const functionResponse = {
      id: `fc_${run}_${step}`,
      name: `tool_${step % TOOLS}`,
      response: { output: result(step) },
    };
    (body.contents as unknown[]).push(candidate?.content, { role: 'user', parts: [{ functionResponse }] });
  },
};

/** Nothing is kept by the provider: every step is sent each time. */
const INTERACTIONS: ApiRun = {
  api: 'gemini.interactions',
  sdk: GOOGLE,
  baseURL: 'https://generativelanguage.googleapis.com/',
  path: '/interactions',
  firstBody: () => ({
    model: 'gemini-3.8-flash',
    store: false,
    system_instruction: text(0, SYSTEM_CHARS),
    tools: functions().map((tool) => ({ type: 'function', ...tool })),
    input: [{ type: 'user_input', content: [{ type: 'text', text: text(1, 600) }] }],
  }),
  answerJson(run, step) {
    const { input, cached, output, reasoning } = usage(step);
    return JSON.stringify({
      id: `int_${run}_${step}`,
      model: 'gemini-3.8-flash',
      status: 'requires_action',
      steps: [
        {
          type: 'thought',
          signature: seal(`${run}.${step}`),
          summary: [{ type: 'text', text: text(step, THINKING_CHARS) }],
        },
        { type: 'model_output', content: [{ type: 'text', text: text(step + 7, SAID_CHARS) }] },
        {
          type: 'function_call',
          id: `call_${run}_${step}`,
          name: `tool_${step % TOOLS}`,
          arguments: JSON.parse(called(step)),
        },
      ],
      usage: {
        total_input_tokens: input,
        total_cached_tokens: cached,
        total_output_tokens: output - reasoning,
        total_thought_tokens: reasoning,
      },
    });
  },
  append(body, run, step, { steps }) {
    const returned = {
      type: 'function_result',
      call_id: `call_${run}_${step}`,
      name: `tool_${step % TOOLS}`,
      result: result(step),
    };
    (body.input as unknown[]).push(...(steps as unknown[]), returned);
  },
};

/** Claude behind Converse. */
const CONVERSE: ApiRun = {
  api: 'bedrock.converse',
  sdk: { name: '@aws-sdk/client-bedrock-runtime', version: '3.1164.0' },
  baseURL: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  path: '/converse',
  firstBody: () => ({
    modelId: 'us.anthropic.claude-opus-4-8-v1:0',
    additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    system: [{ text: text(0, SYSTEM_CHARS) }],
    toolConfig: {
      tools: functions().map(({ parameters, ...tool }) => ({
        toolSpec: { ...tool, inputSchema: { json: parameters } },
      })),
    },
    messages: [{ role: 'user', content: [{ text: text(1, 600) }] }],
  }),
  answerJson(run, step) {
    const { input, cached, output } = usage(step);
    const reasoningText = { text: text(step, THINKING_CHARS), signature: seal(`${run}.${step}`) };
    const toolUse = {
      toolUseId: `tooluse_${run}_${step}`,
      name: `tool_${step % TOOLS}`,
      input: JSON.parse(called(step)),
    };
    return JSON.stringify({
      output: {
        message: {
          role: 'assistant',
          content: [{ reasoningContent: { reasoningText } }, { text: text(step + 7, SAID_CHARS) }, { toolUse }],
        },
      },
      stopReason: 'tool_use',
      usage: {
        inputTokens: input - cached,
        outputTokens: output,
        totalTokens: input + output,
        cacheReadInputTokens: cached,
      },
      metrics: { latencyMs: 1 },
    });
  },
  append(body, run, step, { output }) {
    const toolResult = { toolUseId: `tooluse_${run}_${step}`, content: [{ text: result(step) }] };
    const { message } = output as { readonly message: unknown };
    (body.messages as unknown[]).push(message, { role: 'user', content: [{ toolResult }] });
  },
};

export const API_RUNS = {
  messages: MESSAGES,
  responses: RESPONSES,
  chat: CHAT,
  generate: GENERATE,
  interactions: INTERACTIONS,
  converse: CONVERSE,
} as const;

let runs = 0;

/** Plays a run of `steps` steps, calling `step` with the body to send and the answer to it. */
export function play(
  api: ApiRun,
  steps: number,
  habit: Habit,
  step: (body: Wire, answer: Wire, index: number) => void,
): void {
  const run = `r${runs++}`;
  const body = api.firstBody();
  for (let index = 0; index < steps; index += 1) {
    const answer: Wire = JSON.parse(api.answerJson(run, index));
    // A rebuilt body is a deep copy with strings of its own, as one read back from a store is.
    step(habit === 'kept' ? body : structuredClone(body), answer, index);
    api.append(body, run, index, answer);
  }
}
