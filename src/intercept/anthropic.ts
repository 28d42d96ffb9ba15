import type { Span } from '@opentelemetry/api';
import { guard } from '../observe/guard.ts';
import { type Platform, platformOf, sdkVersionOf } from './client-facts.ts';
import { requestHeader } from './request-header.ts';
import { handOver } from './seat.ts';
import { hasProperties, isCallable, isObject } from './shapes.ts';
import type { SupportedSdk } from './supported-sdk.ts';
import type { Found, Sighting, Target } from './target.ts';

const SDK = '@anthropic-ai/sdk';

type Fields = Record<PropertyKey, unknown>;

const isMessages = (path: string): boolean => path === '/v1/messages' || path.startsWith('/v1/messages?');

/** `stream`, `parse`, `toolRunner` and threads call `create` of these two classes, and so need no patch. */
const MESSAGES: Target = {
  label: 'Messages',
  sdk: SDK,
  method: 'create',
  around: handOver({ verb: 'post', handsOn: isMessages, see: seeMessagesCall }),
};
const BETA_MESSAGES: Target = { ...MESSAGES, label: 'beta Messages' };

/** A batch is answered hours later, elsewhere: it is noted, never judged. */
const BATCHES: Target = { label: 'Batches', sdk: SDK, method: 'create' };

/** The `@anthropic-ai/sdk` package, 0.37 to 1.x, and the clients of the same family that are built upon it. */
export const ANTHROPIC: SupportedSdk = {
  name: SDK,
  range: '>=0.37.0 <2',
  inRange(version) {
    const [major, minor] = version.split('.').map(Number);
    return major === 1 || (major === 0 && minor !== undefined && minor >= 37);
  },
  newest: `${SDK}@1`,
  files: [
    { path: 'resources/messages/messages', find: (exports) => inFile(exports, MESSAGES) },
    { path: 'resources/beta/messages/messages', find: (exports) => inFile(exports, BETA_MESSAGES) },
  ],
  ofPackage(exports) {
    const root = hasProperties(exports) ? exports : {};
    const client = [root.Anthropic, root.default, root].find(
      (candidate): candidate is Fields => hasProperties(candidate) && hasProperties(candidate.Messages),
    );
    if (!client) return [];
    const beta = hasProperties(client.Beta) ? client.Beta.Messages : undefined;
    return [...withBatches(client.Messages, MESSAGES), ...withBatches(beta, BETA_MESSAGES)];
  },
  ofClient: ({ messages, beta }) => [
    ...withBatchesOf(messages, MESSAGES),
    ...withBatchesOf(isObject(beta) ? beta.messages : undefined, BETA_MESSAGES),
  ],
  requests: { path: /\/v1\/messages(?:\?.*)?$/, userAgent: /(?:^|[\s,])\w*Anthropic\w*\/JS \d/ },
};

function inFile(exports: unknown, target: Target): Found[] {
  return withBatches(hasProperties(exports) ? exports.Messages : undefined, target);
}

function withBatches(resource: unknown, target: Target): Found[] {
  const batches = hasProperties(resource) ? resource.Batches : undefined;
  return batches
    ? [
        [resource, target],
        [batches, BATCHES],
      ]
    : [[resource, target]];
}

function withBatchesOf(resource: unknown, target: Target): Found[] {
  if (!isObject(resource)) return [];
  return isObject(resource.batches)
    ? [
        [resource, target],
        [resource.batches, BATCHES],
      ]
    : [[resource, target]];
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
    ...(provider === undefined ? { accountHeader: 'anthropic-organization-id' } : { provider }),
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

/** Key ids of AWS that are drawn anew every hour or so name no account (docs.aws.amazon.com: IAM unique identifiers). */
const TEMPORARY = /^ASIA/;

function credentialOf(client: Fields, options: Fields): string | undefined {
  const candidates = [
    ...CREDENTIAL_HEADERS.map((name) => requestHeader(options.headers, name)),
    ...CREDENTIAL_FIELDS.map((name) => client[name]),
  ];
  const credential = candidates.find((value) => typeof value === 'string' && value !== '' && !TEMPORARY.test(value));
  // A key is the same key where it is sent as a bearer token.
  return typeof credential === 'string' ? credential.replace(/^Bearer /i, '') : undefined;
}

/** `gen_ai.provider.name` of the platforms, by what tells their clients apart. */
const PLATFORMS: readonly Platform[] = [
  { provider: 'aws.bedrock', names: /^AnthropicBedrock/, host: /^bedrock[\w-]*\.[\w-]+\.(?:amazonaws\.com|api\.aws)/ },
  {
    provider: 'gcp.vertex_ai',
    names: /^AnthropicVertex/,
    host: /(?:^|-|\.)aiplatform\.(?:[\w-]+\.rep\.)?googleapis\.com$/,
  },
  { provider: 'azure.ai.inference', names: /^AnthropicFoundry/, host: /\.(?:services\.ai|inference\.ai)\.azure\.com$/ },
];

/** The SDK says it itself from 1.x on. */
function providerOf(client: Fields): string | undefined {
  const named = client._genAIProviderName;
  return typeof named === 'string' && named !== 'anthropic' ? named : platformOf(client, PLATFORMS);
}

function isSpan(value: unknown): value is Span {
  return isObject(value) && isCallable(value.setAttribute) && isCallable(value.isRecording) && isCallable(value.end);
}
