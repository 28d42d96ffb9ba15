import { processContext } from '../context.ts';
import { guard } from '../observe/guard.ts';
import type { CallObserver, ObserveCall } from '../observe/seen-call.ts';
import { readFailure } from './call-failure.ts';
import { watchCall } from './call-watch.ts';
import { clientOf } from './client-of.ts';
import { apiClientFacts } from './google-genai-facts.ts';
import { withGoogleErrors } from './google-genai-failure.ts';
import { watchHops } from './google-genai-hops.ts';
import { GOOGLE_GENAI_SDK } from './google-genai-name.ts';
import { type ObservedCall, observePromise } from './native-promise.ts';
import { patchResource } from './patch-resource.ts';
import { handOver } from './seat.ts';
import { isCallable, isObject, ownerOf } from './shapes.ts';
import type { Found, PatchedCall, Sighting, Target } from './target.ts';

type Fields = Record<PropertyKey, unknown>;
type Around = NonNullable<Target['around']>;

const GETTER = 'interactions';

/** The class behind `ai.interactions` is not exported, and is another one in each major: it is met where it is asked for. */
export const INTERACTIONS: Target = {
  label: 'Interactions',
  sdk: GOOGLE_GENAI_SDK,
  method: GETTER,
  around({ resource, subscriber, sdkVersion }, call) {
    const interactions = call();
    guard('watching interactions', () => {
      const owner = ownerOf(resource, GETTER);
      for (const [instance, target] of targetsOf(interactions)) {
        const prototype = ownerOf(instance, target.method);
        if (!prototype || prototype === instance) continue;
        if (owner) getters.set(prototype, owner);
        patchResource({ prototype }, target, subscriber, sdkVersion);
      }
    });
    return interactions;
  },
};

/** Of a client that has been asked for its interactions before it was handed over. */
export function interactionsFound({ _interactions: known }: Fields): readonly Found[] {
  return targetsOf(known);
}

/** Where the getter is by which a class was met: whoever watches that no more, watches no interactions either. */
const getters = new WeakMap<object, object>();

function isWatching({ resource, target, subscriber }: PatchedCall): boolean {
  const prototype = ownerOf(resource, target.method);
  const getter = prototype && getters.get(prototype);
  if (!getter) return true;
  return processContext().patched.get(getter)?.get(GETTER)?.subscribers.includes(subscriber) ?? false;
}

function whileWatched(around: Around): Around {
  return (patched, call) => (isWatching(patched) ? around(patched, call) : call());
}

function targetsOf(interactions: unknown): readonly (readonly [Fields, Target])[] {
  if (!isObject(interactions) || !isCallable(interactions.create)) return [];
  const targets = isObject(interactions._client) ? GENERATED : COMPOSED;
  return targets.filter(({ method }) => isCallable(interactions[method])).map((target) => [interactions, target]);
}

const named = { label: 'Interactions', sdk: GOOGLE_GENAI_SDK };

/** As Stainless generates them, in 1.x: a resource that hands on to a client of its own. */
const GENERATED: readonly Target[] = [
  {
    ...named,
    method: 'create',
    around: ofOwnClient(
      handOver({
        verb: 'post',
        handsOn: (path) => /\/interactions(?:\?|$)/.test(path),
        see: (client, options) => ({
          ...factsOf(client),
          body: options.body,
          stream: options.stream === true,
          ...signalOf(options),
        }),
      }),
    ),
  },
  {
    ...named,
    method: 'get',
    around: ofOwnClient(
      handOver({
        verb: 'get',
        handsOn: (path) => /\/interactions\/[^/?]+(?:\?|$)/.test(path),
        see: (client, options, [id]) => ({
          ...factsOf(client),
          body: undefined,
          stream: options.stream === true,
          ...(typeof id === 'string' && { fetches: id }),
        }),
      }),
    ),
  },
];

/** From 2.x on: methods that make one request, or one for each hop of a continuation, and answer with a native promise. */
const COMPOSED: readonly Target[] = [
  {
    ...named,
    method: 'create',
    around: whileWatched((patched, call) => {
      const [params] = patched.args;
      if (!isObject(params)) return call();
      if (params.stream === true) {
        guard('watching the hops of a call', () => watchHops(patched, observeHop));
        return call();
      }
      const observed = guard('observing a call', () => observe(patched, { body: params, stream: false }));
      return observed ? observePromise(observed, call, (value) => observed.watch.parsed(value)) : call();
    }),
  },
  {
    ...named,
    method: 'get',
    around: whileWatched((patched, call) => {
      const [fetches, params] = patched.args;
      if (typeof fetches !== 'string' || (isObject(params) && params.stream === true)) return call();
      const observed = guard('observing a call', () => observe(patched, { body: undefined, stream: false, fetches }));
      return observed ? observePromise(observed, call, (value) => observed.watch.parsed(value)) : call();
    }),
  },
];

function ofOwnClient(around: Around): Around {
  return whileWatched((patched, call) => {
    const { _client: client } = patched.resource;
    const subscriber = { ...patched.subscriber, observe: withErrorEvents(patched.subscriber.observe) };
    return isObject(client) ? around({ ...patched, client, subscriber }, call) : call();
  });
}

/** The API can answer with an error after it has begun to answer; the SDK hands that out like any other event. */
function withErrorEvents(begin: ObserveCall): ObserveCall {
  return (seen) => {
    const observer = begin(seen);
    if (!observer) return undefined;
    let over = false;
    const end: CallObserver['end'] = (how) => {
      if (!over) observer.end(how);
      over = true;
    };
    const event = (given: unknown): void => {
      observer.event(given);
      if (over || !isObject(given) || given.event_type !== 'error') return;
      const error = isObject(given.error) ? given.error : {};
      observer.error(readFailure({ code: error.code, error }).error, given);
      end('failed');
    };
    return { ...observer, event, end };
  };
}

function observe(patched: PatchedCall, call: Pick<Sighting, 'body' | 'stream' | 'fetches'>): ObservedCall | undefined {
  const { subscriber, target, client, args } = patched;
  const { sdkVersion = patched.sdkVersion, ...facts } = apiClientFacts(client);
  const sdk = { name: target.sdk, ...(sdkVersion !== undefined && { version: sdkVersion }) };
  const observer = subscriber.observe({ api: API, ...facts, ...call, manual: subscriber.manual, sdk });
  const options = isObject(args[1]) ? args[1] : {};
  return observer && { observer, watch: withGoogleErrors(watchCall(observer), signalOf(options).signal) };
}

/** Hops come for as long as a stream is read, and clients keep what watches them. */
function observeHop(patched: PatchedCall, call: Pick<Sighting, 'body' | 'stream'>): ObservedCall | undefined {
  return isWatching(patched) ? observe(patched, call) : undefined;
}

const API = 'gemini.interactions';

function factsOf(client: Fields): Pick<Sighting, 'api' | 'baseURL' | 'provider' | 'credential' | 'sdkVersion'> {
  const apiClient = clientOf({ _client: client });
  return { api: API, ...(apiClient && apiClientFacts(apiClient)) };
}

function signalOf(options: Fields): { readonly signal?: AbortSignal } {
  const fetchOptions = isObject(options.fetchOptions) ? options.fetchOptions : options.fetch_options;
  const signal = options.signal ?? (isObject(fetchOptions) ? fetchOptions.signal : undefined);
  return signal instanceof AbortSignal ? { signal } : {};
}
