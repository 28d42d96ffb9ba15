import type { Wire } from '../json.ts';
import type { ApiFailure } from '../openai/api-failure.ts';
import type { Fault } from '../script-parts.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import type { ChatRequest } from './request.ts';
import type { Returned } from './returned.ts';

export function returnedVerdict({ model, mode }: ChatRequest, returned: Returned): Verdict {
  const { shown, dropped, allowed, stripped, switchedOff } = returned;
  return {
    ...NO_VERDICT,
    model,
    thinking: { mode, silentlyDisabled: switchedOff },
    shown: shown.map(({ path }) => path),
    dropped,
    allowed,
    stripped,
  };
}

export function answeredVerdict(
  request: ChatRequest,
  returned: Returned,
  completion: Wire,
  finishReason: string,
  fault: Fault | undefined,
): Verdict {
  return {
    ...returnedVerdict(request, returned),
    status: 200,
    stopReason: finishReason,
    answer: completion,
    ...(fault && { fault: fault.kind }),
  };
}

/** The refusal itself; a gateway may put it into an envelope and another status. */
export function refusedVerdict(
  { status, code, type, message }: ApiFailure,
  answer: Wire,
  before: Verdict = NO_VERDICT,
): Verdict {
  return { ...before, status, error: { type: code ?? type, message }, answer };
}
