import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import Anthropic, { betaRefusalFallbackMiddleware } from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Script, Simulator } from '../../src/simulator/index.ts';
import { BINDING, type Loose, ROUNDS, simulator } from './support.ts';

const MODEL = 'claude-opus-5-5';
const client = (sim: Simulator, more: Loose = {}) =>
  new Anthropic({ apiKey: 'key', baseURL: sim.url, maxRetries: 0, ...more });
const search = {
  name: 'search',
  input_schema: { type: 'object' as const, properties: { to: { type: 'string' } }, required: ['to'] },
};
const ask = {
  model: MODEL,
  max_tokens: 1000,
  tools: [search],
  messages: [{ role: 'user' as const, content: 'Lisbon' }],
};

/** Verdicts of every request, which must all be fine. */
const clean = (sim: Simulator) => {
  for (const { verdict } of sim.requests) expect(verdict).toMatchObject({ status: 200, dropped: [], stripped: [] });
  return sim.requests.map(({ verdict }) => verdict.shown.length);
};

describe('the real SDK', () => {
  it('create, in a loop, plain and streamed', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const anthropic = client(sim);
    const messages: Anthropic.MessageParam[] = [...ask.messages];
    for (let step = 0; step < 4; step++) {
      const request = { ...ask, messages };
      const message =
        step % 2 === 0
          ? await anthropic.messages.create(request)
          : await anthropic.messages.stream(request).finalMessage();
      messages.push({ role: 'assistant', content: message.content });
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) break;
      messages.push({
        role: 'user',
        content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
      });
    }
    expect(clean(sim)).toEqual([0, 2, 3, 4]);
  });

  it('withResponse gives the request id, raw events come in order', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const { data, response, request_id } = await client(sim)
      .messages.create({ ...ask, stream: true })
      .withResponse();
    expect(request_id).toBe(response.headers.get('request-id'));
    const types: string[] = [];
    for await (const event of data) types.push(event.type);
    expect(types[0]).toBe('message_start');
    expect(types.at(-1)).toBe('message_stop');
  });

  it('beta fields: transformations, context management', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS, account: { age: 'old' } } });
    const beta = client(sim).beta.messages;
    const betas = [BINDING, 'context-management-2025-06-27'];
    const first = await beta.create({ ...ask, betas });
    expect(first.input_transformations).toEqual([]);
    const [, , , call] = first.content;
    const next = {
      ...ask,
      betas,
      system: 'New.',
      context_management: { edits: [{ type: 'clear_thinking_20251015' as const, keep: 'all' as const }] },
      messages: [
        ...ask.messages,
        { role: 'assistant' as const, content: first.content },
        { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: (call as Loose).id }] },
      ],
    };
    const allowed = await beta.create(next);
    expect(allowed.input_transformations?.map(({ type }) => type)).toEqual(Array(2).fill('thinking_mismatch_allowed'));
    const thinking = { type: 'adaptive' as const, block_binding: { prefix_mismatch_behavior: 'drop_block' as const } };
    const dropped = await beta.stream({ ...next, thinking }).finalMessage();
    expect(dropped.input_transformations?.map(({ type }) => type)).toEqual(Array(2).fill('thinking_dropped'));
    expect(dropped.context_management).toEqual({ applied_edits: [] });
  });

  for (const stream of [false, true]) {
    it(`toolRunner with a zod tool, ${stream ? 'streamed' : 'plain'}`, async () => {
      const sim = await simulator();
      const calls: unknown[] = [];
      const tool = betaZodTool({
        name: 'search',
        description: 'Searches',
        inputSchema: z.object({ to: z.string(), count: z.number() }),
        run: (input) => {
          calls.push(input);
          return 'found';
        },
      });
      const request = { ...ask, tools: [tool], stream };
      const final = await client(sim).beta.messages.toolRunner(request).runUntilDone();
      expect(final.stop_reason).toBe('end_turn');
      expect(calls.length).toBeGreaterThan(0);
      const shown = clean(sim);
      expect(shown).toEqual(shown.map((_, index) => index));
    });
  }

  it('toolRunner compacts in mid-loop and goes on', async () => {
    // Once the history is a summary, nothing is left to call for.
    const script: Script = ({ body, step, turn }) => {
      if (body.compaction) return { content: [], summary: 'So far.' };
      return turn === 0
        ? { content: [{ think: 'All known.' }, { text: 'Done.' }] }
        : { content: [{ think: `Step ${step}.` }, { tool: 'search', input: { to: 'A' } }] };
    };
    const sim = await simulator({ anthropic: { script } });
    const tool = betaZodTool({
      name: 'search',
      inputSchema: z.object({ to: z.string() }),
      description: '',
      run: () => 'found',
    });
    const betas = ['compact-2026-09-04'];
    const runner = client(sim).beta.messages.toolRunner({ ...ask, betas, tools: [tool] });
    let steps = 0;
    for await (const message of runner) {
      steps += 1;
      if (steps === 1) runner.compactBeforeNextTurn();
      if (message.stop_reason === 'end_turn') break;
      if (steps > 6) throw new Error('does not end');
    }
    expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual(sim.requests.map(() => 200));
    expect(sim.requests.map(({ verdict }) => verdict.stopReason)).toEqual(['tool_use', 'compaction', 'end_turn']);
  });

  it('threads: create, continue, lose, replay', async () => {
    let time = 0;
    const sim = await simulator({ now: () => time });
    const thread = client(sim).beta.messages.thread({ model: MODEL, max_tokens: 500, system: 'Short.' });
    await thread.send({ role: 'user', content: 'One' });
    await thread.send({ role: 'user', content: 'Two' });
    time += 10 * 60_000;
    await thread.send({ role: 'user', content: 'Three' });
    const sent = sim.requests.map(({ body, verdict }) => [
      (body as Loose).thread.type,
      (body as Loose).messages.length,
      verdict.status,
      verdict.shown.length,
    ]);
    expect(sent).toEqual([
      ['create', 1, 200, 0],
      ['continue', 1, 200, 1],
      ['continue', 1, 404, 0],
      ['create', 5, 200, 2],
    ]);
  });

  it('a thread with a tool runner', async () => {
    const sim = await simulator();
    const tool = betaZodTool({
      name: 'search',
      inputSchema: z.object({ to: z.string() }),
      description: '',
      run: () => 'found',
    });
    const thread = client(sim).beta.messages.thread({ ...ask, tools: [tool] });
    const final = await thread.toolRunner().runUntilDone();
    expect(final.stop_reason).toBe('end_turn');
    const shown = clean(sim);
    expect(shown).toEqual(shown.map((_, index) => index));
    expect(sim.requests.length).toBeGreaterThan(1);
  });

  for (const stream of [false, true]) {
    it(`falls back on the client's side, ${stream ? 'streamed' : 'plain'}`, async () => {
      const script: Script = ({ model, body }) =>
        model === MODEL
          ? { content: [{ think: 'No.' }, { text: 'Well, ' }], stop: 'refusal', refusal: { category: 'bio' } }
          : { content: [{ text: (body.messages as Loose[]).length > 1 ? 'as I said.' : 'From the start.' }] };
      const sim = await simulator({ anthropic: { script } });
      const middleware = [betaRefusalFallbackMiddleware([{ model: 'claude-opus-4-8' }])];
      const { messages } = client(sim, { middleware, logLevel: 'off' }).beta;
      const request = { ...ask, tools: [] };
      const final = stream ? await messages.stream(request).finalMessage() : await messages.create(request);
      expect(final.content.map(({ type }) => type)).toEqual(
        stream ? ['thinking', 'text', 'fallback', 'text'] : ['fallback', 'text'],
      );
      expect(final.usage.fallback_credit).toEqual({ status: { type: 'redeemed' } });
      expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual([200, 200]);
    });
  }

  it('parse gets an answer of the schema it asked for', async () => {
    const sim = await simulator();
    const schema = z.object({ city: z.string(), nights: z.number() });
    const message = await client(sim).messages.parse({
      ...ask,
      tools: [],
      output_config: { format: zodOutputFormat(schema) },
    });
    expect(schema.parse(message.parsed_output)).toBeDefined();
  });

  it('errors are the SDK own classes', async () => {
    const sim = await simulator();
    const anthropic = client(sim);
    const bad = anthropic.messages.create({ ...ask, thinking: { type: 'disabled' } });
    await expect(bad).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(bad).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', requestID: /^req_/ });
    await expect(anthropic.messages.create({ ...ask, model: 'nobody' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
  });

  it('retries what may be retried', async () => {
    const fault = { kind: 'status', status: 529, times: 2, headers: { 'retry-after-ms': '1' } } as const;
    const sim = await simulator({ anthropic: { script: [{ content: [{ text: 'ok' }], fault }] } });
    const message = await client(sim, { maxRetries: 2 }).messages.create({ ...ask, tools: [] });
    expect(message.content).toMatchObject([{ type: 'text', text: 'ok' }]);
    expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual([529, 529, 200]);
  });

  it('a broken stream breaks the helper', async () => {
    const cut = await simulator({
      anthropic: {
        script: [
          { ...ROUNDS[0], content: ROUNDS[0]?.content ?? [], fault: { kind: 'cut', at: { event: 'signature_delta' } } },
        ],
      },
    });
    await expect(client(cut).messages.stream(ask).finalMessage()).rejects.toThrow();
    const error = await simulator({
      anthropic: {
        script: [
          {
            content: [{ text: 'x' }],
            fault: { kind: 'error_event', type: 'overloaded_error', message: 'No', at: { event: 'message_delta' } },
          },
        ],
      },
    });
    await expect(client(error).messages.stream(ask).finalMessage()).rejects.toMatchObject({ type: 'overloaded_error' });
  });

  it('counts, lists models, runs batches', async () => {
    const sim = await simulator();
    const anthropic = client(sim);
    const { max_tokens: _, ...counted } = ask;
    expect((await anthropic.messages.countTokens(counted)).input_tokens).toBeGreaterThan(10);
    const models: string[] = [];
    for await (const { id } of anthropic.models.list()) models.push(id);
    expect(models).toContain('claude-fable-5-2');
    expect((await anthropic.models.retrieve(MODEL)).capabilities?.thinking.types.disabled.supported).toBe(false);
    const requests = [
      { custom_id: 'a', params: ask },
      { custom_id: 'b', params: { ...ask, model: 'nobody' } },
    ];
    const batch = await anthropic.messages.batches.create({ requests });
    expect((await anthropic.messages.batches.retrieve(batch.id)).processing_status).toBe('ended');
    const results: Loose[] = [];
    for await (const item of await anthropic.messages.batches.results(batch.id)) results.push(item);
    expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
      ['a', 'succeeded'],
      ['b', 'errored'],
    ]);
    const listed: string[] = [];
    for await (const { id } of anthropic.messages.batches.list()) listed.push(id);
    expect(listed).toEqual([batch.id]);
  });
});

