import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type { BetaToolRunnerParams } from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import { BedrockRuntimeClient, ConverseCommand, type Message } from '@aws-sdk/client-bedrock-runtime';
import { type Content, GoogleGenAI } from '@google/genai';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { processContext } from '../../../src/context.ts';
import { type Arm, type ExperimentOptions, instrumentClient, runExperiment } from '../../../src/index.ts';
import { type RecordedRequest, type Simulator, startSimulator } from '../../../src/simulator/index.ts';
import { meterHarness, pointsOf, total } from '../../emit/telemetry.ts';
import type { Loose } from '../../simulator/support.ts';

/** Three rounds of one call, then an answer; whatever is carried. */
const ROUNDS = [
  ...[0, 1, 2].map((step) => ({
    content: [
      { think: `Round ${step}.`, tokens: 50 },
      { tool: 'look', input: { step } },
    ],
  })),
  { content: [{ think: 'Enough.', tokens: 50 }, { text: 'Done.' }] },
];

let simulator: Simulator;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  simulator = await startSimulator({
    seed: 'arms',
    anthropic: { script: ROUNDS },
    responses: { script: ROUNDS },
    chat: { script: ROUNDS },
    gemini: { script: ROUNDS },
    // What becomes of steps without their thoughts is told nowhere; where they are refused, the report says so.
    interactions: { script: ROUNDS, conflicts: { missingThought: 'silent' } },
    bedrock: { script: ROUNDS },
  });
});
afterAll(() => simulator.close());

let meters: ReturnType<typeof meterHarness>;
beforeEach(() => {
  meters = meterHarness();
});
afterEach(() => meters.meterProvider.shutdown());

const watched = <C extends object>(client: C): C => instrumentClient(client, { meterProvider: meters.meterProvider });

const anthropicClient = () => watched(new Anthropic({ apiKey: 'key', baseURL: simulator.url, maxRetries: 0 }));
const openaiClient = (path = '/v1') =>
  watched(new OpenAI({ apiKey: 'key', baseURL: simulator.url + path, maxRetries: 0 }));

const RUNNER: BetaToolRunnerParams = {
  model: 'claude-sonnet-5-5',
  max_tokens: 9000,
  max_iterations: 8,
  thinking: { type: 'adaptive' },
  messages: [{ role: 'user', content: 'Go.' }],
  tools: [betaTool({ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, run: () => '1' })],
};

const schema = { type: 'object' as const, properties: { step: { type: 'number' as const } } };
const LOOK: Anthropic.Tool = { name: 'look', input_schema: schema };

const BODY: Omit<Anthropic.MessageCreateParamsNonStreaming, 'messages'> = {
  model: 'claude-sonnet-5-5',
  max_tokens: 9000,
  thinking: { type: 'adaptive' },
  tools: [LOOK],
};

type Loop = (arm: Arm) => Promise<void>;

interface Way {
  readonly name: string;
  readonly loop: Loop;
  /** Thinking goes off in the stripped arm. */
  readonly off?: true;
}

const messagesLoop =
  (params: Pick<Anthropic.MessageCreateParams, 'model' | 'thinking'>, stream = false): Loop =>
  async (arm) => {
    const client = arm.client(anthropicClient());
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
    for (let step = 0; step < 8; step++) {
      const body = { ...params, max_tokens: 9000, tools: [LOOK], messages };
      const { content } = stream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create({ ...body, stream: false });
      messages.push({ role: 'assistant', content });
      const calls = content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return;
      messages.push({
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '1' })),
      });
    }
  };

const chatLoop =
  (path: string, model: string): Loop =>
  async (arm) => {
    const client = arm.client(openaiClient(path));
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }];
    for (let step = 0; step < 8; step++) {
      const { choices } = await client.chat.completions.create({
        model,
        tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
        messages,
      });
      const message = choices[0]?.message as OpenAI.ChatCompletionMessage;
      messages.push(message);
      if (!message.tool_calls) return;
      for (const { id } of message.tool_calls) messages.push({ role: 'tool', tool_call_id: id, content: '1' });
    }
  };

