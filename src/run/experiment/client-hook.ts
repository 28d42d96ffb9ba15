import type { ApiName } from '../../dialects/dialect.ts';
import { experimentError } from './experiment-error.ts';
import { isJson } from './json.ts';
import { currentRun } from './run-record.ts';

/** A method of an SDK's client through which requests go, helpers included: `stream`, `parse`, runners and chats call it. */
interface Door {
  readonly api: ApiName;
  /** The resource behind the client. */
  readonly resource: readonly string[];
  readonly method: string;
}

const DOORS: readonly Door[] = [
  { api: 'anthropic.messages', resource: ['messages'], method: 'create' },
  { api: 'anthropic.messages', resource: ['beta', 'messages'], method: 'create' },
  { api: 'openai.responses', resource: ['responses'], method: 'create' },
  { api: 'openai.chat', resource: ['chat', 'completions'], method: 'create' },
  { api: 'gemini.generateContent', resource: ['models'], method: 'generateContent' },
  { api: 'gemini.generateContent', resource: ['models'], method: 'generateContentStream' },
  { api: 'gemini.interactions', resource: ['interactions'], method: 'create' },
];

type Method = (this: unknown, ...args: unknown[]) => unknown;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isMethod = (value: unknown): value is Method => typeof value === 'function';

const standing = new WeakMap<object, Set<string>>();

/**
 * Lets the requests of a client pass through the run that makes them. The doors stand on this one client only, in front of
 * what observes calls, so that what is observed is what is sent. They lead straight through outside a run.
 *
 * @returns a function that takes the doors away again
 * @throws ExperimentError where it is no client of a supported SDK
 */
export function openDoors(client: object): () => void {
  const found = DOORS.flatMap((door) => {
    const resource = door.resource.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), client);
    return isObject(resource) && isMethod(resource[door.method]) ? [{ ...door, resource }] : [];
  });
  if (found.length === 0) {
    throw experimentError(
      'client(): this is no client of a supported SDK; hand each request body to strip() before it is sent',
    );
  }
  const ways = found.map(({ api, resource, method }) => put(resource, method, api));
  return () => {
    for (const remove of ways) remove();
  };
}

function put(resource: Record<string, unknown>, method: string, api: ApiName): () => void {
  const doors = standing.get(resource) ?? new Set();
  if (doors.has(method)) return () => {};
  standing.set(resource, doors.add(method));
  const own = Object.getOwnPropertyDescriptor(resource, method);
  const door: Method = function door(this: unknown, ...args) {
    // Asked for at each call: the prototype may have been instrumented since.
    const inner = own === undefined ? Reflect.get(Object.getPrototypeOf(resource), method, resource) : own.value;
    const [body, ...rest] = args;
    const run = currentRun.getStore();
    return Reflect.apply(inner, this, run !== undefined && isJson(body) ? [run.send(api, body), ...rest] : args);
  };
  Object.defineProperty(resource, method, { value: door, configurable: true, writable: true, enumerable: false });
  return () => {
    doors.delete(method);
    if (Object.getOwnPropertyDescriptor(resource, method)?.value !== door) return;
    if (own === undefined) Reflect.deleteProperty(resource, method);
    else Object.defineProperty(resource, method, own);
  };
}
