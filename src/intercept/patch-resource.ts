import { type PatchedMethod, processContext, type Subscriber } from '../context.ts';
import { guard } from '../observe/guard.ts';
import { clientOf } from './client-of.ts';
import { noteObserved } from './observed-sdks.ts';
import { replaceMethod } from './replace-method.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, hasProperties, isCallable, isObject } from './shapes.ts';
import type { PatchedCall, Target } from './target.ts';

/**
 * Patches ONE class, in place and once, so that `subscriber` sees its calls. The module hook, `instrumentClient` and a
 * call written behind a class by hand all end here. Never throws.
 *
 * @returns a function that ends the subscription. The last one puts the method back or, where another library has
 *   wrapped it since, leaves one that passes straight through. Undefined where the class cannot be patched.
 */
export function patchResource(
  resource: unknown,
  target: Target,
  subscriber: Subscriber,
  sdkVersion?: string,
): (() => void) | undefined {
  const method = guard(`patching ${target.label} of ${target.sdk}`, () => patchedMethod(resource, target, sdkVersion));
  if (!method) {
    const sdk = sdkVersion === undefined ? target.sdk : `${target.sdk} ${sdkVersion}`;
    sayOnce(
      `no-patch-point:${sdk}:${target.label}`,
      `${sdk} has no ${target.label}.${target.method}() to patch: its calls are not observed`,
    );
    return undefined;
  }
  if (!method.subscribers.includes(subscriber)) method.subscribers.push(subscriber);
  return () => {
    const at = method.subscribers.indexOf(subscriber);
    if (at >= 0) method.subscribers.splice(at, 1);
    if (method.subscribers.length === 0) guard(`restoring ${target.label} of ${target.sdk}`, () => method.restore());
  };
}

/** Whether a subscription still stands: for what goes on being watched behind a call of the patched method. */
export const isSubscribed = (prototype: object, method: string, subscriber: Subscriber): boolean =>
  processContext().patched.get(prototype)?.get(method)?.subscribers.includes(subscriber) ?? false;

function patchedMethod(resource: unknown, target: Target, sdkVersion: string | undefined): PatchedMethod | undefined {
  const prototype = hasProperties(resource) ? resource.prototype : undefined;
  if (!isObject(prototype)) return undefined;
  const methods = methodsOf(prototype);
  const known = methods.get(target.method);
  if (known) return known;
  const property = Object.getOwnPropertyDescriptor(prototype, target.method);
  const original = property?.value ?? property?.get ?? (target.inheritor && prototype[target.method]);
  if (!isCallable(original)) return undefined;
  const subscribers: Subscriber[] = [];
  const handOn = property ? original : inheritedMethod(prototype, target.method, original);
  const watched = watchedMethod(handOn, subscribers, target, sdkVersion);
  const putBack = replaceMethod(prototype, target.method, original, watched);
  const method: PatchedMethod = {
    subscribers,
    // A method that another library has wrapped stays, and so does its entry: patched again, it would be seen twice.
    restore: () => {
      if (putBack()) methods.delete(target.method);
    },
  };
  methods.set(target.method, method);
  return method;
}

/** Looked up at each call, since somebody may wrap it later, where it stands. */
function inheritedMethod(prototype: object, name: string, asFound: Callable): Callable {
  return function method(this: unknown, ...args: unknown[]): unknown {
    const parent: unknown = Object.getPrototypeOf(prototype);
    const current = isObject(parent) ? parent[name] : undefined;
    return Reflect.apply(isCallable(current) ? current : asFound, this, args);
  };
}

function methodsOf(prototype: object): Map<string, PatchedMethod> {
  const { patched } = processContext();
  const known = patched.get(prototype);
  if (known) return known;
  const made = new Map<string, PatchedMethod>();
  patched.set(prototype, made);
  return made;
}

function watchedMethod(
  original: Callable,
  subscribers: readonly Subscriber[],
  target: Target,
  sdkVersion: string | undefined,
): Callable {
  return function method(this: unknown, ...args: unknown[]): unknown {
    const call = (): unknown => Reflect.apply(original, this, args);
    if (subscribers.length === 0) return call();
    const patched = guard('finding the client of a call', () => patchedCall(this, subscribers));
    if (!patched) return call();
    noteObserved(target.sdk);
    if (target.around) return target.around({ ...patched, target, args, sdkVersion }, call);
    sayOnce(`noted:${target.label}`, `${target.sdk}: calls of ${target.label} are noted, not judged`, 'debug');
    return call();
  };
}

/** The first one asked for wins: one call, one observation. */
function patchedCall(
  resource: unknown,
  subscribers: readonly Subscriber[],
): Pick<PatchedCall, 'resource' | 'client' | 'subscriber'> | undefined {
  const client = clientOf(resource);
  if (!isObject(resource) || !client) return undefined;
  const subscriber = subscribers.find(({ clients }) => !clients || clients.has(client));
  return subscriber && { resource, client, subscriber };
}
