import { guard } from '../observe/guard.ts';
import { requestHeader } from './request-header.ts';
import { isCallable, isObject } from './shapes.ts';
import type { Sighting } from './target.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * What holds for every call of a `GoogleGenAI`, off the `ApiClient` behind it, which its models, its chats and its
 * interactions share.
 * @param httpOptions of the one request: its base URL and its headers replace the client's
 */
export function apiClientFacts(
  apiClient: Fields,
  httpOptions?: unknown,
): Pick<Sighting, 'baseURL' | 'provider' | 'credential' | 'sdkVersion'> {
  const own = isObject(httpOptions) ? httpOptions : {};
  const ask = (method: string): unknown => guard('asking a client', () => answerOf(apiClient, method));
  const isVertex = ask('isVertexAI') === true;
  const baseURL = typeof own.baseUrl === 'string' ? own.baseUrl : ask('getBaseUrl');
  const sdkVersion = guard('reading the version of the SDK', () => apiClientVersion(apiClient));
  return {
    // The two speak one dialect, and seals of the one are foreign to the other, whatever proxy stands between.
    provider: isVertex ? 'gcp.vertex_ai' : 'gcp.gemini',
    credential: () => credentialOf(apiClient, own.headers, isVertex),
    ...(typeof baseURL === 'string' && { baseURL }),
    ...(sdkVersion !== undefined && { sdkVersion }),
  };
}

/** Off the user agent that the client sends: `google-genai-sdk/3.3.0 gl-node/v24.1.0`. */
export function apiClientVersion(apiClient: Fields): string | undefined {
  const options = isObject(apiClient.clientOptions) ? apiClient.clientOptions.httpOptions : undefined;
  const agent = requestHeader(isObject(options) ? options.headers : undefined, 'user-agent');
  return /\bgoogle-genai-sdk\/(\d\S*)/.exec(agent ?? '')?.[1];
}

/** A project of Vertex AI is the account, whoever calls on its behalf; elsewhere the key stands for it. */
function credentialOf(apiClient: Fields, headers: unknown, isVertex: boolean): string | undefined {
  const candidates = [
    requestHeader(headers, 'x-goog-api-key'),
    isVertex ? answerOf(apiClient, 'getProject') : undefined,
    answerOf(apiClient, 'getApiKey'),
  ];
  return candidates.find((one): one is string => typeof one === 'string' && one !== '');
}

function answerOf(apiClient: Fields, method: string): unknown {
  const asked = apiClient[method];
  return isCallable(asked) ? Reflect.apply(asked, apiClient, []) : undefined;
}
