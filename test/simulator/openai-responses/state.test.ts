import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { BOOK, callsIn, outputsFor, playChain, playLoop, ROUNDS, respond, respondStream } from './support.ts';

const MODEL = 'gpt-5.6-sol';
const scripted = (responses: Loose = {}, more: Loose = {}) =>
  simulator({ responses: { script: ROUNDS, ...responses }, ...more });

/** A request to any path of the API. */
async function at(sim: Simulator, method: string, path: string, body?: Loose): Promise<Loose> {
  const response = await fetch(`${sim.url}/v1${path}`, {
    method,
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as Loose) };
}

describe('previous_response_id', () => {
  it('carries the reasoning without the client', async () => {
    const sim = await scripted();
    const next = await playChain(sim, MODEL, { rounds: 3 });
    const last = await respond(sim, next);
    expect(last.body.output.at(-1).content[0].text).toBe('Booked.');
    expect(sim.requests.map(({ verdict }) => verdict.shown)).toEqual([
      [],
      ['previous_response_id.1'],
      ['previous_response_id.1', 'previous_response_id.5'],
      ['previous_response_id.1', 'previous_response_id.5', 'previous_response_id.10'],
    ]);
    expect(last.body.previous_response_id).toBe(next.previous_response_id);
  });

  it('bills the chain again, and does not inherit instructions', async () => {
    const sim = await scripted();
    const next = await playChain(sim, MODEL, { rounds: 1, body: { instructions: 'Be brief. '.repeat(20) } });
    const with_ = await respond(sim, next);
    const { instructions: _, ...without } = next;
    const lean = await respond(sim, without);
    expect(lean.body.instructions).toBeNull();
    expect(with_.body.usage.input_tokens - lean.body.usage.input_tokens).toBe(50);
    expect(lean.body.usage.input_tokens).toBeGreaterThan(100);
  });

  it('not found: unknown, not stored, of another organization, deleted, expired', async () => {
    let time = 0;
    const sim = await scripted({ organizations: { other: {} } }, { now: () => time });
    const notStored = await respond(sim, { model: MODEL, input: 'x', store: false });
    const stored = await respond(sim, { model: MODEL, input: 'x' });
    const chain = (id: string, key = 'key') =>
      respond(sim, { model: MODEL, input: outputsFor(stored.body.output), previous_response_id: id }, { key });
    const missing = {
      status: 400,
      body: { error: { code: 'previous_response_not_found', param: 'previous_response_id' } },
    };
    for (const sent of [
      await chain('resp_none'),
      await chain(notStored.body.id),
      await chain(stored.body.id, 'other'),
    ]) {
      expect(sent).toMatchObject(missing);
      expect(sent.body.error.message).toMatch(/^Previous response with id 'resp_\w+' not found\.$/);
    }
    time = 29 * 24 * 60 * 60_000;
    expect((await chain(stored.body.id)).status).toBe(200);
    time = 31 * 24 * 60 * 60_000;
    expect(await chain(stored.body.id)).toMatchObject(missing);
  });

  it('calls of the parent must be answered at once, all of them', async () => {
    const sim = await scripted();
    const next = await playChain(sim, MODEL, { rounds: 2 });
    const [first] = next.input;
    expect((await respond(sim, { ...next, input: [first] })).body.error.message).toMatch(/^No tool output found for/);
    expect((await respond(sim, { ...next, input: 'Never mind' })).body.error.message).toMatch(/^No tool output found/);
    const lost = await respond(sim, { ...next, previous_response_id: undefined });
    expect(lost.body.error.message).toMatch(/^No tool call found for function call output/);
  });

  it('history sent again on top of the chain is a duplicate', async () => {
    const sim = await scripted();
    const first = await respond(sim, { model: MODEL, input: 'Go', tools: [BOOK] });
    const again = [...first.body.output, ...outputsFor(first.body.output)];
    const sent = await respond(sim, { model: MODEL, input: again, previous_response_id: first.body.id });
    expect(sent.body.error.message).toMatch(/^Duplicate item found with id rs_/);
  });

  it('two answers may go on from one', async () => {
    const sim = await scripted();
    const next = await playChain(sim, MODEL, { rounds: 1 });
    for (const _ of [1, 2])
      expect((await respond(sim, next)).verdict).toMatchObject({ status: 200, shown: ['previous_response_id.1'] });
  });
});

