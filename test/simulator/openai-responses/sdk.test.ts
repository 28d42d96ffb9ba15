import { createRequire } from 'node:module';
import OpenAI, { AzureOpenAI } from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Simulator } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { BOOK, outputsFor, ROUNDS, SEARCH } from './support.ts';

const load = createRequire(import.meta.url);
const MODEL = 'gpt-6.2-astra';
const scripted = (responses: Loose = {}) => simulator({ responses: { script: ROUNDS, ...responses } });
const clientOf = (sim: Simulator, more: Loose = {}) =>
  new OpenAI({ apiKey: 'key', baseURL: `${sim.url}/v1`, maxRetries: 0, ...more });

/** How many items of reasoning each request showed the model; every request must be fine. */
const shown = (sim: Simulator) => {
  const asked = sim.requests.filter(({ method }) => method === 'POST');
  for (const { verdict } of asked) expect(verdict).toMatchObject({ status: 200, dropped: [] });
  return asked.map(({ verdict }) => verdict.shown.length);
};

describe('every supported SDK', () => {
  for (const version of ['openai-4.87', 'openai-4.104', 'openai-5.23', 'openai-6.49', 'openai']) {
    it(`${version}: stateless and chained loops, plain and streamed`, async () => {
      const sim = await scripted();
      const Client: typeof OpenAI = load(version).default;
      const client = new Client({ apiKey: 'key', baseURL: `${sim.url}/v1`, maxRetries: 0 });
      const params = { model: MODEL, tools: [SEARCH, BOOK] as OpenAI.Responses.Tool[] };
      const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Lisbon' }];
      for (let step = 0; step < 4; step++) {
        let response = {} as OpenAI.Responses.Response;
        if (step % 2 === 0) response = await client.responses.create({ ...params, input, store: false });
        else {
          for await (const event of await client.responses.create({ ...params, input, store: false, stream: true })) {
            if (event.type === 'response.completed') response = event.response;
          }
        }
        input.push(...(response.output as OpenAI.Responses.ResponseInput), ...outputsFor(response.output));
      }
      expect(shown(sim)).toEqual([0, 1, 2, 3]);
      let next: Loose = { input: 'Lisbon' };
      for (let step = 0; step < 4; step++) {
        const { id, output, output_text } = await client.responses.create({ ...params, ...next });
        expect(output_text).toBe(step === 0 ? 'Looking.' : step === 3 ? 'Booked.' : '');
        next = { previous_response_id: id, input: outputsFor(output) };
      }
      expect(shown(sim).slice(4)).toEqual([0, 1, 2, 3]);
      const refused = client.responses.create({ ...params, input: 'x', previous_response_id: 'resp_none' });
      await expect(refused).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
      await expect(refused).rejects.toBeInstanceOf(Client.BadRequestError);
    });
  }
});