const WAYS: readonly Way[] = [
  { name: 'Messages', loop: messagesLoop({ model: 'claude-sonnet-5-5', thinking: { type: 'adaptive' } }) },
  {
    name: 'Messages, stream()',
    loop: messagesLoop({ model: 'claude-opus-5-5', thinking: { type: 'adaptive' } }, true),
  },
  {
    name: 'Messages with a manual budget',
    loop: messagesLoop({ model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2000 } }),
    off: true,
  },
  {
    name: 'Messages, the tool runner of the SDK',
    loop: async (arm) => {
      const client = arm.client(anthropicClient());
      await client.beta.messages.toolRunner({ ...RUNNER, stream: false, thread: false });
    },
  },
  {
    name: 'Responses',
    loop: async (arm) => {
      const client = arm.client(openaiClient());
      const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Go.' }];
      for (let step = 0; step < 8; step++) {
        const { output } = await client.responses.create({
          model: 'gpt-5.5',
          store: false,
          include: ['reasoning.encrypted_content'],
          tools: [{ type: 'function', name: 'look', parameters: schema, strict: false }],
          input,
        });
        input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
        const calls = output.filter((item) => item.type === 'function_call');
        if (calls.length === 0) return;
        input.push(...calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: '1' })));
      }
    },
  },
  { name: 'Chat, DeepSeek', loop: chatLoop('/deepseek/v1', 'deepseek-v4-pro') },
  { name: 'Chat, Kimi', loop: chatLoop('/kimi/v1', 'kimi-k2.6') },
  { name: 'Chat, vLLM', loop: chatLoop('/vllm/v1', 'Qwen/Qwen3-32B') },
  { name: 'Chat, MiniMax', loop: chatLoop('/minimax/v1', 'MiniMax-M2') },
  { name: 'Chat, Gemini', loop: chatLoop('/gemini/v1', 'gemini-3-pro-preview') },
  { name: 'Chat, OpenRouter', loop: chatLoop('/openrouter/v1', 'openai/gpt-5.5') },
  {
    name: 'generateContent',
    loop: async (arm) => {
      const client = arm.client(watched(new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: simulator.url } })));
      const contents: Content[] = [{ role: 'user', parts: [{ text: 'Go.' }] }];
      for (let step = 0; step < 8; step++) {
        const answer = await client.models.generateContent({
          model: 'gemini-3.8-flash',
          contents,
          config: { tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }] },
        });
        const parts = answer.candidates?.[0]?.content?.parts ?? [];
        contents.push({ role: 'model', parts });
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
        if (calls.length === 0) return;
        contents.push({
          role: 'user',
          parts: calls.map(({ id, name }) => ({
            functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: '1' } },
          })),
        });
      }
    },
  },
  {
    name: 'generateContent, automatic function calling',
    loop: async (arm) => {
      const client = arm.client(watched(new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: simulator.url } })));
      await client.models.generateContent({
        model: 'gemini-3.8-flash',
        contents: 'Go.',
        config: {
          tools: [
            {
              tool: async () => ({ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }),
              callTool: async (calls) =>
                calls.map(({ id, name }) => ({
                  functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: '1' } },
                })),
            },
          ],
        },
      });
    },
  },
  {
    name: 'Interactions',
    loop: async (arm) => {
      const client = arm.client(watched(new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: simulator.url } })));
      const input: Loose[] = [{ type: 'user_input', content: [{ type: 'text', text: 'Go.' }] }];
      for (let step = 0; step < 8; step++) {
        const { steps = [] }: Loose = await client.interactions.create({
          model: 'gemini-3.8-flash',
          store: false,
          tools: [{ type: 'function', name: 'look', parameters: schema }],
          input,
        } as Loose);
        input.push(...steps);
        const calls = steps.filter(({ type }: Loose) => type === 'function_call');
        if (calls.length === 0) return;
        for (const { id, name } of calls) input.push({ type: 'function_result', call_id: id, name, result: '1' });
      }
    },
  },
  {
    name: 'Converse',
    loop: async (arm) => {
      const client = arm.client(
        watched(
          new BedrockRuntimeClient({
            region: 'eu-central-1',
            endpoint: simulator.url,
            credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
          }),
        ),
      );
      const messages: Message[] = [{ role: 'user', content: [{ text: 'Go.' }] }];
      for (let step = 0; step < 8; step++) {
        const { output } = await client.send(
          new ConverseCommand({
            modelId: 'anthropic.claude-sonnet-5-5-v1:0',
            messages,
            inferenceConfig: { maxTokens: 9000 },
            additionalModelRequestFields: { thinking: { type: 'adaptive' } },
            toolConfig: { tools: [{ toolSpec: { name: 'look', inputSchema: { json: schema } } }] },
          }),
        );
        const message = output?.message as Message;
        messages.push(message);
        const calls = (message.content ?? []).flatMap(({ toolUse }) => toolUse ?? []);
        if (calls.length === 0) return;
        messages.push({
          role: 'user',
          content: calls.map(({ toolUseId }) => ({ toolResult: { toolUseId, content: [{ text: '1' }] } })),
        });
      }
    },
  },
];

