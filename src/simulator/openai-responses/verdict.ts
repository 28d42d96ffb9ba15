import type { Wire } from '../json.ts';
import { type ApiFailure, errorBody } from '../openai/api-failure.ts';
import { NO_VERDICT, type Verdict } from '../verdict.ts';
import type { Answered, Refused } from './answer.ts';
import type { Evaluated } from './evaluate.ts';

/** What is known before the model answers. */
export function evaluatedVerdict({ binding, config, request }: Evaluated): Verdict {
  const planned = binding.removed.filter(({ reason }) => reason === 'turn_boundary');
  const failed = binding.removed.filter(({ reason }) => reason !== 'turn_boundary');
  const listed = (entries: readonly { placed: { path: string }; reason: string }[]) =>
    entries.map(({ placed, reason }) => ({ path: placed.path, reason }));
  return {
    ...NO_VERDICT,
    model: request.model.id,
    thinking: { mode: config.effort, silentlyDisabled: false },
    shown: binding.shown.map(({ placed }) => placed.path),
    dropped: listed(failed),
    stripped: listed([...binding.passedOver, ...planned]),
  };
}

export function answeredVerdict({ evaluated, response, fault }: Answered): Verdict {
  const { incomplete_details: details } = response;
  const reason = typeof details === 'object' && details !== null && 'reason' in details ? details.reason : undefined;
  return {
    ...evaluatedVerdict(evaluated),
    status: 200,
    stopReason: String(reason ?? response.status),
    answer: response,
    ...(fault && { fault: fault.kind }),
  };
}

export function refusedVerdict({ refusal, evaluated, fault }: Refused): Verdict {
  return {
    ...(evaluated ? evaluatedVerdict(evaluated) : NO_VERDICT),
    status: refusal.status,
    error: errorOf(refusal),
    answer: errorBody(refusal),
    ...(fault && { fault: fault.kind }),
  };
}

function errorOf({ code, type, message }: ApiFailure): { type: string; message: string } {
  return { type: code ?? type, message };
}

/** A request that has no reasoning in it: looked up, listed, deleted. */
export function plainVerdict(status: number, answer: Wire): Verdict {
  return { ...NO_VERDICT, status, answer };
}
