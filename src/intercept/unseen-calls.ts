import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { guard } from '../observe/guard.ts';
import { ANTHROPIC_SDK } from './anthropic.ts';
import { sayOnce } from './say-once.ts';
import { type Callable, isCallable, isObject } from './shapes.ts';

/** Where Node reports requests as they leave: `fetch` (undici), and node:http, which node-fetch of older SDKs uses. */
const CHANNELS = ['undici:request:create', 'http.client.request.start'];

const SENTENCE =
  `${ANTHROPIC_SDK} sent a request that was not observed: it was loaded before the instrumentation, bundled, or imported ` +
  'without a loader hook. Mend it with: node --import reasoning-otel/register app.js — or, in a bundle, with ' +
  'instrumentClient(client)';

export interface UnseenCalls {
  start(): void;
  stop(): void;
}

/**
 * Notices that calls leave the process past the instrumentation. An ES module that was imported too early, or without
 * hooks, can be neither patched nor asked for: only its requests tell. Listens until the first call has been seen.
 */
export function unseenCalls(): UnseenCalls {
  let listening = false;
  const onRequest = (message: unknown): void => {
    guard('looking at a request', () => {
      if (!isModelRequest(message)) return;
      stop();
      sayOnce('unseen-calls', SENTENCE);
    });
  };
  const stop = (): void => {
    if (!listening) return;
    listening = false;
    for (const channel of CHANNELS) unsubscribe(channel, onRequest);
  };
  return {
    start: () => {
      if (listening) return;
      listening = true;
      for (const channel of CHANNELS) subscribe(channel, onRequest);
    },
    stop,
  };
}

const MESSAGES_PATH = /\/v1\/messages(?:\?.*)?$/;
const USER_AGENT = /(?:^|[\s,])\w*Anthropic\w*\/JS \d/;

function isModelRequest(message: unknown): boolean {
  const request = isObject(message) ? message.request : undefined;
  if (!isObject(request) || request.method !== 'POST') return false;
  if (typeof request.path !== 'string' || !MESSAGES_PATH.test(request.path)) return false;
  return USER_AGENT.test(headersOf(request));
}

/** A string, or names and values in one array (undici); a method (node:http). */
function headersOf(request: Record<PropertyKey, unknown>): string {
  const { headers, getHeader } = request;
  if (isCallable(getHeader)) return String(Reflect.apply(getHeader as Callable, request, ['user-agent']));
  return Array.isArray(headers) ? headers.join(' ') : String(headers);
}