describe('the newest SDK', () => {
  it('stream, parse, structured output', async () => {
    const sim = await simulator();
    const client = clientOf(sim);
    const text = { format: zodTextFormat(z.object({ city: z.enum(['LIS', 'OPO']), price: z.number() }), 'flight') };
    const parsed = await client.responses.parse({ model: MODEL, input: 'Which?', text });
    expect(parsed.output_parsed).toMatchObject({ city: expect.stringMatching(/LIS|OPO/), price: expect.any(Number) });
    const tool = zodResponsesFunction({ name: 'search', parameters: z.object({ to: z.string() }) });
    const stream = client.responses.stream({ model: MODEL, input: 'Go', tools: [tool] });
    const deltas: string[] = [];
    stream.on('response.function_call_arguments.delta', ({ delta }) => deltas.push(delta));
    const final = await stream.finalResponse();
    const call = final.output.find(({ type }) => type === 'function_call') as Loose;
    expect(call.parsed_arguments).toEqual(JSON.parse(deltas.join('')));
    // What the helper added is refused when it is sent back as it stands.
    const raw = [{ role: 'user', content: 'Go' }, ...final.output, ...outputsFor(final.output)] as Loose;
    const sent = client.responses.create({ model: MODEL, input: raw, tools: [tool], store: false });
    await expect(sent).rejects.toMatchObject({ status: 400, code: 'unknown_parameter' });
  });

  it('a cut stream resolves with partial ciphertext, which is refused', async () => {
    const at = { event: 'response.output_item.added', when: 'after' } as const;
    const sim = await scripted({
      script: [{ ...ROUNDS[0], fault: { kind: 'error_event', type: 'x', message: 'x', at, times: 1 } }],
    });
    const client = clientOf(sim);
    const items: Loose[] = [];
    const stream = await client.responses.create({ model: MODEL, input: 'Go', stream: true, store: false });
    await expect(
      (async () => {
        for await (const event of stream) if (event.type === 'response.output_item.added') items.push(event.item);
      })(),
    ).rejects.toThrow();
    const replay = client.responses.create({ model: MODEL, input: items, store: false });
    await expect(replay).rejects.toMatchObject({ code: 'invalid_encrypted_content' });
  });

  it('withResponse, retrieve as a stream, compact, conversations, input items, tokens, delete', async () => {
    const sim = await scripted();
    const client = clientOf(sim);
    const { data, response, request_id } = await client.responses
      .create({ model: MODEL, input: 'Go', tools: [BOOK] as Loose })
      .withResponse();
    expect(request_id).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('openai-organization')).toMatch(/^org-/);
    const replayed = await client.responses.stream({ response_id: data.id }).finalResponse();
    expect(replayed.output.map(({ id }) => id)).toEqual(data.output.map(({ id }) => id));
    const input = [{ role: 'user', content: 'Go' }, ...data.output, ...outputsFor(data.output)] as Loose;
    const compacted = await client.responses.compact({ model: MODEL, input });
    const on = [...compacted.output, { role: 'user', content: 'On' }] as Loose;
    expect((await client.responses.create({ model: MODEL, input: on })).status).toBe('completed');
    expect(
      (await client.responses.inputTokens.count({ model: MODEL, input, tools: [BOOK] as Loose })).input_tokens,
    ).toBeGreaterThan(100);
    for await (const item of client.responses.inputItems.list(data.id)) expect(item).toMatchObject({ content: 'Go' });
    const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'Context' }] });
    await client.responses.create({ model: MODEL, conversation: conversation.id, input: 'Go' });
    const listed: string[] = [];
    for await (const { type } of client.conversations.items.list(conversation.id)) listed.push(type);
    expect(listed).toEqual(['function_call', 'message', 'reasoning', 'message', 'message']);
    await client.responses.delete(data.id);
    await expect(client.responses.retrieve(data.id)).rejects.toMatchObject({ status: 404 });
  });

  it('retries what is worth it', async () => {
    const sim = await scripted({
      script: [{ ...ROUNDS[0], fault: { kind: 'status', status: 500, times: 1, headers: { 'retry-after-ms': '1' } } }],
    });
    const client = clientOf(sim, { maxRetries: 1 });
    expect((await client.responses.create({ model: MODEL, input: 'Go' })).status).toBe('completed');
    expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual([500, 200]);
  });

  it('Azure, by deployment name', async () => {
    const sim = await scripted({
      models: [
        {
          id: 'my-deployment',
          snapshot: 'gpt-5-2025-08-07',
          generation: 5,
          efforts: ['low', 'medium'],
          defaultEffort: 'medium',
          context: 'current_turn',
          allTurns: false,
          bindsReasoning: false,
          phases: false,
          chatTools: 'yes',
          cacheOptions: false,
          steering: false,
        },
      ],
    });
    const client = new AzureOpenAI({ apiKey: 'key', apiVersion: '2026-01-01', baseURL: `${sim.url}/openai/v1` });
    const response = await client.responses.create({ model: 'my-deployment', input: 'Go' });
    expect(response.model).toBe('gpt-5-2025-08-07');
    expect(response.output[0]?.type).toBe('reasoning');
  });
});