describe('stored items', () => {
  it('stand for themselves by id, and by reference', async () => {
    const sim = await scripted();
    const first = await respond(sim, { model: MODEL, input: 'Go', tools: [BOOK] });
    const input = [
      { role: 'user', content: 'Go' },
      ...first.body.output.map(({ id, type }: Loose) =>
        type === 'reasoning' ? { type, id, summary: [] } : { type: 'item_reference', id },
      ),
      ...outputsFor(first.body.output),
    ];
    expect((await respond(sim, { model: MODEL, input, store: false })).verdict.shown).toEqual(['input.1']);
    const none = await respond(sim, { model: MODEL, input: [{ type: 'item_reference', id: 'rs_none' }] });
    expect(none).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringMatching(/^Item with id 'rs_none'/) } },
    });
  });

  it('of a request that was not stored do not exist', async () => {
    const sim = await scripted();
    const next = await playLoop(sim, MODEL, { rounds: 1 });
    for (const item of next.input) if (item.type === 'reasoning') item.encrypted_content = null;
    expect((await respond(sim, next)).status).toBe(404);
  });
});

describe('zero data retention', () => {
  it('keeps nothing and refuses chains', async () => {
    const sim = await scripted({ organization: { zdr: true } });
    const first = await respond(sim, { model: MODEL, input: 'Go', tools: [BOOK] });
    expect(first.body.store).toBe(false);
    expect(first.body.output[0].encrypted_content).toMatch(/^gAAAA/);
    expect((await at(sim, 'GET', `/responses/${first.body.id}`)).status).toBe(404);
    const chained = await respond(sim, {
      model: MODEL,
      input: outputsFor(first.body.output),
      previous_response_id: first.body.id,
    });
    expect(chained.body.error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'previous_response_id',
      message: 'Previous response cannot be used for this organization due to Zero Data Retention.',
    });
    const input = [{ role: 'user', content: 'Go' }, ...first.body.output, ...outputsFor(first.body.output)];
    expect((await respond(sim, { model: MODEL, input })).verdict.shown).toEqual(['input.1']);
  });
});

describe('a stored response', () => {
  it('can be read, with ciphertext on request, streamed again and deleted', async () => {
    const sim = await scripted();
    const first = await respond(sim, { model: MODEL, input: 'Go', tools: [BOOK] });
    const path = `/responses/${first.body.id}`;
    const read = await at(sim, 'GET', path);
    expect(read.output[0]).not.toHaveProperty('encrypted_content');
    expect(read.output[1]).toEqual(first.body.output[1]);
    const whole = await at(sim, 'GET', `${path}?include[]=reasoning.encrypted_content`);
    expect(whole.output).toEqual(first.body.output);
    const again = await respondStream(sim, undefined, {
      method: 'GET',
      path: `/${first.body.id}?stream=true&starting_after=1`,
    });
    expect(again.names[0]).toBe('response.output_item.added');
    expect(again.names.at(-1)).toBe('response.completed');
    const { data } = await at(sim, 'GET', `${path}/input_items`);
    expect(data).toMatchObject([{ role: 'user', content: 'Go', id: expect.stringMatching(/^msg_/) }]);
    expect(await at(sim, 'DELETE', path)).toMatchObject({ deleted: true });
    expect((await at(sim, 'GET', path)).status).toBe(404);
  });

  it('in the background is queued, then complete, or cancelled', async () => {
    const sim = await scripted();
    const begin = () => respond(sim, { model: MODEL, input: 'Go', background: true });
    const first = await begin();
    expect(first.body).toMatchObject({ status: 'queued', output: [], usage: null });
    expect(await at(sim, 'GET', `/responses/${first.body.id}`)).toMatchObject({ status: 'completed' });
    const second = await begin();
    expect(await at(sim, 'POST', `/responses/${second.body.id}/cancel`)).toMatchObject({
      status: 'cancelled',
      output: [],
    });
    expect((await at(sim, 'POST', `/responses/${first.body.id}/cancel`)).status).toBe(400);
    expect((await respond(sim, { model: MODEL, input: 'Go', background: true, store: false })).status).toBe(400);
  });

  it('in the background streams as created, then queued, then at work', async () => {
    const sim = await scripted();
    const { names, events } = await respondStream(sim, { model: MODEL, input: 'Go', background: true });
    const opening = events.slice(0, 3).map(({ response }) => response.status);
    expect(names.slice(0, 3)).toEqual(['response.created', 'response.queued', 'response.in_progress']);
    expect(opening).toEqual(['queued', 'queued', 'in_progress']);
    expect(names.at(-1)).toBe('response.completed');
  });
});

