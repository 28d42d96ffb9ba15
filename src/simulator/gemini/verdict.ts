import type { Wire } from '../json.ts';
import type { Fault } from '../script-parts.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import { errorBody, type GeminiFailure } from './api-failure.ts';
import type { SealedThought } from './seal.ts';
import type { Thinking } from './thinking.ts';

export interface Listed {
  readonly path: string;
  readonly reason: string;
}

export interface ShownThought {
  readonly path: string;
  readonly sealed: SealedThought;
}

/** What became of the signatures of a request. */
export interface Returned {
  readonly shown: readonly ShownThought[];
  /** Read, or let through, though not what was issued there. */
  readonly allowed: readonly Listed[];
  /** Not readable, and passed over. */
  readonly dropped: readonly Listed[];
  /** Left out by the API's own rules. */
  readonly stripped: readonly Listed[];
  /** Thinking is off though the turn was begun with it. */
  readonly switchedOff: boolean;
}

export function returnedVerdict(model: string, { mode }: Thinking, returned: Returned): Verdict {
  const { shown, allowed, dropped, stripped, switchedOff } = returned;
  return {
    ...NO_VERDICT,
    model,
    thinking: { mode, silentlyDisabled: switchedOff },
    shown: shown.map(({ path }) => path),
    allowed,
    dropped,
    stripped,
  };
}

export function answeredVerdict(before: Verdict, answer: Wire, stopReason: string, fault: Fault | undefined): Verdict {
  return { ...before, status: 200, stopReason, answer, ...(fault && { fault: fault.kind }) };
}

export function refusedVerdict(refusal: GeminiFailure, before: Verdict = NO_VERDICT): Verdict {
  const { code, status: type, message } = refusal;
  return { ...before, status: code, error: { type, message }, answer: errorBody(refusal) };
}
