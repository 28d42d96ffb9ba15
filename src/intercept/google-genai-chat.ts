import { AsyncLocalStorage } from 'node:async_hooks';
import type { HistoryKeeper } from '../dialects/dialect.ts';
import { guard } from '../observe/guard.ts';
import { GOOGLE_GENAI_SDK } from './google-genai-name.ts';
import { replaceOnce } from './replace-once.ts';
import { type Callable, isObject } from './shapes.ts';
import type { Target } from './target.ts';

/**
 * `Chat` keeps a history and sends a curated copy of it: an exchange whose answer it takes for invalid is left out, with
 * what the user said (googleapis/js-genai, src/chats.ts). So it matters who put the contents of a request together.
 */
export const CHATS: Target = {
  label: 'Chats',
  sdk: GOOGLE_GENAI_SDK,
  method: 'create',
  around(_, call) {
    const chat = call();
    guard('watching a chat', () => watchChat(chat));
    return chat;
  },
};

const keepers = new WeakMap<object, HistoryKeeper>();
/** Every copy of a history is made of new objects, which the hops of automatic function calling share. */
const keepersByContent = new WeakMap<object, HistoryKeeper>();
/** Each `sendMessage` on its way to the first request that it makes; what its tools ask other models comes after that. */
const sending = new AsyncLocalStorage<{ keeper: HistoryKeeper | undefined }>();

function watchChat(chat: unknown): void {
  if (!isObject(chat)) return;
  keepers.set(chat, { given: Array.isArray(chat.history) ? chat.history.length : 0 });
  for (const name of ['sendMessage', 'sendMessageStream']) replaceOnce(chat, name, watchedSend);
  if (isObject(chat.modelsModule)) replaceOnce(chat.modelsModule, 'processAfcStream', watchedStream);
}

function watchedSend(original: Callable): Callable {
  return function send(this: unknown, ...args: unknown[]): unknown {
    const keeper = isObject(this) ? keepers.get(this) : undefined;
    const handOn = (): unknown => Reflect.apply(original, this, args);
    return keeper ? sending.run({ keeper }, handOn) : handOn();
  };
}

/** A stream with automatic function calling asks for nothing until it is read, and by then `send` is over. */
function watchedStream(original: Callable): Callable {
  return function processAfcStream(this: unknown, ...args: unknown[]): unknown {
    guard('finding the chat of a call', () => isObject(args[0]) && keeperOf(args[0].contents));
    return Reflect.apply(original, this, args);
  };
}

/** The chat that put these contents together; undefined where the application did. */
export function keeperOf(contents: unknown): HistoryKeeper | undefined {
  const [first] = Array.isArray(contents) ? contents : [contents];
  if (!isObject(first)) return undefined;
  const known = keepersByContent.get(first);
  const way = sending.getStore();
  if (known || !way?.keeper) return known;
  const { keeper } = way;
  way.keeper = undefined;
  for (const content of Array.isArray(contents) ? contents : []) {
    if (isObject(content)) keepersByContent.set(content, keeper);
  }
  return keeper;
}
