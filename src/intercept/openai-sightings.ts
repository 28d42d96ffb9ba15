import { guard } from '../observe/guard.ts';
import { type Platform, platformOf, sdkVersionOf } from './client-facts.ts';
import { requestHeader } from './request-header.ts';
import { isCallable, isObject, isThenable } from './shapes.ts';
import type { Sighting } from './target.ts';

type Fields = Record<PropertyKey, unknown>;

/** Body and options of a call, as far as they are known when it is handed on. */
interface Handed {
  readonly body: unknown;
  readonly stream: boolean;
  readonly options: Fields;
}

/** Chat Completions: the body is the first argument, as it is. */
export function seeChat(client: Fields, options: Fields, args: readonly unknown[]): Sighting {
  const call = handed(options, args);
  const helper = guard('reading the helper of a call', () => helperOf(call.options));
  return {
    api: 'openai.chat',
    ...sightingOf(client, call),
    ...(helper !== undefined && { headers: { [HELPER_HEADER]: helper } }),
  };
}

/** @param bodyOf makes the body of the params, where they are not the same. */
export function seeResponse(bodyOf?: (params: unknown) => unknown) {
  return (client: Fields, options: Fields, args: readonly unknown[]): Sighting => {
    const call = handed(options, args, bodyOf);
    const betas = guard('reading the beta header', () => betaHeader(client, call.options, args[0]));
    return {
      api: 'openai.responses',
      ...sightingOf(client, call),
      ...(betas !== undefined && { headers: { [BETA_HEADER]: betas } }),
    };
  };
}

/** A response that is fetched by its id: no model is asked, but what a background response gave is here only. */
export function seeFetch(client: Fields, options: Fields, args: readonly unknown[]): Sighting {
  const [id, query, own] = args;
  // The SDK takes request options in the place of the query too.
  const given = isThenable(options) ? { ...copyOf(query), ...copyOf(own) } : options;
  const call = { body: undefined, stream: given.stream === true, options: given };
  return {
    api: 'openai.responses',
    ...sightingOf(client, call),
    ...(typeof id === 'string' && { fetches: id }),
  };
}

/** The beta resources take `betas` among the params and send it as a header. */
export function betaBody(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { betas: _, ...body } = params;
  return body;
}

/**
 * From openai 7 on the options are a promise when they are handed on, and the arguments are all there is to read.
 * Options can replace the body in every version.
 */
function handed(options: Fields, args: readonly unknown[], bodyOf = (params: unknown) => params): Handed {
  if (!isThenable(options)) return { body: options.body, stream: options.stream === true, options };
  const own = copyOf(args[1]);
  const body = 'body' in own ? own.body : bodyOf(args[0]);
  return { body, stream: isObject(body) && body.stream === true, options: own };
}

/** The SDK spreads request options: what it sees of them. Less their getters, which are its own to call. */
function copyOf(options: unknown): Fields {
  const copy: Fields = {};
  if (!isObject(options) || isThenable(options)) return copy;
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(options))) {
    if (property.enumerable && 'value' in property) copy[key] = property.value;
  }
  return copy;
}

function sightingOf(client: Fields, { body, stream, options }: Handed): Omit<Sighting, 'api'> {
  return {
    body,
    stream,
    ...clientFacts(client, options),
    ...(options.signal instanceof AbortSignal && { signal: options.signal }),
  };
}

/** What holds for every call of a client. */
export function clientFacts(
  client: Fields,
  options: Fields = {},
): Pick<Sighting, 'baseURL' | 'provider' | 'sdkVersion' | 'credential' | 'organization'> {
  const provider = guard('telling the platform of a client', () => providerOf(client));
  const sdkVersion = guard('reading the version of the SDK', () => sdkVersionOf(client));
  return {
    credential: () => credentialOf(client, options),
    organization: () => organizationOf(client, options),
    ...(typeof client.baseURL === 'string' && { baseURL: client.baseURL }),
    ...(provider !== undefined && { provider }),
    ...(sdkVersion !== undefined && { sdkVersion }),
  };
}

const HELPER_HEADER = 'x-stainless-helper-method';

/** A helper of the SDK (`runTools`, `stream`) names itself in a header, which from openai 7 on is made of the metadata. */
function helperOf({ headers, __metadata: metadata }: Fields): string | undefined {
  const named = isObject(metadata) ? metadata.helperMethod : undefined;
  return requestHeader(headers, HELPER_HEADER) ?? (typeof named === 'string' ? named : undefined);
}

const BETA_HEADER = 'openai-beta';

/** `create` turns the param into the header; a header of the request replaces it, and the client's stands behind both. */
function betaHeader(client: Fields, options: Fields, params: unknown): string | undefined {
  const own = requestHeader(options.headers, BETA_HEADER);
  if (own !== undefined) return own ?? undefined;
  if (isObject(params) && Array.isArray(params.betas)) return params.betas.join(',');
  const defaults = isObject(client._options) ? client._options.defaultHeaders : undefined;
  return requestHeader(defaults, BETA_HEADER) ?? undefined;
}

/** What a client without a key of its own holds in the place of one, up to openai 4. */
const NO_KEY = '<Missing Key>';

/** The account: every seal is bound to the organization, whichever of its keys is used. */
function organizationOf(client: Fields, options: Fields): string | undefined {
  const candidates = [requestHeader(options.headers, 'openai-organization'), client.organization];
  return candidates.find((one) => typeof one === 'string' && one !== '') as string | undefined;
}

/** The key. A token that a function brings is another one every hour, and stands for nobody. */
function credentialOf(client: Fields, options: Fields): string | undefined {
  const header = (name: string) => requestHeader(options.headers, name);
  const rotates = isObject(client._options) && isCallable(client._options.apiKey);
  const candidates = [
    header('authorization'),
    header('api-key'),
    rotates || isObject(client._workloadIdentityAuth) ? undefined : client.apiKey,
  ];
  const found = candidates.find((one) => typeof one === 'string' && one !== '' && one !== NO_KEY);
  // A key is the same key where it is sent as a bearer token.
  return typeof found === 'string' ? found.replace(/^Bearer /i, '') : undefined;
}

/** `gen_ai.provider.name` of the platforms, by what tells their clients apart. */
const PLATFORMS: readonly Platform[] = [
  {
    provider: 'azure.ai.openai',
    names: /^AzureOpenAI/,
    host: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/,
  },
  { provider: 'aws.bedrock', names: /^BedrockOpenAI/, host: /^bedrock[\w-]*\.[\w-]+\.(?:amazonaws\.com|api\.aws)/ },
  {
    provider: 'gcp.vertex_ai',
    names: /^VertexOpenAI/,
    host: /(?:^|-|\.)aiplatform\.(?:[\w-]+\.rep\.)?googleapis\.com$/,
  },
];

/** The names that the option `provider` of a client takes from 6.x on. */
const PROVIDERS: Readonly<Record<string, string>> = { bedrock: 'aws.bedrock', vertex: 'gcp.vertex_ai' };

function providerOf(client: Fields): string | undefined {
  const named = isObject(client._provider) ? client._provider.name : undefined;
  return (typeof named === 'string' ? PROVIDERS[named] : undefined) ?? platformOf(client, PLATFORMS);
}
