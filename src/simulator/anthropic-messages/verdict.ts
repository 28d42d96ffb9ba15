import type { Wire } from '../json.ts';
import type { DropReason } from './binding.ts';
import type { Evaluated } from './evaluate.ts';
import type { StripReason } from './view.ts';

/** What the simulator made of a request: the truth that an observer's judgement can be checked against. */
export interface Verdict {
  readonly status: number;
  readonly error?: { readonly type: string; readonly message: string };
  /** The model that answered. */
  readonly model?: string;
  readonly thinking?: { readonly mode: string; readonly silentlyDisabled: boolean };
  /** Paths of the reasoning blocks that the model was shown. */
  readonly shown: readonly string[];
  /** Blocks taken out because a check failed, reported or not. */
  readonly dropped: readonly { readonly path: string; readonly reason: DropReason }[];
  /** Blocks that failed the prefix check and were shown all the same (old accounts). */
  readonly allowed: readonly { readonly path: string; readonly reason: DropReason }[];
  /** Blocks that the server leaves out by its own rules. */
  readonly stripped: readonly { readonly path: string; readonly reason: StripReason }[];
  readonly stopReason?: string;
  /** The fault that a script asked for. */
  readonly fault?: string;
  /** Of a batch: one verdict for each item, in order. */
  readonly items?: readonly Verdict[];
  /** What was answered: the message, count, batch or error, as one JSON value. */
  readonly answer?: unknown;
}

export const NO_VERDICT: Verdict = { status: 0, shown: [], dropped: [], allowed: [], stripped: [] };

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
