import type { Answer } from '../../continuity/answer.ts';
import { type Digest, digest } from '../../continuity/digest.ts';

/** Who stood behind a router when it gave an answer. */
const upstreams = new WeakMap<Answer, Digest>();

/** Keeps the upstream that an answer names as its maker (`provider`, as OpenRouter has it beside `model`). */
export function rememberUpstream(answer: Answer, provider: string | undefined): void {
  if (provider !== undefined && !upstreams.has(answer)) upstreams.set(answer, digest(provider.toLowerCase()));
}

/** The router has sent a later request to somebody else, through no fault of the client. */
export function isRerouted(answer: Answer, provider: string | undefined): boolean {
  const before = upstreams.get(answer);
  return before !== undefined && provider !== undefined && before !== digest(provider.toLowerCase());
}
