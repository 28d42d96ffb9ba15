import type { ApiName } from '../dialects/dialect.ts';

/** Where a client sends to. */
export interface Target {
  readonly address: string;
  readonly port: number;
  /** Host, with a port that is not the scheme's own; absent for the vendor's own host. */
  readonly endpoint?: string;
  /** Where a host has several ways in, they differ in the path. It can hold secrets: read at once, never kept. */
  readonly path: string;
}

/** Of Vertex AI every region, and group of regions, has a host of its own. */
const GOOGLE = /^(?:generativelanguage|(?:[\w-]+-)?aiplatform|aiplatform\.[\w-]+\.rep)\.googleapis\.com$/;

/** Hosts of the vendors themselves: without an endpoint label, a request is judged by the vendor's own rules. */
const VENDOR_HOSTS: Readonly<Partial<Record<ApiName, RegExp>>> = {
  'anthropic.messages': /^api\.anthropic\.com$/,
  'gemini.generateContent': GOOGLE,
  'gemini.interactions': GOOGLE,
};

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Reads a base URL. Query and user part are left out: they can hold secrets. undefined where it is no URL. */
export function targetOf(api: ApiName, baseURL: string | undefined): Target | undefined {
  if (baseURL === undefined || !URL.canParse(baseURL)) return undefined;
  const url = new URL(baseURL);
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (url.hostname === '' || port === undefined) return undefined;
  const isVendor = VENDOR_HOSTS[api]?.test(url.host) ?? false;
  return { address: url.hostname, port, path: url.pathname, ...(isVendor ? undefined : { endpoint: url.host }) };
}
