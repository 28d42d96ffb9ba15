import { seeded } from '../seeded.ts';

export interface OrganizationOptions {
  /** Any name; the organization id in headers is derived from it. Default: the API key. */
  readonly id?: string;
  /** Zero data retention: nothing is stored, so nothing can be chained over HTTP. Default false. */
  readonly zdr?: boolean;
}

export interface Organization {
  readonly id: string;
  readonly header: string;
  readonly zdr: boolean;
}

/** Finds the organization that a key belongs to. Keys that `named` does not list all belong to one. */
export function organizationOf(
  seed: string,
  key: string,
  fallback: OrganizationOptions,
  named: Readonly<Record<string, OrganizationOptions>>,
): Organization {
  const own = named[key];
  const id = own ? (own.id ?? key) : (fallback.id ?? 'default');
  const hex = seeded(seed, `openai organization ${id}`).bytes(12).toString('hex');
  return { id, header: `org-${hex}`, zdr: (own ?? fallback).zdr === true };
}

/** A bearer token, or the key header of Azure. */
export function credentialOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['api-key'] || headers.authorization?.replace(/^Bearer\s*/i, '') || undefined;
}