describe('the platform SDKs', () => {
  const bedrock = (sim: Simulator) =>
    new AnthropicBedrock({
      baseURL: sim.url,
      awsAccessKey: 'AKIDEXAMPLE',
      awsSecretKey: 'secret',
      awsRegion: 'us-east-1',
      maxRetries: 0,
    });
  const vertex = (sim: Simulator) =>
    new AnthropicVertex({
      baseURL: `${sim.url}/v1`,
      region: 'global',
      projectId: 'project',
      maxRetries: 0,
      // biome-ignore lint/suspicious/noExplicitAny: only the one method is called.
      authClient: { getRequestHeaders: async () => new Headers({ authorization: 'Bearer token' }) } as any,
    });

  for (const [name, make, spelling] of [
    ['Bedrock', bedrock, `global.anthropic.${MODEL}-v1:0`],
    ['Vertex', vertex, `${MODEL}@20260901`],
  ] as const) {
    it(`${name}: a loop, plain and streamed`, async () => {
      const sim = await simulator({ anthropic: { script: ROUNDS } });
      const anthropic = make(sim);
      const first = await anthropic.beta.messages.create({ ...ask, model: spelling, betas: [BINDING] });
      expect(first.input_transformations).toEqual([]);
      const call = first.content.find((block) => block.type === 'tool_use');
      const messages: Loose[] = [
        ...ask.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.id, content: 'ok' }] },
      ];
      const request = { ...ask, model: spelling, messages, betas: [BINDING] };
      const second = await anthropic.beta.messages.stream(request).finalMessage();
      expect(second.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use']);
      expect(second.input_transformations).toEqual([]);
      expect(second.usage.output_tokens_details?.thinking_tokens).toBe(50);
      expect(clean(sim)).toEqual([0, 2]);
      expect(sim.requests.map(({ path }) => path)).toEqual(
        name === 'Bedrock'
          ? [`/model/${spelling}/invoke`, `/model/${spelling}/invoke-with-response-stream`]
          : ['rawPredict', 'streamRawPredict'].map(
              (verb) => `/v1/projects/project/locations/global/publishers/anthropic/models/${spelling}:${verb}`,
            ),
      );
      // The seal works wherever the model is served.
      const other = await client(sim).messages.create({ ...ask, messages });
      expect(other.content[0]?.type).toBe('thinking');
    });

    it(`${name}: a refusal and an error in mid-stream`, async () => {
      const sim = await simulator({
        anthropic: {
          script: [
            {
              content: [{ text: 'x' }],
              fault: { kind: 'error_event', type: 'overloaded_error', message: 'No', at: { event: 'text_delta' } },
            },
          ],
        },
      });
      const anthropic = make(sim);
      const bad = anthropic.messages.create({ ...ask, model: spelling, thinking: { type: 'disabled' } });
      await expect(bad).rejects.toMatchObject({ status: 400 });
      await expect(bad).rejects.toThrow('is not supported for this model');
      await expect(anthropic.messages.stream({ ...ask, model: spelling }).finalMessage()).rejects.toThrow('No');
    });
  }

  it('Vertex: count_tokens', async () => {
    const sim = await simulator();
    const { max_tokens: _, ...counted } = ask;
    expect((await vertex(sim).messages.countTokens(counted)).input_tokens).toBeGreaterThan(10);
  });
});
