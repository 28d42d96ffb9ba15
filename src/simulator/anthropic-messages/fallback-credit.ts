import { isWire, type Wire } from '../json.ts';
import { seeded } from '../seeded.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { BETAS } from './betas.ts';
import type { MessagesRequest } from './request.ts';

/** What a refusal gives for a retry on another model. */
export interface Credit {
  readonly token: string;
  /** Whether the partial text may be sent back as the beginning of the answer. */
  readonly continues: boolean;
}

/**
 * Tokens that a refusal hands out to a caller who falls back by itself. Only their being known, young and of the same
 * account is checked; prices are not simulated.
 * https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback
 */
export interface FallbackCredits {
  /** Undefined unless the request asked for tokens. */
  mint(request: MessagesRequest, content: readonly Wire[]): Credit | undefined;
  check(request: MessagesRequest): ApiFailure | undefined;
  /** Whether the request may end on the model's own partial text. */
  allowsPrefill(request: MessagesRequest): boolean;
}

const LIFETIME_MS = 5 * 60_000;

export function createFallbackCredits(seed: string, now: () => number): FallbackCredits {
  const credits = new Map<string, { account: string; continues: boolean; expires: number }>();
  const find = ({ body, account }: MessagesRequest) => {
    const known = credits.get(tokenOf(body.fallback_credit_token) ?? '');
    return known && known.account === account.id && known.expires > now() ? known : undefined;
  };
  return {
    mint({ betas, account }, content) {
      if (!betas.has(BETAS.fallbackCredit) && !betas.has(BETAS.fallbackCreditJune)) return undefined;
      const token = seeded(seed, `credit ${credits.size}`).id('fct_01');
      const continues = content.some(({ type }) => type === 'text');
      credits.set(token, { account: account.id, continues, expires: now() + LIFETIME_MS });
      return { token, continues };
    },
    check(request) {
      const given = request.body.fallback_credit_token;
      if (given == null || find(request)) return undefined;
      const lenient = isWire(given) && given.mode === 'best_effort';
      return lenient ? undefined : invalid('fallback_credit_token: unknown or expired');
    },
    allowsPrefill: (request) => find(request)?.continues === true,
  };
}

function tokenOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return isWire(given) && typeof given.token === 'string' ? given.token : undefined;
}
