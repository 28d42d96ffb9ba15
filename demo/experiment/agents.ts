/** Agents for the tasks, sound ones: each sends back every answer as it came. What an arm leaves out is the arm's doing. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Arm } from '../../src/index.ts';
import { deliberatingOpenAiScript, deliberatingScript, startSimulator } from '../../src/simulator/index.ts';
import type { Task } from './tasks.ts';
import { createWorld, type World } from './world.ts';

/** A model that gets nowhere is called off, as in production. */
const MAX_STEPS = 20;

/** Works a task with the model behind `url`. */
type Loop = (url: string, task: Task, world: World, arm: Arm) => Promise<void>;

const KEY = 'simulated';
const SYSTEM = 'You settle requests with the tools you have. Limits that must be kept are kept.';

const anthropic: Loop = async (url, task, world, arm) => {
  const client = arm.client(new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0 }));
  const tools = world.tools.map(({ parameters, ...tool }): Anthropic.Tool => ({ ...tool, input_schema: parameters }));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task.prompt }];
  for (let step = 0; step < MAX_STEPS; step++) {
    const { content } = await client.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      system: SYSTEM,
      tools,
      messages,
    });
    messages.push({ role: 'assistant', content });
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: world.call(name, input as Record<string, unknown>),
      })),
    });
  }
};

const responses: Loop = async (url, task, world, arm) => {
  const client = arm.client(new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 }));
  const tools = world.tools.map(
    (tool): OpenAI.Responses.FunctionTool => ({ type: 'function', strict: false, ...tool }),
  );
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: task.prompt }];
  for (let step = 0; step < MAX_STEPS; step++) {
    const { output } = await client.responses.create({
      model: 'gpt-5.5',
      instructions: SYSTEM,
      store: false,
      include: ['reasoning.encrypted_content'],
      tools,
      input,
    });
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    const calls = output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return;
    for (const { call_id, name, arguments: args } of calls) {
      input.push({ type: 'function_call_output', call_id, output: world.call(name, JSON.parse(args)) });
    }
  }
};

const chat: Loop = async (url, task, world, arm) => {
  const client = arm.client(new OpenAI({ apiKey: KEY, baseURL: `${url}/deepseek/v1`, maxRetries: 0 }));
  const tools = world.tools.map(
    (tool): OpenAI.ChatCompletionFunctionTool => ({
      type: 'function',
      function: { ...tool, parameters: { ...tool.parameters } },
    }),
  );
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: task.prompt },
  ];
  for (let step = 0; step < MAX_STEPS; step++) {
    const { choices } = await client.chat.completions.create({ model: 'deepseek-v4-pro', tools, messages });
    const message = choices[0]?.message;
    if (message === undefined) return;
    messages.push(message);
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
    if (calls.length === 0) return;
    for (const { id, function: made } of calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: world.call(made.name, JSON.parse(made.arguments)) });
    }
  }
};

export const LOOPS = { anthropic, responses, chat };
export type LoopName = keyof typeof LOOPS;

/** A provider of its own for each run, so that chance falls anew in each: it is seeded by the run. */
export const simulatedAgent =
  (loop: Loop) =>
  async (task: Task, arm: Arm): Promise<string | undefined> => {
    const simulator = await startSimulator({
      seed: arm.seed,
      keepBodies: false,
      anthropic: { script: deliberatingScript },
      responses: { script: deliberatingOpenAiScript },
      chat: { script: deliberatingOpenAiScript },
    });
    try {
      const world = createWorld(task);
      await loop(simulator.url, task, world, arm);
      return world.settled;
    } finally {
      await simulator.close();
    }
  };
