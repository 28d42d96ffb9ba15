import type { Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import type { ObserveCall } from '../observe/seen-call.ts';
import { ANTHROPIC_RANGE, ANTHROPIC_SDK, resourcesOfClient, sdkVersionOf } from './anthropic.ts';
import { patchResource } from './patch-resource.ts';
import { replaceMethod } from './replace-method.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import { isSupportedVersion } from './unsupported-version.ts';

/** Watches clients that are handed over one by one, in place of modules. */
export type WatchClient = (client: unknown) => void;

/**
 * The classes behind a client are patched, found by their shape, and only calls of the clients handed over are
 * observed: the client itself stays as it is, and so does every other client of its class.
 */
export function clientWatcher(observe: ObserveCall): WatchClient {
  const clients = new WeakSet<object>();
  const copying = new WeakSet<Callable>();
  const subscriber: Subscriber = { observe, manual: true, clients };
  return (client) => {
    guard('instrumenting a client', () => {
      const found = isObject(client) ? resourcesOfClient(client) : [];
      if (!isObject(client) || found.length === 0) {
        sayOnce(
          'not-a-client',
          `instrumentClient() was given an object that is no client of a supported SDK (${ANTHROPIC_SDK} ${ANTHROPIC_RANGE}): nothing is observed`,
        );
        return;
      }
      const sdkVersion = sdkVersionOf(client);
      if (!isSupportedVersion(sdkVersion)) return;
      for (const one of innerClients(client)) clients.add(one);
      for (const [resource, target] of found) patchResource(resource, target, subscriber, sdkVersion);
      watchCopies(client, clients, copying);
    });
  };
}

/** The client itself and the one that its resources hold: another one where somebody has put a proxy around it. */
function innerClients(client: Record<PropertyKey, unknown>): object[] {
  const { messages } = client;
  const inner = isObject(messages) ? messages._client : undefined;
  return isObject(inner) ? [client, inner] : [client];
}

/** `withOptions()` makes a new client of the same class; a copy of a watched client is watched too. */
function watchCopies(client: object, clients: WeakSet<object>, copying: WeakSet<Callable>): void {
  const owner = ownerOf(client, 'withOptions');
  const original = owner && Object.getOwnPropertyDescriptor(owner, 'withOptions')?.value;
  if (!owner || owner === client || !isCallable(original) || copying.has(original)) return;
  const watched: Callable = function withOptions(this: unknown, ...args: unknown[]): unknown {
    const copy = Reflect.apply(original, this, args);
    if (isObject(this) && isObject(copy) && clients.has(this)) clients.add(copy);
    return copy;
  };
  copying.add(watched);
  replaceMethod(owner, 'withOptions', original, watched);
}