const one = (loop: Loop, more: Partial<ExperimentOptions<{ id: string }, boolean>> = {}) =>
  runExperiment<{ id: string }, boolean>({
    tasks: [{ id: 'one' }],
    agent: async (_, arm) => {
      await loop(arm);
      return true;
    },
    judge: (result) => result,
    ...more,
  });

const shownIn = (requests: readonly RecordedRequest[]): number[] => requests.map(({ verdict }) => verdict.shown.length);

describe('every API: what is left out is legal, and planned', () => {
  test.each(WAYS.map((way) => [way.name, way] as const))('%s', async (_, { loop, off }) => {
    const report = await one(loop);
    expect(report.runs.map(({ error }) => error)).toEqual([undefined, undefined]);
    // The scripted model calls three times and answers, in either arm.
    for (const arm of report.arms) expect(arm).toMatchObject({ completed: 1, toolCalls: 3, repeatedCalls: 0 });
    expect(report.arms[0].leftOut).toBe(0);
    expect(report.arms[1].leftOut).toBeGreaterThan(0);
    expect(report.warnings.filter((text) => text.includes('switched off'))).toHaveLength(off ? 1 : 0);

    const metrics = await meters.collect();
    const sum = (name: string, labels = {}) => total(pointsOf(metrics, name, labels));
    const stripped = { 'reasoning.experiment.arm': 'stripped' };
    const intact = { 'reasoning.experiment.arm': 'intact' };
    expect(sum('reasoning.calls', stripped)).toBe(4);
    expect(sum('reasoning.blocks.dropped')).toBe(0);
    expect(sum('reasoning.rejections')).toBe(0);
    expect(sum('reasoning.assertions', { 'reasoning.assertion': 'fail' })).toBe(0);
    expect(sum('reasoning.blocks.returned', intact)).toBeGreaterThan(0);
    expect(sum('reasoning.blocks.returned', stripped)).toBe(0);
    expect(sum('reasoning.blocks.released', { ...stripped, 'reasoning.drop.reason': 'experiment' })).toBeGreaterThan(0);
    expect(sum('reasoning.blocks.released', intact)).toBe(0);
  });

  test('the model of the stripped arm is shown nothing of what it thought', async () => {
    const before = simulator.requests.length;
    const { runs } = await one(messagesLoop({ model: 'claude-sonnet-5-5', thinking: { type: 'adaptive' } }), {
      seed: 'shown',
    });
    const shown = shownIn(simulator.requests.slice(before));
    expect(runs.map(({ requests }) => requests)).toEqual([4, 4]);
    // Which arm went first is up to the seed.
    expect([shown.slice(0, 4), shown.slice(4)].sort()).toEqual([
      [0, 0, 0, 0],
      [0, 1, 2, 3],
    ]);
  });
});

