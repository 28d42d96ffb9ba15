import { createRequire } from 'node:module';
import type OpenAI from 'openai';
import type { ResponsesWS } from 'openai/resources/responses/ws';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Fault, Simulator } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { BOOK, outputsFor, ROUNDS, respond } from './support.ts';

const MODEL = 'gpt-6.2-astra';
const scripted = (responses: Loose = {}, more: Loose = {}) =>
  simulator({ responses: { script: ROUNDS, ...responses }, ...more });

const open: WebSocket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});

interface Wire {
  send(event: Loose): void;
  /** The next message, or `undefined` once the socket is closed. */
  next(): Promise<Loose>;
  /** Messages up to the end of an answer. */
  answer(): Promise<Loose[]>;
  readonly closed: Promise<number>;
}

/** A bare client, to see every message. */
async function connect(sim: Simulator, key = 'key'): Promise<Wire> {
  const socket = new WebSocket(`${sim.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  open.push(socket);
  const waiting: ((message: Loose) => void)[] = [];
  const arrived: Loose[] = [];
  const deliver = (message: Loose): void => {
    const first = waiting.shift();
    if (first) first(message);
    else arrived.push(message);
  };
  socket.on('message', (data) => {
    try {
      deliver(JSON.parse(String(data)));
    } catch {
      deliver({ type: 'malformed' });
    }
  });
  const closed = new Promise<number>((resolve) =>
    socket.on('close', (code) => {
      deliver(undefined);
      resolve(code);
    }),
  );
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const next = () =>
    arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise<Loose>((done) => waiting.push(done));
  return {
    send: (event) => socket.send(JSON.stringify(event)),
    next,
    closed,
    async answer() {
      const messages: Loose[] = [];
      for (;;) {
        const message = await next();
        if (message === undefined) return messages;
        messages.push(message);
        if (/^(response\.(completed|incomplete|failed)|error|response\.steer\.failed)$/.test(message.type))
          return messages;
      }
    },
  };
}

const create = (body: Loose): Loose => ({
  type: 'response.create',
  model: MODEL,
  store: false,
  tools: [BOOK],
  ...body,
});

describe('a WebSocket', () => {
  it('streams the events of HTTP, flat body in, and goes on from what only it remembers', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    wire.send(create({ input: 'Go' }));
    const events = await wire.answer();
    expect(events[0].type).toBe('response.created');
    expect(events[0]).not.toHaveProperty('stream_id');
    const { id, output } = events.at(-1).response;
    wire.send(create({ previous_response_id: id, input: outputsFor(output) }));
    const second = (await wire.answer()).at(-1).response;
    expect(second.previous_response_id).toBe(id);
    expect(sim.requests.map(({ method, verdict }) => [method, verdict.status, verdict.shown])).toEqual([
      ['WEBSOCKET', 200, []],
      ['WEBSOCKET', 200, ['previous_response_id.1']],
    ]);
    // Over HTTP, and on another socket, nobody knows it.
    const elsewhere = await respond(sim, { model: MODEL, input: 'x', previous_response_id: second.id });
    expect(elsewhere.body.error.code).toBe('previous_response_not_found');
    const other = await connect(sim);
    other.send(create({ previous_response_id: second.id, input: outputsFor(second.output) }));
    expect(await other.answer()).toMatchObject([
      { type: 'error', status: 400, error: { code: 'previous_response_not_found' } },
    ]);
    // The older response is no longer the newest of its lane.
    wire.send(create({ previous_response_id: id, input: outputsFor(output) }));
    expect(await wire.answer()).toMatchObject([{ error: { code: 'previous_response_not_found' } }]);
  });

  it('chains under zero data retention', async () => {
    const sim = await scripted({ organization: { zdr: true } });
    const wire = await connect(sim);
    wire.send(create({ input: 'Go', store: true }));
    const { id, output } = (await wire.answer()).at(-1).response;
    wire.send(create({ previous_response_id: id, input: outputsFor(output) }));
    expect((await wire.answer()).at(-1).type).toBe('response.completed');
  });

  it('keeps lanes apart, and answers each in order', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    for (const [lane, input] of [
      ['a', 'One'],
      ['b', 'Two'],
      ['a', 'Three'],
    ] as const)
      wire.send(create({ stream_id: lane, input }));
    const ends: string[] = [];
    for (let left = 3; left > 0; ) {
      const message = await wire.next();
      if (message.type !== 'response.completed') continue;
      ends.push(message.stream_id);
      left -= 1;
    }
    expect(ends.filter((lane) => lane === 'a')).toHaveLength(2);
    expect(sim.requests.map(({ body }) => (body as Loose).input)).toEqual(['One', 'Two', 'Three']);
  });

  it('a refused continuation costs its lane the parent, a fork from another lane does not', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    wire.send(create({ stream_id: 'a', input: 'Go' }));
    const { id, output } = (await wire.answer()).at(-1).response;
    const go = async (lane: string, input: Loose) => {
      wire.send(create({ stream_id: lane, previous_response_id: id, input }));
      return (await wire.answer()).at(-1);
    };
    expect(await go('b', 'No results')).toMatchObject({ type: 'error', stream_id: 'b' });
    expect((await go('b', outputsFor(output))).type).toBe('response.completed');
    expect((await go('a', 'No results')).error.message).toMatch(/^No tool output found/);
    expect((await go('a', outputsFor(output))).error.code).toBe('previous_response_not_found');
  });

  it('prepares without an answer', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    for (const more of [{ generate: false }, { prompt_cache_options: { prewarm: true } }]) {
      wire.send(create({ input: 'Context.', ...more }));
      const { id, output, usage } = (await wire.answer()).at(-1).response;
      expect(output).toEqual([]);
      expect(usage.output_tokens).toBe(0);
      wire.send(create({ previous_response_id: id, input: 'Go' }));
      expect((await wire.answer()).at(-1).response.output[0].type).toBe('reasoning');
    }
  });

  it('refuses what does not belong there', async () => {
    let time = 0;
    const sim = await scripted({}, { now: () => time });
    const wire = await connect(sim);
    const cases: readonly (readonly [Loose, Loose])[] = [
      [create({ input: 'x', stream: true }), { code: 'unknown_parameter', param: 'stream' }],
      [create({ input: 'x', background: true }), { param: 'background' }],
      [create({ input: 'x', stream_id: 'a b' }), { code: 'invalid_stream_id' }],
      [{ type: 'response.delete' }, { code: 'invalid_value' }],
      [create({ input: 'x', model: 'gpt-9' }), { code: 'model_not_found' }],
    ];
    for (const [event, error] of cases) {
      wire.send(event);
      expect(await wire.next()).toMatchObject({ type: 'error', error });
    }
    for (let lane = 0; lane < 32; lane++) wire.send(create({ input: 'x', stream_id: `l${lane}`, generate: false }));
    // The default lane counts as well.
    const ends: Loose[] = [];
    while (ends.length < 32) ends.push((await wire.answer()).at(-1));
    expect(ends.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(['websocket_stream_limit_reached']);
    time = 61 * 60_000;
    wire.send(create({ input: 'x' }));
    expect(await wire.next()).toMatchObject({ status: 400, error: { code: 'websocket_connection_limit_reached' } });
    expect(await wire.closed).toBe(1000);
  });

  it('steering comes too late, and says why', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    const steer = async (previous_response_id: string, input: Loose = 'Faster.') => {
      wire.send({ type: 'response.steer', previous_response_id, input });
      return (await wire.next()).error.code;
    };
    expect(await steer('resp_none')).toBe('response_not_found');
    expect(await steer('resp_none', [])).toBe('invalid_input');
    wire.send(create({ input: 'Go' }));
    expect(await steer((await wire.answer()).at(-1).response.id)).toBe('response_already_completed');
    wire.send(create({ input: 'Go', model: 'gpt-5.6-sol' }));
    expect(await steer((await wire.answer()).at(-1).response.id)).toBe('steering_not_supported');
  });

  it('breaks as a fault says', async () => {
    const run = async (fault: Fault) => {
      const wire = await connect(await scripted({ script: [{ content: [{ think: 'a' }, { text: 'b' }], fault }] }));
      wire.send(create({ input: 'Go' }));
      return (await wire.answer()).map(({ type }) => type);
    };
    const at = { event: 'response.output_text.delta' };
    expect((await run({ kind: 'cut', at })).at(-1)).toBe('response.content_part.added');
    expect((await run({ kind: 'error_event', type: 'server_error', message: 'x', at })).at(-1)).toBe('error');
    expect(await run({ kind: 'malformed', at })).toContain('malformed');
    expect((await run({ kind: 'slow', ms: 1 })).at(-1)).toBe('response.completed');
  });

  it('is not opened without a key, nor elsewhere', async () => {
    const sim = await scripted();
    await expect(connect(sim, '')).rejects.toThrow('401');
    const elsewhere = new WebSocket(`${sim.url.replace('http', 'ws')}/v1/other`);
    await expect(new Promise((_, reject) => elsewhere.once('error', reject))).rejects.toThrow('404');
  });

  it('takes long and fragmented messages, and pings', async () => {
    const sim = await scripted();
    const wire = await connect(sim);
    const socket = open.at(-1);
    wire.send(create({ input: 'x'.repeat(70_000) }));
    expect((await wire.answer()).at(-1).response.usage.input_tokens).toBeGreaterThan(17_000);
    const text = JSON.stringify(create({ input: 'parts' }));
    socket?.send(text.slice(0, 20), { fin: false });
    socket?.send(text.slice(20), { fin: true });
    expect((await wire.answer()).at(-1).type).toBe('response.completed');
    const pong = new Promise<string>((resolve) => socket?.once('pong', (data) => resolve(String(data))));
    socket?.ping('there?');
    expect(await pong).toBe('there?');
    socket?.close(1000);
    expect(await wire.closed).toBe(1000);
  });
});

describe('the real SDK', () => {
  const versions = ['openai', 'openai-6.49'];
  for (const version of versions) {
    it(`${version}: ResponsesWS in a loop`, async () => {
      const sim = await scripted();
      const load = createRequire(import.meta.url);
      const Client: typeof OpenAI = load(version).default;
      const { ResponsesWS: Socket }: { ResponsesWS: typeof ResponsesWS } = load(`${version}/resources/responses/ws`);
      const socket = new Socket(new Client({ apiKey: 'key', baseURL: `${sim.url}/v1` }) as OpenAI);
      const texts: string[] = [];
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.on('response.completed', ({ response }) => {
          const outputs = outputsFor(response.output);
          texts.push(response.output.map(({ type }) => type).join(' '));
          if (outputs.length === 0) resolve();
          else socket.send(create({ previous_response_id: response.id, input: outputs }) as Loose);
        });
        socket.send(create({ input: 'Go' }) as Loose);
      });
      socket.close();
      expect(texts.at(-1)).toBe('reasoning message');
      expect(sim.requests.map(({ verdict }) => verdict.shown.length)).toEqual([0, 1, 2, 3]);
    });
  }
});