describe('conversation', () => {
  it('puts its items first and takes up what is new', async () => {
    const sim = await scripted();
    const { id } = await at(sim, 'POST', '/conversations', { items: [{ role: 'user', content: 'Context.' }] });
    let input: Loose = 'A flight.';
    for (let round = 0; round < 3; round++) {
      const sent = await respond(sim, { model: MODEL, conversation: id, tools: [BOOK], input });
      expect(sent.body.conversation).toEqual({ id });
      input = outputsFor(sent.body.output);
    }
    expect(sim.requests.map(({ verdict }) => verdict.shown.length)).toEqual([0, 0, 1, 2]);
    const { data } = await at(sim, 'GET', `/conversations/${id}/items`);
    expect(data.at(-1)).toMatchObject({ content: 'Context.', id: expect.stringMatching(/^msg_/) });
    expect(callsIn(data)).toHaveLength(4);
  });

  it('stays as it is with store: false', async () => {
    const sim = await scripted();
    const { id } = await at(sim, 'POST', '/conversations', {});
    await respond(sim, { model: MODEL, conversation: { id }, input: 'Go', store: false });
    expect((await at(sim, 'GET', `/conversations/${id}/items`)).data).toEqual([]);
  });

  it('with its reasoning deleted refuses what the reasoning led to', async () => {
    const sim = await scripted();
    const { id } = await at(sim, 'POST', '/conversations', {});
    const first = await respond(sim, { model: MODEL, conversation: id, input: 'Go', tools: [BOOK] });
    await at(sim, 'DELETE', `/conversations/${id}/items/${first.body.output[0].id}`);
    const sent = await respond(sim, { model: MODEL, conversation: id, input: outputsFor(first.body.output) });
    expect(sent.body.error.message).toMatch(/without its required 'reasoning' item/);
  });

  it('is created, read, updated, filled and deleted', async () => {
    const sim = await scripted();
    const { id } = await at(sim, 'POST', '/conversations', { metadata: { a: '1' } });
    expect(await at(sim, 'GET', `/conversations/${id}`)).toMatchObject({
      object: 'conversation',
      metadata: { a: '1' },
    });
    expect((await at(sim, 'POST', `/conversations/${id}`, { metadata: { a: '2' } })).metadata).toEqual({ a: '2' });
    const items = Array.from({ length: 20 }, (_, index) => ({ role: 'user', content: String(index) }));
    const { data } = await at(sim, 'POST', `/conversations/${id}/items`, { items });
    expect(data).toHaveLength(20);
    expect((await at(sim, 'POST', `/conversations/${id}/items`, { items: [...items, ...items] })).status).toBe(400);
    expect((await at(sim, 'GET', `/conversations/${id}/items/${data[3].id}`)).content).toBe('3');
    expect(await at(sim, 'DELETE', `/conversations/${id}`)).toMatchObject({ deleted: true });
    expect((await respond(sim, { model: MODEL, conversation: id, input: 'x' })).status).toBe(404);
  });
});

describe('switching modes', () => {
  it('from a chain to the whole list, and from the list to a stored parent', async () => {
    const sim = await scripted();
    const first = await respond(sim, { model: 'gpt-6.2-astra', input: 'Go', tools: [BOOK] });
    const outputs = outputsFor(first.body.output);
    const whole = [{ role: 'user', content: 'Go' }, ...first.body.output, ...outputs];
    const second = await respond(sim, { model: 'gpt-6.2-astra', input: whole, tools: [BOOK] });
    expect(second.verdict).toMatchObject({ status: 200, shown: ['input.1'], dropped: [] });
    const third = await respond(sim, {
      model: 'gpt-6.2-astra',
      input: outputsFor(second.body.output),
      previous_response_id: second.body.id,
      tools: [BOOK],
    });
    expect(third.verdict).toMatchObject({ status: 200, dropped: [] });
    expect(third.verdict.shown).toHaveLength(2);
  });
});
