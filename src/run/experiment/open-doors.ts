import type { ApiName } from '../../dialects/dialect.ts';
import { experimentError } from './experiment-error.ts';
import { isJson, type Json } from './json.ts';
import { currentRun } from './run-record.ts';

/** A method of an SDK's client through which requests go, helpers included: `stream`, `parse`, runners and chats call it. */
interface Door {
  readonly api: ApiName;
  /** The resource behind the client. */
  readonly resource: readonly string[];
  readonly method: string;
  /** The first argument, where it is not the body itself. */
  readonly argument?: Argument;
}

interface Argument {
  /** Undefined: a request of another kind. */
  body(argument: Json): Json | undefined;
  withBody(argument: Json, body: Json): unknown;
}

/** A command of the AWS SDK: what it is given stands in `input`. */
const COMMAND: Argument = {
  body: ({ input }) => (isJson(input) && Array.isArray(input.messages) ? input : undefined),
  withBody: (command, input) => Object.assign(Object.create(Object.getPrototypeOf(command)), command, { input }),
};

const DOORS: readonly Door[] = [
  { api: 'anthropic.messages', resource: ['messages'], method: 'create' },
  { api: 'anthropic.messages', resource: ['beta', 'messages'], method: 'create' },
  { api: 'openai.responses', resource: ['responses'], method: 'create' },
  { api: 'openai.chat', resource: ['chat', 'completions'], method: 'create' },
  // Each hop of automatic function calling passes here, and only the first one through what the application calls.
  { api: 'gemini.generateContent', resource: ['models'], method: 'generateContentInternal' },
  { api: 'gemini.generateContent', resource: ['models'], method: 'generateContentStreamInternal' },
  { api: 'gemini.interactions', resource: ['interactions'], method: 'create' },
  { api: 'bedrock.converse', resource: [], method: 'send', argument: COMMAND },
];

type Method = (this: unknown, ...args: unknown[]) => unknown;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isMethod = (value: unknown): value is Method => typeof value === 'function';

/** What stands, and for how many. Two experiments may share a client. */
interface Standing {
  users: number;
  remove(): void;
}

const standing = new WeakMap<object, Map<string, Standing>>();

/**
 * Lets the requests of a client pass through the run that makes them. The doors stand on this one client only, in front of
 * what observes calls, so that what is observed is what is sent. They lead straight through outside a run.
 *
 * @returns a function that takes the doors away again
 * @throws ExperimentError where it is no client of a supported SDK
 */
export function openDoors(client: object): () => void {
  const found = DOORS.flatMap((door): Found[] => {
    const { method } = door;
    const resource = door.resource.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), client);
    return isObject(resource) && isMethod(resource[method]) ? [{ resource, method, pass: sending(door) }] : [];
  });
  if (found.length === 0) {
    throw experimentError(
      'client(): this is no client of a supported SDK; hand each request body to strip() before it is sent',
    );
  }
  const leave = found.map(enter);
  if (isMethod((client as Record<string, unknown>).withOptions)) leave.push(enter(copying(client)));
  return () => {
    for (const one of leave) one();
  };
}

/** A method, and what stands in front of it. */
interface Found {
  readonly resource: Record<string, unknown>;
  readonly method: string;
  readonly pass: (inner: () => Method) => Method;
  /** Called with the door. */
  close?(): void;
}

/** `withOptions()` makes a new client, which gets doors of its own. */
function copying(client: object): Found {
  const closing: (() => void)[] = [];
  return {
    resource: client as Record<string, unknown>,
    method: 'withOptions',
    pass: (inner) =>
      function withOptions(this: unknown, ...args) {
        const copy = Reflect.apply(inner(), this, args);
        if (isObject(copy)) closing.push(openDoors(copy));
        return copy;
      },
    close: () => {
      for (const one of closing) one();
    },
  };
}

function sending({ api, argument }: Door): Found['pass'] {
  return (inner) =>
    function door(this: unknown, ...args) {
      const [first, ...rest] = args;
      const run = currentRun.getStore();
      const body = isJson(first) ? (argument ? argument.body(first) : first) : undefined;
      if (run === undefined || body === undefined) return Reflect.apply(inner(), this, args);
      const sent = run.send(api, body);
      if (sent === body) return Reflect.apply(inner(), this, args);
      return Reflect.apply(inner(), this, [argument ? argument.withBody(first as Json, sent) : sent, ...rest]);
    };
}

function enter(found: Found): () => void {
  const { resource, method } = found;
  const doors = standing.get(resource) ?? new Map<string, Standing>();
  standing.set(resource, doors);
  const door = doors.get(method) ?? { users: 0, remove: put(found) };
  doors.set(method, door);
  door.users++;
  return () => {
    if (--door.users > 0) return;
    doors.delete(method);
    door.remove();
  };
}

function put({ resource, method, pass, close }: Found): () => void {
  const own = Object.getOwnPropertyDescriptor(resource, method);
  // Asked for at each call: the prototype may have been instrumented since.
  const door = pass(() =>
    own === undefined ? Reflect.get(Object.getPrototypeOf(resource), method, resource) : own.value,
  );
  Object.defineProperty(resource, method, { value: door, configurable: true, writable: true, enumerable: false });
  return () => {
    close?.();
    if (Object.getOwnPropertyDescriptor(resource, method)?.value !== door) return;
    if (own === undefined) Reflect.deleteProperty(resource, method);
    else Object.defineProperty(resource, method, own);
  };
}
