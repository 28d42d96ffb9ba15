import { seeded } from '../seeded.ts';

/** From this moment on an account is new: a failed prefix check is refused unless the request says otherwise. */
const NEW_ACCOUNT_SINCE = Date.parse('2026-08-31T00:00:00Z');

export interface AccountOptions {
  /** Any name; the organization id in answers is derived from it. Default: the API key. */
  readonly id?: string;
  /** `new` (the default) and `old` lie on either side of 2026-08-31. */
  readonly age?: 'new' | 'old' | Date;
  /** Ids of accounts whose blocks this one may read as its own. */
  readonly linked?: readonly string[];
}

export interface Account {
  readonly id: string;
  readonly organizationId: string;
  readonly isNew: boolean;
  readonly linked: readonly string[];
}

export function makeAccount(seed: string, key: string, options: AccountOptions): Account {
  const id = options.id ?? key;
  const age = options.age ?? 'new';
  const hex = seeded(seed, `organization ${id}`).bytes(16).toString('hex');
  return {
    id,
    organizationId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    isNew: age instanceof Date ? age.getTime() >= NEW_ACCOUNT_SINCE : age === 'new',
    linked: options.linked ?? [],
  };
}

/** The key a request was sent with: an API key, a bearer token, or the access key of an AWS signature. */
export function credentialOf(headers: Readonly<Record<string, string>>): string | undefined {
  const apiKey = headers['x-api-key'];
  if (apiKey) return apiKey;
  const authorization = headers.authorization ?? '';
  const aws = /Credential=([^/,\s]+)/.exec(authorization)?.[1];
  return aws ?? (authorization.replace(/^Bearer\s+/i, '') || undefined);
}