describe('strict mode', () => {
  afterEach(() => {
    delete processContext().settings.onFinding;
  });

  test('refuses nothing of what an experiment leaves out, and the same harness outside one', async () => {
    const client = instrumentClient(anthropicClient(), {
      onFinding: 'throw',
      meterProvider: meters.meterProvider,
    });
    /** A harness that loses what it was given, in either arm. */
    const forgetful = async (use: Anthropic, lose: boolean): Promise<void> => {
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
      for (let step = 0; step < 2; step++) {
        const { content } = await use.messages.create({ ...BODY, messages });
        messages.push({
          role: 'assistant',
          content: lose ? content.filter(({ type }) => type !== 'thinking') : content,
        });
        const call = content.find((block) => block.type === 'tool_use');
        messages.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: String(call?.id), content: '1' }],
        });
      }
    };
    const report = await one((arm) => forgetful(arm.client(client), false));
    expect(report.runs.map(({ error }) => error)).toEqual([undefined, undefined]);
    await expect(forgetful(client, true)).rejects.toMatchObject({ name: 'ReasoningContinuityError' });
  });
});

describe('stripping never happens outside a run', () => {
  const history: Anthropic.MessageParam[] = [];
  const ask = (client: Anthropic) => client.messages.create({ ...BODY, messages: history });
  beforeAll(async () => {
    history.push({ role: 'user', content: 'Go.' });
    const { content } = await ask(new Anthropic({ apiKey: 'key', baseURL: simulator.url }));
    const call = content.find((block) => block.type === 'tool_use');
    history.push({ role: 'assistant', content });
    history.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: String(call?.id), content: '1' }] });
  });
  const shownBy = async (client: Anthropic): Promise<number> => {
    await ask(client);
    return simulator.requests.at(-1)?.verdict.shown.length ?? -1;
  };

  test('the same client, before, beside, in the judge and after', async () => {
    const client = anthropicClient();
    const seen: Record<string, number[]> = { before: [await shownBy(client)], agent: [], beside: [], judge: [] };
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const outside = begun.then(async () => void seen.beside?.push(await shownBy(client)));
    const report = await runExperiment({
      tasks: [{ id: 'a' }],
      arms: ['stripped', 'stripped'],
      agent: async (_, arm) => {
        seen.agent?.push(await shownBy(arm.client(client)));
        // Goes on in the context in which it was begun, before the experiment.
        begin();
        await outside;
      },
      judge: async () => {
        seen.judge?.push(await shownBy(client));
        return true;
      },
    });
    seen.after = [await shownBy(client)];
    expect(seen).toEqual({ before: [1], agent: [0, 0], beside: [1], judge: [1, 1], after: [1] });
    expect(Object.hasOwn(client.messages, 'create')).toBe(false);
    expect(report.runs.map(({ requests, toolCalls }) => [requests, toolCalls])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    const metrics = await meters.collect();
    for (const name of ['stripped', 'stripped_2']) {
      expect(total(pointsOf(metrics, 'reasoning.calls', { 'reasoning.experiment.arm': name }))).toBe(1);
    }
    expect(total(pointsOf(metrics, 'reasoning.calls'))).toBe(7);
  });

  test('one client in both arms at the same time', async () => {
    const client = anthropicClient();
    const shown: Record<string, number[]> = { intact: [], stripped: [] };
    await runExperiment({
      tasks: Array.from({ length: 6 }, (_, at) => ({ id: `t${at}` })),
      concurrency: 6,
      agent: async (_, arm) => {
        const before = new Set(simulator.requests.map(({ index }) => index));
        const messages: Anthropic.MessageParam[] = [{ role: 'user', content: `${arm.seed}` }, ...history.slice(1)];
        await arm.client(client).messages.create({
          model: 'claude-sonnet-4-5',
          max_tokens: 9000,
          tools: [LOOK],
          messages,
        });
        const mine = simulator.requests.find(
          ({ index, body }) => !before.has(index) && JSON.stringify(body).includes(JSON.stringify(arm.seed)),
        );
        shown[arm.name]?.push(Number(JSON.stringify(mine?.body).includes('"signature"')));
      },
      judge: () => true,
    });
    expect(shown).toEqual({ intact: [1, 1, 1, 1, 1, 1], stripped: [0, 0, 0, 0, 0, 0] });
  });

  test('a copy of the client, made by the agent', async () => {
    const client = anthropicClient();
    const shown: Record<string, number> = {};
    let copy: Anthropic | undefined;
    await runExperiment({
      tasks: [{ id: 'a' }],
      agent: async (_, arm) => {
        copy = arm.client(client).withOptions({ timeout: 5000 });
        shown[arm.name] = await shownBy(copy);
      },
      judge: () => true,
    });
    expect(shown).toEqual({ intact: 1, stripped: 0 });
    expect(Object.hasOwn(client, 'withOptions')).toBe(false);
    expect(Object.hasOwn(copy?.messages ?? {}, 'create')).toBe(false);
  });

  test('two experiments with one client: the one that ends first leaves the other its doors', async () => {
    const client = anthropicClient();
    let release = (): void => {};
    const firstEnded = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shown: number[] = [];
    const first = runExperiment({
      tasks: [{ id: 'first' }],
      arms: ['stripped', 'stripped'],
      agent: async (_, arm) => void (await ask(arm.client(client))),
      judge: () => true,
    }).then(release);
    const second = runExperiment({
      tasks: [{ id: 'second' }],
      arms: ['stripped', 'stripped'],
      agent: async (_, arm) => {
        arm.client(client);
        await firstEnded;
        shown.push(await shownBy(client));
      },
      judge: () => true,
    });
    await Promise.all([first, second]);
    expect(shown).toEqual([0, 0]);
    expect(Object.hasOwn(client.messages, 'create')).toBe(false);
  });

  test('strip(), for requests that no client sends; after the run it hands back what it is given', async () => {
    const arms: Arm[] = [];
    const body = { model: 'claude-sonnet-5-5', messages: history };
    const sent: unknown[] = [];
    await runExperiment({
      tasks: [{ id: 'a' }],
      agent: (_, arm) => {
        arms.push(arm);
        sent.push(arm.strip('anthropic.messages', body) === body);
      },
      judge: () => true,
    });
    expect(sent.sort()).toEqual([false, true]);
    for (const arm of arms) expect(arm.strip('anthropic.messages', body)).toBe(body);
  });
});

