/** What the simulator made of a request: the truth that an observer's judgement can be checked against. */
export interface Verdict {
  readonly status: number;
  readonly error?: { readonly type: string; readonly message: string };
  /** The model that answered. */
  readonly model?: string;
  /** How the request was resolved: a mode, on OpenAI an effort. */
  readonly thinking?: { readonly mode: string; readonly silentlyDisabled: boolean };
  /** Paths of the reasoning blocks that the model was shown. */
  readonly shown: readonly string[];
  /** Blocks taken out because a check failed, reported or not. */
  readonly dropped: readonly { readonly path: string; readonly reason: string }[];
  /** Blocks that failed a check, or are not what was issued, and were shown all the same. */
  readonly allowed: readonly { readonly path: string; readonly reason: string }[];
  /** Blocks that the server leaves out by its own rules. */
  readonly stripped: readonly { readonly path: string; readonly reason: string }[];
  readonly stopReason?: string;
  /** The fault that a script asked for. */
  readonly fault?: string;
  /** Of a batch: one verdict for each item, in order. */
  readonly items?: readonly Verdict[];
  /** What was answered: the message, count, batch or error, as one JSON value. */
  readonly answer?: unknown;
}

export const NO_VERDICT: Verdict = { status: 0, shown: [], dropped: [], allowed: [], stripped: [] };
