import type { Span } from '@opentelemetry/api';
import { guard } from '../observe/guard.ts';
import { requestHeader } from './request-header.ts';
import { hasProperties, isCallable, isObject, ownerOf } from './shapes.ts';
import type { Sighting, Target } from './target.ts';

/** The `@anthropic-ai/sdk` package, 0.37 to 1.x, and the clients of the same family that are built upon it. */
export const ANTHROPIC_SDK = '@anthropic-ai/sdk';

/** In which the Messages resources have the shape that is patched here. */
export const ANTHROPIC_RANGE = '>=0.37.0 <2';

export function inAnthropicRange(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return major === 1 || (major === 0 && minor !== undefined && minor >= 37);
}

type Fields = Record<PropertyKey, unknown>;

const isMessages = (path: string): boolean => path === '/v1/messages' || path.startsWith('/v1/messages?');

/** `stream`, `parse`, `toolRunner` and threads call `create` of these two classes, and so need no patch. */
const MESSAGES: Target = {
  label: 'Messages',
  sdk: ANTHROPIC_SDK,
  method: 'create',
  handsOn: isMessages,
  see: seeMessagesCall,
};
const BETA_MESSAGES: Target = { ...MESSAGES, label: 'beta Messages' };

/** A batch is answered hours later, elsewhere: it is noted, never judged. */
const BATCHES: Target = { label: 'Batches', sdk: ANTHROPIC_SDK, method: 'create', handsOn: () => false };

export type Found = readonly [resource: unknown, target: Target];

/** The files of the package that define the two classes; hooked by name, since Bedrock and Vertex import nothing else. */
export const ANTHROPIC_FILES: readonly { readonly path: string; readonly target: Target }[] = [
  { path: 'resources/messages/messages', target: MESSAGES },
  { path: 'resources/beta/messages/messages', target: BETA_MESSAGES },
];

/** What there is to patch in the exports of one of those files. */
export function resourcesOfFile(exports: unknown, target: Target): Found[] {
  const resource = hasProperties(exports) ? exports.Messages : undefined;
  return withBatches(resource, target);
}

/** What there is to patch in the exports of the package itself. */
export function resourcesOfPackage(exports: unknown): Found[] {
  const root = hasProperties(exports) ? exports : {};
  const client = [root.Anthropic, root.default, root].find(
    (candidate): candidate is Fields => hasProperties(candidate) && hasProperties(candidate.Messages),
  );
  if (!client) return [];
  const beta = hasProperties(client.Beta) ? client.Beta.Messages : undefined;
  return [...withBatches(client.Messages, MESSAGES), ...withBatches(beta, BETA_MESSAGES)];
}

/** What there is to patch behind one client, whatever its class, its package or its bundle. */
export function resourcesOfClient(client: Fields): Found[] {
  const { messages } = client;
  const beta = isObject(client.beta) ? client.beta.messages : undefined;
  return [
    ...(isObject(messages) ? withBatches(classOf(messages), MESSAGES, classOf(messages.batches)) : []),
    ...(isObject(beta) ? withBatches(classOf(beta), BETA_MESSAGES, classOf(beta.batches)) : []),
  ];
}

/** The class of a resource, as far as a patch needs it: whatever owns `create` above the object. */
function classOf(resource: unknown): unknown {
  const owner = isObject(resource) ? ownerOf(resource, 'create') : undefined;
  return owner && owner !== resource ? { prototype: owner } : undefined;
}

function withBatches(resource: unknown, target: Target, batches = batchesOf(resource)): Found[] {
  return batches
    ? [
        [resource, target],
        [batches, BATCHES],
      ]
    : [[resource, target]];
}

function batchesOf(resource: unknown): unknown {
  return hasProperties(resource) ? resource.Batches : undefined;
}

