import type { Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import type { ObserveCall } from '../observe/seen-call.ts';
import { sdkVersionOf } from './client-facts.ts';
import { clientOf } from './client-of.ts';
import { patchResource } from './patch-resource.ts';
import { replaceMethod } from './replace-method.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, isCallable, isObject, ownerOf } from './shapes.ts';
import { SUPPORTED_SDKS } from './supported-sdks.ts';
import type { Target } from './target.ts';
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
      const resources = isObject(client) ? resourcesOf(client) : [];
      if (isObject(client) && SUPPORTED_SDKS.some((sdk) => sdk.attach?.(client, { observe, manual: true }))) return;
      if (!isObject(client) || resources.length === 0) {
        sayOnce(
          'not-a-client',
          `instrumentClient() was given an object that is no client of a supported SDK (${SUPPORTED}): nothing is observed`,
        );
        return;
      }
      const sdkVersion = sdkVersionOf(client);
      clients.add(client);
      for (const [resource, target, owner] of resources) {
        if (!isSupportedVersion(target.sdk, sdkVersion)) continue;
        // Another one than the client where somebody has put a proxy around it.
        const behind = clientOf(resource);
        if (behind) clients.add(behind);
        patchResource({ prototype: owner }, target, subscriber, sdkVersion);
      }
      watchCopies(client, clients, copying);
    });
  };
}

const SUPPORTED = SUPPORTED_SDKS.map(({ name, range }) => `${name} ${range}`).join(', ');

/** What there is to patch behind a client, with the prototype that owns the method: none of it is the client's own. */
function resourcesOf(
  client: Record<PropertyKey, unknown>,
): (readonly [Record<PropertyKey, unknown>, Target, object])[] {
  return SUPPORTED_SDKS.flatMap((sdk) => sdk.ofClient(client)).flatMap(([resource, target]) => {
    if (!isObject(resource)) return [];
    const owner = target.inheritor ? target.inheritor(resource) : ownerOf(resource, target.method);
    return owner && owner !== resource ? [[resource, target, owner] as const] : [];
  });
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