describe('what makes an experiment pointless ends it in one line', () => {
  const task = { id: 'a' };
  const run = (more: object) =>
    runExperiment({ tasks: [task], agent: () => true, judge: () => true, ...more } as ExperimentOptions<
      typeof task,
      unknown
    >);

  test.each<[string, object, RegExp]>([
    ['no task', { tasks: [] }, /^tasks: there is none$/],
    ['a task without a name', { tasks: [{}] }, /^tasks\.0\.id: /],
    ['two tasks of one name', { tasks: [task, task] }, /^tasks\.1\.id: there are two tasks "a"$/],
    ['an unknown arm', { arms: ['intact', 'naked'] }, /^arms: there is no arm "naked"; there are intact, stripped$/],
    ['three arms', { arms: ['intact', 'stripped', 'intact'] }, /^arms: two are compared, not 3$/],
    ['no concurrency', { concurrency: 0 }, /^concurrency: /],
    ['an agent that goes round the arm', {}, /^no request of task "a" passed through the experiment/],
    ['no client', { agent: (_: unknown, arm: Arm) => arm.client({}) }, /no client of a supported SDK/],
    [
      'an unknown API',
      { agent: (_: unknown, arm: Arm) => arm.strip('openai' as never, {}) },
      /there is no API "openai"/,
    ],
  ])('%s', async (_, more, message) => {
    await expect(run(more)).rejects.toMatchObject({ name: 'ExperimentError', message: expect.stringMatching(message) });
  });

  test('a chain, though the agent swallows the error', async () => {
    const client = openaiClient();
    const chained: Loop = async (arm) => {
      const { id } = await arm.client(client).responses.create({ model: 'gpt-5.5', input: 'Go.' });
      try {
        await client.responses.create({ model: 'gpt-5.5', previous_response_id: id, input: 'On.' });
      } catch {
        // As harnesses do.
      }
    };
    await expect(one(chained)).rejects.toThrow(/previous_response_id/);
    // Nothing is left out of the intact arm, and so nothing stands in its way.
    expect((await one(chained, { arms: ['intact', 'intact'] })).runs).toHaveLength(2);
  });

  test('the tool runner of the SDK, which lets the provider hold the history unless told not to', async () => {
    const held: Loop = async (arm) => {
      await arm.client(anthropicClient()).beta.messages.toolRunner({ ...RUNNER, stream: false });
    };
    await expect(one(held)).rejects.toThrow(/thread: false/);
  });

  test('a run that fails is a run that was not completed', async () => {
    const report = await one(async (arm) => {
      await messagesLoop({ model: 'claude-sonnet-5-5', thinking: { type: 'adaptive' } })(arm);
      if (arm.name === 'stripped') throw new TypeError('lost the thread');
    });
    expect(report.runs).toMatchObject([{ completed: true }, { completed: false, error: 'TypeError: lost the thread' }]);
    expect(report.arms.map(({ errors }) => errors)).toEqual([0, 1]);
    expect(report.warnings).toEqual([
      'stripped: 1 of 1 runs ended in an error, the first with TypeError: lost the thread',
    ]);
    const metrics = await meters.collect();
    expect(total(pointsOf(metrics, 'reasoning.runs', { 'reasoning.run.outcome': 'failed' }))).toBe(1);
  });

  test('an intact arm that loses reasoning all the same is warned of', async () => {
    const report = await one(async (arm) => {
      const client = arm.client(anthropicClient());
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }];
      for (let step = 0; step < 2; step++) {
        const { content } = await client.messages.create({ ...BODY, messages });
        messages.push({ role: 'assistant', content: content.filter(({ type }) => type !== 'thinking') });
        const call = content.find((block) => block.type === 'tool_use');
        messages.push({
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: String(call?.id), content: '1' }],
        });
      }
    });
    expect(report.warnings).toContain(
      'intact: reasoning was lost that was meant to be carried (blocks: 1): mend that first',
    );
  });

  test('an agent without reasoning is warned of', async () => {
    const report = await one(chatLoop('/v1', 'gpt-4.1'));
    expect(report.warnings).toEqual([expect.stringMatching(/^stripped: there was no reasoning to leave out/)]);
  });

  test('where a judge fails, what is under way comes to its end first, and nothing else begins', async () => {
    const ran: string[] = [];
    let judged = (): void => undefined;
    const isJudged = new Promise<void>((resolve) => {
      judged = resolve;
    });
    const experiment = runExperiment({
      tasks: [{ id: 'judged' }, { id: 'slow' }],
      concurrency: 2,
      agent: async ({ id }, arm) => {
        arm.strip('anthropic.messages', { ...BODY, messages: [] });
        if (id === 'slow') await isJudged.then(() => new Promise((resolve) => setImmediate(resolve)));
        ran.push(id);
      },
      judge(_, { id }) {
        if (id === 'slow') return true;
        judged();
        throw new Error('no verdict');
      },
    });
    await expect(experiment).rejects.toThrow('no verdict');
    expect(ran).toEqual(['judged', 'slow']);
  });

  test('an abort ends it before the next run', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    const aborted = one(messagesLoop({ model: 'claude-sonnet-5-5', thinking: { type: 'adaptive' } }), {
      signal: stop.signal,
      onProgress: (progress) => {
        done.push(progress.done);
        stop.abort(new Error('enough'));
      },
    });
    await expect(aborted).rejects.toThrow('enough');
    expect(done).toEqual([1]);
  });
});
