/** The Responses WebSocket, from openai 6 on: it opens at once, and everything is sent and received as messages. */
import type { Any } from '../../support/call-shapes.ts';
import type { Shape, ShapeTools } from './shapes.ts';

const REQUEST = { type: 'response.create', model: 'gpt-test', input: [{ role: 'user', content: 'What is 2+2?' }] };
const ENDS = ['response.completed', 'response.failed', 'response.incomplete', 'error'];

/** A connection, or undefined in a version that has none. Everything that it emits is logged. */
async function connect({ client, load, log }: ShapeTools, options: Any = {}): Promise<Any> {
  const { beta = false, listens = true, ...rest } = options;
  const module = await load(beta ? 'resources/beta/responses/ws' : 'resources/responses/ws');
  if (!module) return undefined;
  const socket = new module.ResponsesWS(client('ok'), rest);
  for (const name of ['event', 'raw', 'close', 'reconnecting', 'reconnected'])
    socket.on(name, (...args: Any[]) => log([name, ...args]));
  if (listens) socket.on('error', (error: Any) => log(['error', error.message, error.error]));
  return socket;
}

const opened = (socket: Any): Promise<void> =>
  socket.socket.readyState === 1 ? Promise.resolve() : new Promise((resolve) => socket.socket.once('open', resolve));

/** Resolves with the event that ends an answer, or the last of several. They may all come in one go. */
const ended = (socket: Any, { lane, answers = 1 }: { lane?: string; answers?: number } = {}): Promise<Any> =>
  new Promise((resolve) => {
    let left = answers;
    const onEvent = (event: Any): void => {
      if (!ENDS.includes(event.type) || event.stream_id !== lane) return;
      left -= 1;
      if (left > 0) return;
      socket.off('event', onEvent);
      resolve(event);
    };
    socket.on('event', onEvent);
  });

const closed = (socket: Any): Promise<void> => new Promise((resolve) => socket.on('close', () => resolve()));

async function close(socket: Any): Promise<void> {
  const done = closed(socket);
  socket.close();
  await done;
}

const absent = 'absent';

export const SOCKET_SHAPES: Readonly<Record<string, Shape>> = {
  'sent before it is open': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    socket.send(REQUEST);
    const event = await ended(socket);
    await close(socket);
    return event;
  },
  'sent in turn': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    for (const input of ['one', 'two']) {
      const done = ended(socket);
      socket.send({ ...REQUEST, input });
      tools.log(['ended', (await done).type]);
    }
    await close(socket);
  },
  'two in one breath': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const done = ended(socket, { answers: 2 });
    socket.send(REQUEST);
    socket.send({ ...REQUEST, input: 'two' });
    await done;
    await close(socket);
  },
  'lanes side by side': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const done = Promise.all([ended(socket, { lane: 'a' }), ended(socket, { lane: 'b' }), ended(socket)]);
    for (const stream_id of ['a', 'b', undefined]) socket.send({ ...REQUEST, ...(stream_id && { stream_id }) });
    await done;
    await close(socket);
  },
  iterated: async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    socket.send(REQUEST);
    for await (const message of socket.stream()) {
      tools.log(['iterated', message]);
      if (message.message?.type === 'response.completed') break;
    }
    await close(socket);
  },
  'a message by hand': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const done = ended(socket);
    socket.sendRaw('not JSON, though it says "response.create"');
    socket.sendRaw(JSON.stringify(REQUEST));
    await done;
    await close(socket);
  },
  'a message of another type': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    socket.send({ type: 'response.steer', previous_response_id: 'resp_01', input: 'response.create' });
    const done = ended(socket);
    socket.send(REQUEST);
    await done;
    await close(socket);
  },
  refused: async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    socket.send({ ...REQUEST, model: 'refused' });
    const event = await ended(socket);
    await close(socket);
    return event;
  },
  'refused, and nobody listens': async (tools) => {
    const socket = await connect(tools, { listens: false });
    if (!socket) return absent;
    const done = ended(socket);
    socket.send({ ...REQUEST, model: 'refused' });
    await done;
    await close(socket);
  },
  'failed answer': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    socket.send({ ...REQUEST, model: 'failed' });
    const event = await ended(socket);
    await close(socket);
    return event;
  },
  'steered, and gone on with by itself': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const both = ended(socket, { answers: 2 });
    socket.send({ ...REQUEST, model: 'steered' });
    await both;
    const done = ended(socket);
    socket.send(REQUEST);
    await done;
    await close(socket);
  },
  'cut off': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    const done = closed(socket);
    socket.send({ ...REQUEST, model: 'cut' });
    await done;
  },
  'cut off, and connected again': async (tools) => {
    const again = { maxRetries: 2, initialDelay: 1, onReconnecting: () => ({}) };
    const socket = await connect(tools, { reconnect: again });
    if (!socket) return absent;
    const reconnected = new Promise((resolve) => socket.on('reconnected', resolve));
    socket.on('reconnecting', (event: Any) => {
      event.delay = 0;
    });
    await opened(socket);
    socket.send({ ...REQUEST, model: 'cut' });
    await reconnected;
    const done = ended(socket);
    socket.send(REQUEST);
    await done;
    await close(socket);
  },
  'closed before the end': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    const waits = new Promise((resolve) => socket.on('response.in_progress', resolve));
    socket.send({ ...REQUEST, model: 'waits' });
    await waits;
    await close(socket);
  },
  'sent when it is closed': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    await close(socket);
    socket.send(REQUEST);
  },
  'listener throws': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const done = ended(socket);
    socket.send(REQUEST);
    await done;
    try {
      socket.on('response.created', () => {
        throw new Error('mine');
      });
      socket._emit('response.created', { type: 'response.created' });
    } catch (error) {
      tools.log(error);
    }
    await close(socket);
  },
  'lane of a session': async (tools) => {
    const helpers = await tools.load('lib/responses/responses-websocket-session');
    const socket = helpers && (await connect(tools));
    if (!socket) return absent;
    await opened(socket);
    const limits = { maxLanes: 2, maxBufferedEvents: 100, maxBufferedBytes: 1_000_000 };
    const session = new helpers.ResponsesWebSocketSession(socket, limits);
    const lane = session.lane('a');
    lane.create({ model: 'gpt-test', input: 'hi' });
    for (let event: Any; event?.type !== 'response.completed'; ) {
      event = await lane.receive();
      tools.log(['lane', event.type]);
    }
    session.close();
    await close(socket);
  },
  beta: async (tools) => {
    const socket = await connect(tools, { beta: true });
    if (!socket) return absent;
    await opened(socket);
    const done = ended(socket);
    socket.send(REQUEST);
    await done;
    await close(socket);
  },
  'no server': async ({ client, load, log }) => {
    const module = await load('resources/responses/ws');
    if (!module) return absent;
    const socket = new module.ResponsesWS(client('ok', { baseURL: 'http://127.0.0.1:9' }));
    socket.on('error', (error: Any) => log(['error', typeof error.message]));
    socket.on('close', (...args: Any[]) => log(['close', ...args]));
    const done = closed(socket);
    socket.send(REQUEST);
    await done;
  },
  'what an application can see of it': async (tools) => {
    const socket = await connect(tools);
    if (!socket) return absent;
    await opened(socket);
    const { log } = tools;
    log(Reflect.ownKeys(socket).map(String));
    log(Reflect.ownKeys(socket.socket).map(String));
    log([socket.send.name, socket.send.length, socket.socket.send.name, socket.socket.send.length]);
    log([socket._emit.name, socket._emit.length, Object.keys(Object.getPrototypeOf(Object.getPrototypeOf(socket)))]);
    await close(socket);
  },
};
