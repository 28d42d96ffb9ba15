import { LRUCache } from 'lru-cache';

/** Accounts by credential, both as keyed digests, as the answers of a provider named them. */
export interface KnownAccounts {
  learn(credential: string, account: string): void;
  of(credential: string): string | undefined;
}

/** Credentials are rotated, and several may be in use at once: those of one account must not pass for two. */
export function createKnownAccounts(max = 1_000): KnownAccounts {
  const accounts = new LRUCache<string, string>({ max });
  return {
    learn: (credential, account) => void accounts.set(credential, account),
    of: (credential) => accounts.get(credential),
  };
}
