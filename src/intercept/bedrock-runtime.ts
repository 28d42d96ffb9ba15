import type { Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import type { CallObserver } from '../observe/seen-call.ts';
import { readServiceFailure } from './bedrock-runtime-failure.ts';
import { type Invocation, OPERATIONS, type Operation } from './bedrock-runtime-operations.ts';
import { watchCall } from './call-watch.ts';
import { isSubscribed } from './patch-resource.ts';
import { replaceMethod } from './replace-method.ts';
import { sayOnce } from './say-once.ts';
import { runOnce } from './seat.ts';
import { type Callable, hasProperties, isCallable, isObject, isThenable } from './shapes.ts';
import type { SupportedSdk } from './supported-sdk.ts';
import type { PatchedCall, Target } from './target.ts';

const SDK = '@aws-sdk/client-bedrock-runtime';

type Fields = Record<PropertyKey, unknown>;

/**
 * `send` of a client, which the methods of `BedrockRuntime` call too. Its own class inherits it from one that every
 * client of AWS shares; it is watched on the class itself, so that no other service is.
 */
const SEND: Target = {
  label: 'Bedrock Runtime',
  sdk: SDK,
  method: 'send',
  inheritor: classOfClient,
  around: seatFor,
};

/** The `@aws-sdk/client-bedrock-runtime` package. Before 3.755 there was no reasoning content in Converse. */
export const BEDROCK_RUNTIME: SupportedSdk = {
  name: SDK,
  range: '>=3.755.0 <4',
  inRange(version) {
    const [major, minor = 0] = version.split('.').map(Number);
    return major === 3 && minor >= 755;
  },
  newest: `${SDK}@3`,
  // One CommonJS file, which `import` loads as well.
  files: [
    {
      path: 'dist-cjs/index',
      folder: 'bedrock-runtime[^\\\\/]*',
      find: (exports) => [[hasProperties(exports) ? exports.BedrockRuntimeClient : undefined, SEND]],
    },
  ],
  ofPackage: (exports) => {
    const client = hasProperties(exports) ? exports.BedrockRuntimeClient : undefined;
    return client ? [[client, SEND]] : [];
  },
  ofClient: (client) => (isBedrockRuntime(client) ? [[client, SEND]] : []),
  requests: {
    path: /\/model\/[^/]+\/(?:converse|converse-stream|invoke|invoke-with-response-stream)$/,
    userAgent: /(?:^|[\s,])api\/bedrock[-_]runtime#/,
  },
};

/** By what the service calls itself in the configuration of its client: class names do not survive a minifier. */
function isBedrockRuntime(client: Fields): boolean {
  const { config, send } = client;
  return isCallable(send) && isStack(client.middlewareStack) && isObject(config) && config.serviceId === SERVICE;
}
const SERVICE = 'Bedrock Runtime';

/** The prototype below the root class, whatever subclasses stand below that. */
function classOfClient(client: object): object | undefined {
  let at: unknown = Object.getPrototypeOf(client);
  while (isObject(at)) {
    const parent: unknown = Object.getPrototypeOf(at);
    if (!isObject(parent)) return undefined;
    const root: unknown = Object.getPrototypeOf(parent);
    if (isObject(root) && Object.getPrototypeOf(root) === null) return at;
    at = parent;
  }
  return undefined;
}

interface Stack extends Fields {
  concat: Callable;
}

function isStack(value: unknown): value is Stack {
  return isObject(value) && isCallable(value.concat);
}

/**
 * The seat inside the call. `send` makes a stack of middleware for each command, from the client's and the command's own,
 * and resolves it, before it returns: so for as long as `send` runs, what `concat` of the client's stack makes gets one
 * middleware more, and neither stack that the application holds is touched. There the input is final, the target is
 * known, and the span of an instrumentation that wraps `send`, or the resolved stack, is the active one.
 */
function seatFor(patched: PatchedCall, call: () => unknown): unknown {
  const stack = patched.client.middlewareStack;
  const leave = guard('taking the seat in a client', () => (isStack(stack) ? takeSeat(stack, patched) : undefined));
  if (!leave) {
    sayOnce(`no-seat:${SDK}`, `${SDK}: a client without a stack of middleware was used; its calls are not observed`);
    return call();
  }
  try {
    return call();
  } finally {
    guard('leaving the seat in a client', leave);
  }
}

/** Behind the SDK's own of that step, which set the headers; before retries. */
const PLACE = { name: 'reasoningOtelMiddleware', step: 'build', priority: 'low' } as const;

function takeSeat(stack: Stack, patched: PatchedCall): () => void {
  const original = stack.concat;
  const watcher = watcherOf(patched);
  return replaceMethod(stack, 'concat', original, function concat(this: unknown, ...args: unknown[]): unknown {
    const whole = Reflect.apply(original, this, args);
    guard('taking the seat in a call', () => {
      if (isObject(whole) && isCallable(whole.add)) whole.add(middleware(watcher), PLACE);
    });
    return whole;
  });
}

/**
 * What is known of a call beside its invocation. Without the command: a client that caches its handlers (`cacheMiddleware`)
 * keeps this middleware, and uses it for others.
 */
interface Watcher {
  readonly subscriber: Subscriber;
  readonly sdkVersion: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly isWatching: () => boolean;
}

function watcherOf({ subscriber, sdkVersion, client, args }: PatchedCall): Watcher {
  const owner = classOfClient(client);
  return {
    subscriber,
    sdkVersion,
    signal: signalOf(args[1]),
    isWatching: owner ? () => isSubscribed(owner, SEND.method, subscriber) : () => true,
  };
}

function middleware(watcher: Watcher): Callable {
  return function reasoningOtel(next: unknown, context: unknown): unknown {
    if (!isCallable(next) || !isObject(context)) return next;
    const operation = OPERATIONS[String(context.commandName)];
    if (!operation) return next;
    return (args: unknown): unknown => observed(watcher, operation, { context, args }, () => next(args));
  };
}

function observed(watcher: Watcher, operation: Operation, invocation: Invocation, handOn: () => unknown): unknown {
  const observer = guard('observing a call', () => startObserving(watcher, operation, invocation));
  if (!observer) return handOn();
  const watch = watchCall(observer, readServiceFailure);
  const { signal } = watcher;
  let result: unknown;
  try {
    result = runOnce(observer, handOn);
  } catch (thrown) {
    watch.failed(thrown, signal);
    throw thrown;
  }
  if (!isThenable(result)) {
    watch.end('raw');
    return result;
  }
  // The next middleware out consumes what is derived here, so a rejection that nobody handles is reported as before.
  return result.then(
    (settled) => {
      guard('reading an answer', () => {
        const { response, output } = isObject(settled) ? settled : ({} as Fields);
        if (isObject(response)) watch.answered({ status: response.statusCode, headers: response.headers });
        operation.read(isObject(output) ? output : {}, watch, signal);
      });
      return settled;
    },
    (thrown: unknown) => {
      watch.failed(thrown, signal);
      throw thrown;
    },
  );
}

function startObserving(
  { subscriber, sdkVersion, isWatching }: Watcher,
  operation: Operation,
  invocation: Invocation,
): CallObserver | undefined {
  if (!isWatching()) return undefined;
  const sighting = operation.see(invocation);
  if (!sighting) return undefined;
  const { sdkVersion: ownVersion, ...seen } = sighting;
  const version = sdkVersion ?? ownVersion;
  return subscriber.observe({
    ...seen,
    manual: subscriber.manual,
    sdk: { name: SDK, ...(version !== undefined && { version }) },
  });
}

/** The application's own; a signal of the SDK's deprecated class tells nothing that an error does not. */
function signalOf(options: unknown): AbortSignal | undefined {
  const signal = isObject(options) ? options.abortSignal : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
