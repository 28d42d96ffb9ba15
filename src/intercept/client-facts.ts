import { apiClientVersion } from './google-genai-facts.ts';
import { isCallable, isObject } from './shapes.ts';

type Fields = Record<PropertyKey, unknown>;

/** A platform that serves the models of a vendor, by what tells its clients apart. */
export interface Platform {
  /** `gen_ai.provider.name`. */
  readonly provider: string;
  /** Class of the client. */
  readonly names: RegExp;
  /** Host name, for where a bundler has renamed the class. */
  readonly host: RegExp;
}

/** `gen_ai.provider.name` of the platform behind a client; undefined where it is none of these. */
export function platformOf(client: Fields, platforms: readonly Platform[]): string | undefined {
  const names = classNames(client);
  const { baseURL } = client;
  const host = typeof baseURL === 'string' && URL.canParse(baseURL) ? new URL(baseURL).hostname : '';
  return platforms.find(
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

/** Off the user agent, which every client that Stainless generates builds as `…/JS 1.14.0`, and Google's otherwise. */
export function sdkVersionOf(client: Fields): string | undefined {
  const { getUserAgent, apiClient } = client;
  if (isObject(apiClient)) return apiClientVersion(apiClient);
  if (!isCallable(getUserAgent)) return undefined;
  const agent = Reflect.apply(getUserAgent, client, []);
  return typeof agent === 'string' ? /\/JS (\d\S*)/.exec(agent)?.[1] : undefined;
}
