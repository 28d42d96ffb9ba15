import type { Wire } from '../json.ts';
import type { Verdict } from '../verdict.ts';
import type { Evaluated } from './evaluate.ts';

/** What is known before the model answers. */
export function evaluatedVerdict({ binding, view, configured, silentlyDisabled }: Evaluated): Verdict {
  const of = (type: string) =>
    binding.transformations.filter((entry) => entry.type === type).map(({ path, reason }) => ({ path, reason }));
  return {
    status: 0,
    thinking: { mode: configured.mode, silentlyDisabled },
    shown: view.shown.map(({ placed }) => placed.path),
    dropped: of('thinking_dropped'),
    allowed: of('thinking_mismatch_allowed'),
    stripped: view.stripped,
  };
}

export function answeredVerdict(evaluated: Evaluated, message: Wire): Verdict {
  return {
    ...evaluatedVerdict(evaluated),
    status: 200,
    model: String(message.model),
    stopReason: String(message.stop_reason),
    answer: message,
  };
}
