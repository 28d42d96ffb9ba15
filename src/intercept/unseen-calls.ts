import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { guard } from '../observe/guard.ts';
import { isObserved } from './observed-sdks.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, isCallable, isObject } from './shapes.ts';
import type { SupportedSdk } from './supported-sdk.ts';
import { SUPPORTED_SDKS } from './supported-sdks.ts';

/**
 * Where Node reports requests as they leave: `fetch` (undici), node:http, which node-fetch of older SDKs uses, and from
 * 22.17 on node:http2, over which the AWS SDK asks a model.
 */
const CHANNELS = ['undici:request:create', 'http.client.request.start', 'http2.client.stream.start'];

const sentence = (sdk: string): string =>
  `${sdk} sent a request that was not observed: it was loaded before the instrumentation, bundled, or imported ` +
  'without a loader hook. Mend it with: node --import reasoning-otel/register app.js — or, in a bundle, with ' +
  'instrumentClient(client)';

export interface UnseenCalls {
  start(): void;
  stop(): void;
}

/**
 * Notices that calls leave the process past the instrumentation. An ES module that was imported too early, or without
 * hooks, can be neither patched nor asked for: only its requests tell. Listens until the first call of each SDK.
 */
export function unseenCalls(): UnseenCalls {
  const awaited = new Set(SUPPORTED_SDKS);
  let listening = false;
  const onRequest = (message: unknown): void => {
    guard('looking at a request', () => {
      const sdk = senderOf(message, awaited);
      if (!sdk) return;
      if (!isObserved(sdk.name)) sayOnce(`unseen-calls:${sdk.name}`, sentence(sdk.name));
      awaited.delete(sdk);
      if (awaited.size === 0) stop();
    });
  };
  const stop = (): void => {
    if (!listening) return;
    listening = false;
    for (const channel of CHANNELS) unsubscribe(channel, onRequest);
  };
  return {
    start: () => {
      if (listening || awaited.size === 0) return;
      listening = true;
      for (const channel of CHANNELS) subscribe(channel, onRequest);
    },
    stop,
  };
}

function senderOf(message: unknown, candidates: Iterable<SupportedSdk>): SupportedSdk | undefined {
  const request = isObject(message) ? (message.request ?? overHttp2(message.headers)) : undefined;
  if (!isObject(request) || request.method !== 'POST' || typeof request.path !== 'string') return undefined;
  for (const sdk of candidates) {
    if (sdk.requests.path.test(request.path) && sdk.requests.userAgent.test(headersOf(request))) return sdk;
  }
  return undefined;
}

/** Over HTTP/2 the first line of a request stands among its headers. */
function overHttp2(headers: unknown): Record<PropertyKey, unknown> | undefined {
  if (!isObject(headers)) return undefined;
  return { method: headers[':method'], path: headers[':path'], headers: headers['user-agent'] };
}

/** A string, or names and values in one array (undici); a method (node:http). */
function headersOf(request: Record<PropertyKey, unknown>): string {
  const { headers, getHeader } = request;
  if (isCallable(getHeader)) return String(Reflect.apply(getHeader as Callable, request, ['user-agent']));
  return Array.isArray(headers) ? headers.join(' ') : String(headers);
}
