import type { Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import { type CallWatch, watchCall } from './call-watch.ts';
import { clientFacts } from './openai-sightings.ts';
import { isSubscribed } from './patch-resource.ts';
import { replaceMethod } from './replace-method.ts';
import { runOnce } from './seat.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import type { PatchedCall, Target } from './target.ts';

/**
 * The Responses WebSocket (`openai/resources/responses/ws`, from openai 6 on), which passes no `create`: a request is a
 * message of type `response.create`, its answer the events up to the end of a response. Both are seen where every way
 * through the SDK meets: the text as it is given to the socket, the event as it is emitted.
 * https://platform.openai.com/docs/guides/websocket-mode
 */

type Fields = Record<PropertyKey, unknown>;

/** Requests of one `stream_id` are answered one after the other; those without one share a lane. */
interface Lane {
  readonly open: CallWatch[];
  /** The provider goes on by itself where it was steered: what comes next answers no request that was seen. */
  followsItself: boolean;
}

interface Connection {
  readonly sdk: string;
  readonly sdkVersion: string | undefined;
  readonly client: Fields;
  readonly subscriber: Subscriber;
  /** Whether the subscriber still wants to see calls. */
  readonly isWatched: () => boolean;
  readonly lanes: Map<unknown, Lane>;
  /** Messages that the SDK holds back until the socket is open. */
  heldBack: number;
  /** The application has asked for the end. */
  closing: boolean;
}

const connections = new WeakMap<object, Connection>();
const connectionsBySocket = new WeakMap<object, Connection>();

const CONNECT = '_connectInitial';

/** The last thing that a connection does when it is made. */
export function socketTarget(sdk: string, label: string): Target {
  return { label, sdk, method: CONNECT, around: watchConnecting };
}

function watchConnecting({ resource, client, subscriber, target, sdkVersion }: PatchedCall, call: () => unknown) {
  guard('watching a WebSocket', () => {
    const owner = ownerOf(resource, CONNECT);
    const isWatched = () => owner !== undefined && isSubscribed(owner, CONNECT, subscriber);
    watchConnection(resource, { sdk: target.sdk, sdkVersion, client, subscriber, isWatched });
  });
  return call();
}

/** Watches a connection that is there already. @returns false where the object is none. */
export function watchOpenSocket(sdk: string, connection: Fields, subscriber: Subscriber): boolean {
  const { _client: client, socket } = connection;
  if (!isObject(client) || !isObject(socket) || !ownerOf(connection, CONNECT)) return false;
  if (connections.has(connection)) return true;
  const { sdkVersion } = clientFacts(client);
  watchConnection(connection, { sdk, sdkVersion, client, subscriber, isWatched: () => true });
  watchSocket(socket, connection);
  return true;
}

type Known = Pick<Connection, 'sdk' | 'sdkVersion' | 'client' | 'subscriber' | 'isWatched'>;

function watchConnection(connection: Fields, known: Known): void {
  connections.set(connection, { ...known, lanes: new Map(), heldBack: 0, closing: false });
  const base = ownerOf(connection, CONNECT);
  const concrete = ownerOf(connection, '_createSocket');
  if (concrete) watchMethod(concrete, '_createSocket', watchedCreateSocket);
  if (!base) return;
  for (const name of ['send', 'sendRaw']) watchMethod(base, name, watchedSend);
  watchMethod(base, 'close', watchedClose);
  // Every emitter of the SDK inherits this one; only here it is ours to see.
  watchMethod(base, '_emit', watchedEmit);
}

const watchedMethods = new WeakSet<Callable>();

/** Replaces a method on a class, once. One that is inherited is overridden. */
function watchMethod(owner: object, name: string, watched: (original: Callable) => Callable): void {
  const holder = ownerOf(owner, name);
  const original = holder && Object.getOwnPropertyDescriptor(holder, name)?.value;
  if (!isCallable(original) || watchedMethods.has(original)) return;
  const replacement = watched(original);
  watchedMethods.add(replacement);
  replaceMethod(owner, name, original, replacement);
}

/** The first socket, and the one after each loss of it. */
function watchedCreateSocket(original: Callable): Callable {
  return function _createSocket(this: unknown, ...args: unknown[]): unknown {
    const socket = Reflect.apply(original, this, args);
    guard('watching a WebSocket', () => {
      if (isObject(this) && isObject(socket)) watchSocket(socket, this);
    });
    return socket;
  };
}

function watchSocket(socket: object, of: object): void {
  const connection = connections.get(of);
  if (!connection) return;
  connectionsBySocket.set(socket, connection);
  const owner = ownerOf(socket, 'send');
  if (owner) watchMethod(owner, 'send', watchedSocketSend);
}

/** A message on its way from `send` of the connection to `send` of the socket. The way is synchronous. */
interface Sending {
  readonly connection: Connection;
  readonly message: unknown;
  sent: boolean;
}

let sending: Sending | undefined;

function watchedSend(original: Callable): Callable {
  return function send(this: unknown, ...args: unknown[]): unknown {
    const connection = isObject(this) ? connections.get(this) : undefined;
    if (!connection) return Reflect.apply(original, this, args);
    const outer = sending;
    const own: Sending = { connection, message: args[0], sent: false };
    sending = own;
    try {
      return Reflect.apply(original, this, args);
    } finally {
      sending = outer;
      if (!own.sent) connection.heldBack += 1;
    }
  };
}

function watchedSocketSend(original: Callable): Callable {
  return function send(this: unknown, ...args: unknown[]): unknown {
    const handOn = (): unknown => Reflect.apply(original, this, args);
    const connection = isObject(this) ? connectionsBySocket.get(this) : undefined;
    if (!connection) return handOn();
    const started = guard('observing a call', () => startObserving(connection, args[0]));
    if (!started) return handOn();
    const { observer, watch, lane } = started;
    try {
      // The SDK tells of what its socket throws as of an error of the connection.
      return runOnce(observer, handOn, (refusal) => {
        throw refusal;
      });
    } catch (thrown) {
      lane.open.splice(lane.open.indexOf(watch), 1);
      watch.failed(thrown);
      throw thrown;
    }
  };
}

function startObserving(connection: Connection, data: unknown) {
  const request = requestIn(connection, data);
  if (!request || !connection.isWatched()) return undefined;
  const { client, subscriber, sdk } = connection;
  const { sdkVersion: ownVersion, ...facts } = clientFacts(client);
  const version = connection.sdkVersion ?? ownVersion;
  const observer = subscriber.observe({
    api: 'openai.responses',
    body: request,
    stream: true,
    ...facts,
    manual: subscriber.manual,
    sdk: { name: sdk, ...(version !== undefined && { version }) },
  });
  if (!observer) return undefined;
  const watch = watchCall(observer);
  const lane = laneOf(connection, request.stream_id);
  lane.open.push(watch);
  return { observer, watch, lane };
}

/**
 * The request that a message is. Where the application gave it as an object, that object: a step re-sends the whole
 * history, and what is the same object as before need not be read again.
 */
function requestIn(connection: Connection, data: unknown): Fields | undefined {
  const given = sending?.connection === connection ? sending : undefined;
  // Of several messages that go out in one breath, this may be another than the one given last.
  const message = connection.heldBack === 0 ? given?.message : undefined;
  if (given) given.sent = true;
  else if (connection.heldBack > 0) connection.heldBack -= 1;
  const request = isObject(message) && !isCallable(message.toJSON) ? message : parseRequest(data);
  return isObject(request) && request.type === 'response.create' ? request : undefined;
}

/** Messages can be long: what is no request is not even parsed. */
function parseRequest(data: unknown): unknown {
  if (typeof data !== 'string' || !data.includes('"response.create"')) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function watchedClose(original: Callable): Callable {
  return function close(this: unknown, ...args: unknown[]): unknown {
    const connection = isObject(this) ? connections.get(this) : undefined;
    if (connection) connection.closing = true;
    return Reflect.apply(original, this, args);
  };
}

function watchedEmit(original: Callable): Callable {
  return function _emit(this: unknown, ...args: unknown[]): unknown {
    const connection = isObject(this) ? connections.get(this) : undefined;
    if (connection) guard('reading a WebSocket event', () => HAPPENINGS[String(args[0])]?.(connection, args[1]));
    return Reflect.apply(original, this, args);
  };
}

/** What an emitter tells that matters here, by its name. */
const HAPPENINGS: Readonly<Record<string, (connection: Connection, value: unknown) => void>> = {
  event: receive,
  close: (connection, code) => lose(connection, code),
  // Nothing is asked again by itself: what was under way is lost.
  reconnecting: (connection, lost) => lose(connection, isObject(lost) ? lost.closeCode : undefined),
};

const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed', 'error']);

function receive(connection: Connection, event: unknown): void {
  if (!isObject(event)) return;
  const lane = concerned(connection, event);
  const watch = lane?.open[0];
  if (!lane || (!watch && !lane.followsItself)) return;
  const ends = ENDS.has(event.type);
  if (lane.followsItself) {
    if (ends) lane.followsItself = isSteered(event);
  } else if (watch) {
    watch.event(event);
    if (!ends) return;
    lane.open.shift();
    lane.followsItself = isSteered(event);
    // Over HTTP the SDK throws where the provider answers with an error.
    if (event.type === 'error') watch.failed({ status: event.status, ...(isObject(event.error) ? event.error : {}) });
    else watch.end('completed');
  }
  if (lane.open.length === 0 && !lane.followsItself) connection.lanes.delete(event.stream_id);
}

function laneOf({ lanes }: Connection, id: unknown): Lane {
  const lane = lanes.get(id) ?? { open: [], followsItself: false };
  lanes.set(id, lane);
  return lane;
}

/** Events name their lane. An error that names none can be about a request whose lane was refused. */
function concerned({ lanes }: Connection, event: Fields): Lane | undefined {
  const named = lanes.get(event.stream_id);
  if (named || event.type !== 'error') return named;
  const [only, ...others] = lanes.values();
  return others.length === 0 ? only : undefined;
}

function isSteered({ response }: Fields): boolean {
  const details = isObject(response) ? response.incomplete_details : undefined;
  return isObject(details) && details.reason === 'steered';
}

function lose({ lanes, closing }: Connection, code: unknown): void {
  const open = [...lanes.values()].flatMap((lane) => lane.open);
  lanes.clear();
  for (const watch of open) {
    if (closing) watch.end('aborted');
    else watch.failed({ type: 'websocket_closed', code: String(code) });
  }
}
