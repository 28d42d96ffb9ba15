import { betaBody, seeChat, seeFetch, seeResponse } from './openai-sightings.ts';
import { socketTarget, watchOpenSocket } from './openai-socket.ts';
import { handOver } from './seat.ts';
import { hasProperties, isCallable, isObject } from './shapes.ts';
import type { SupportedSdk } from './supported-sdk.ts';
import type { Found, Target } from './target.ts';

const SDK = 'openai';

const isChat = (path: string): boolean => path === '/chat/completions';
const isResponses = (path: string): boolean => /^\/responses(?:\?|$)/.test(path);
const isCompact = (path: string): boolean => /^\/responses\/compact(?:\?|$)/.test(path);
const isStored = (path: string): boolean => /^\/responses\/[^/?]+(?:\?|$)/.test(path);

/** `parse`, `stream`, `runTools` and the tool runners call `create`, and so need no patch. */
const CHAT: readonly Target[] = [
  {
    label: 'Chat Completions',
    sdk: SDK,
    method: 'create',
    around: handOver({ verb: 'post', handsOn: isChat, see: seeChat }),
  },
];

/** `responses.stream({ response_id })` and whoever polls a background response call `retrieve`. */
const RESPONSES: readonly Target[] = [
  {
    label: 'Responses',
    sdk: SDK,
    method: 'create',
    around: handOver({ verb: 'post', handsOn: isResponses, see: seeResponse() }),
  },
  {
    label: 'compacting Responses',
    sdk: SDK,
    method: 'compact',
    around: handOver({ verb: 'post', handsOn: isCompact, see: seeResponse() }),
  },
  {
    label: 'stored Responses',
    sdk: SDK,
    method: 'retrieve',
    around: handOver({ verb: 'get', handsOn: isStored, see: seeFetch }),
  },
];

const BETA_RESPONSES: readonly Target[] = [
  {
    label: 'beta Responses',
    sdk: SDK,
    method: 'create',
    around: handOver({ verb: 'post', handsOn: isResponses, see: seeResponse(betaBody) }),
  },
  {
    label: 'compacting beta Responses',
    sdk: SDK,
    method: 'compact',
    around: handOver({ verb: 'post', handsOn: isCompact, see: seeResponse(betaBody) }),
  },
  { ...(RESPONSES[2] as Target), label: 'stored beta Responses' },
];

/** Items that are added to a conversation, or taken out of it, pass no model: they are noted, never judged. */
const CONVERSATIONS: readonly Target[] = [{ label: 'Conversations', sdk: SDK, method: 'create' }];
const CONVERSATION_ITEMS: readonly Target[] = [
  { label: 'Conversation Items', sdk: SDK, method: 'create' },
  { label: 'Conversation Items', sdk: SDK, method: 'delete' },
];

const SOCKETS: readonly Target[] = [socketTarget(SDK, 'Responses WebSocket')];

/** The `openai` package, 4.87 to 7.x, with its Azure and Bedrock clients. Before 4.87 there was no Responses API. */
export const OPENAI: SupportedSdk = {
  name: SDK,
  range: '>=4.87.0 <8',
  inRange(version) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return (major > 4 && major < 8) || (major === 4 && minor >= 87);
  },
  newest: `${SDK}@7`,
  files: [
    { path: 'resources/chat/completions/completions', find: (exports) => each(part(exports, 'Completions'), CHAT) },
    { path: 'resources/responses/responses', find: (exports) => each(part(exports, 'Responses'), RESPONSES) },
    { path: 'resources/beta/responses/responses', find: (exports) => each(part(exports, 'Responses'), BETA_RESPONSES) },
    { path: 'resources/responses/ws-base', find: (exports) => each(part(exports, 'ResponsesWSBase'), SOCKETS) },
    { path: 'resources/beta/responses/ws-base', find: (exports) => each(part(exports, 'ResponsesWSBase'), SOCKETS) },
    {
      path: 'resources/conversations/conversations',
      find: (exports) => each(part(exports, 'Conversations'), CONVERSATIONS),
    },
    { path: 'resources/conversations/items', find: (exports) => each(part(exports, 'Items'), CONVERSATION_ITEMS) },
  ],
  ofPackage(exports) {
    const root = hasProperties(exports) ? exports : {};
    const client = [root.OpenAI, root.default, root].find((candidate) => part(candidate, 'Responses'));
    if (!client) return [];
    const conversations = part(client, 'Conversations');
    return [
      ...each(part(part(client, 'Chat'), 'Completions'), CHAT),
      ...each(part(client, 'Responses'), RESPONSES),
      ...any(part(part(client, 'Beta'), 'Responses'), BETA_RESPONSES),
      ...any(conversations, CONVERSATIONS),
      ...any(part(conversations, 'Items'), CONVERSATION_ITEMS),
    ];
  },
  ofClient(client) {
    const chat = part(client.chat, 'completions');
    // Other vendors' clients have the one, but not both.
    if (!isObject(chat) || !isObject(client.responses)) return [];
    return [
      ...each(chat, CHAT),
      ...each(client.responses, RESPONSES),
      ...any(part(client.beta, 'responses'), BETA_RESPONSES),
      ...any(client.conversations, CONVERSATIONS),
      ...any(part(client.conversations, 'items'), CONVERSATION_ITEMS),
    ];
  },
  attach: (other, subscriber) => watchOpenSocket(SDK, other, subscriber),
  requests: {
    path: /\/(?:chat\/completions|responses)(?:\?.*)?$/,
    userAgent: /(?:^|[\s,])\w*OpenAI\w*\/JS \d/,
  },
};

function part(whole: unknown, name: string): unknown {
  return hasProperties(whole) ? whole[name] : undefined;
}

/** The first method of a class, whose absence is worth a word, and those of the others that this version has. */
function each(resource: unknown, targets: readonly Target[]): Found[] {
  const methods = isCallable(resource) ? part(resource, 'prototype') : resource;
  return targets
    .filter((target, index) => index === 0 || part(methods, target.method))
    .map((target) => [resource, target]);
}

/** As above, for a class that not every version has. */
function any(resource: unknown, targets: readonly Target[]): Found[] {
  return hasProperties(resource) ? each(resource, targets) : [];
}