function seeMessagesCall(client: Fields, options: Fields): Sighting {
  const betas = guard('reading the beta header', () => betaHeader(client, options));
  const provider = guard('telling the platform of a client', () => providerOf(client));
  const sdkVersion = guard('reading the version of the SDK', () => sdkVersionOf(client));
  const nativeSpan = isObject(options.__span) ? options.__span.span : undefined;
  return {
    api: 'anthropic.messages',
    body: options.body,
    stream: options.stream === true,
    credential: () => credentialOf(client, options),
    ...(betas && { headers: { [BETA_HEADER]: betas } }),
    ...(typeof client.baseURL === 'string' && { baseURL: client.baseURL }),
    ...(provider !== undefined && { provider }),
    ...(sdkVersion !== undefined && { sdkVersion }),
    ...(isSpan(nativeSpan) && { nativeSpan }),
    ...(options.signal instanceof AbortSignal && { signal: options.signal }),
  };
}

const BETA_HEADER = 'anthropic-beta';

/** `create` has already turned the param `betas` into the header; a header of the request replaces the client's. */
function betaHeader(client: Fields, options: Fields): string | undefined {
  const own = requestHeader(options.headers, BETA_HEADER);
  if (own !== undefined) return own ?? undefined;
  const defaults = isObject(client._options) ? client._options.defaultHeaders : undefined;
  return requestHeader(defaults, BETA_HEADER) ?? undefined;
}

/** What stands for the account, most specific first. An AWS key id and a project id name an account as well as a key does. */
const CREDENTIAL_HEADERS = ['x-api-key', 'authorization'];
const CREDENTIAL_FIELDS = ['apiKey', 'authToken', 'awsAccessKey', 'projectId'];

function credentialOf(client: Fields, options: Fields): string | undefined {
  const candidates = [
    ...CREDENTIAL_HEADERS.map((name) => requestHeader(options.headers, name)),
    ...CREDENTIAL_FIELDS.map((name) => client[name]),
  ];
  const credential = candidates.find((candidate) => typeof candidate === 'string' && candidate !== '');
  // A key is the same key where it is sent as a bearer token.
  return typeof credential === 'string' ? credential.replace(/^Bearer /i, '') : undefined;
}

/**
 * `gen_ai.provider.name` of the platforms, by what tells their clients apart: the SDKs' own field (1.x), the class by
 * name, the host where a bundler has renamed the class.
 */
const PLATFORMS: readonly { readonly provider: string; readonly names: RegExp; readonly host: RegExp }[] = [
  { provider: 'aws.bedrock', names: /^AnthropicBedrock/, host: /^bedrock[\w-]*\.[\w-]+\.(?:amazonaws\.com|api\.aws)/ },
  {
    provider: 'gcp.vertex_ai',
    names: /^AnthropicVertex/,
    host: /(?:^|-|\.)aiplatform\.(?:[\w-]+\.rep\.)?googleapis\.com$/,
  },
  { provider: 'azure.ai.inference', names: /^AnthropicFoundry/, host: /\.(?:services\.ai|inference\.ai)\.azure\.com$/ },
];

function providerOf(client: Fields): string | undefined {
  const named = client._genAIProviderName;
  if (typeof named === 'string' && named !== 'anthropic') return named;
  const names = classNames(client);
  const host =
    typeof client.baseURL === 'string' && URL.canParse(client.baseURL) ? new URL(client.baseURL).hostname : '';
  return PLATFORMS.find(
    (platform) => names.some((name) => platform.names.test(name)) || (host !== '' && platform.host.test(host)),
  )?.provider;
}

function classNames(client: object): string[] {
  const names: string[] = [];
  for (let at = Object.getPrototypeOf(client); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const made: unknown = at.constructor;
    if (isCallable(made)) names.push(made.name);
  }
  return names;
}

/** Off the user agent, which every client of the family builds as `…/JS 1.14.0`. */
export function sdkVersionOf(client: Fields): string | undefined {
  const { getUserAgent } = client;
  if (!isCallable(getUserAgent)) return undefined;
  const agent = Reflect.apply(getUserAgent, client, []);
  return typeof agent === 'string' ? /\/JS (\d\S*)/.exec(agent)?.[1] : undefined;
}

function isSpan(value: unknown): value is Span {
  return isObject(value) && isCallable(value.setAttribute) && isCallable(value.isRecording) && isCallable(value.end);
}
