import type { ApiName } from '../../../dialects/dialect.ts';
import type { Json } from '../json.ts';

/** A request as the provider is to get it. */
export interface Stripped {
  readonly body: Json;
  /** Pieces of reasoning left out or, where something has to stand in their place, replaced. */
  readonly blocks: number;
  /** Thinking had to be switched off for this request: with it on, the provider refuses a history that lacks reasoning. */
  readonly thinkingOff?: true;
}

/** One tool call, as a request shows it. */
export interface ShownCall {
  readonly id: string;
  /** Absent where only its result is shown. */
  readonly name?: string;
  readonly input?: unknown;
}

/**
 * What an experiment has to know of one API. Nothing is shared but this: what is legal without reasoning is each
 * provider's own affair.
 */
export interface Wire {
  readonly api: ApiName;
  /**
   * Leaves all reasoning out, as a filter in a harness does, so that the provider still takes the request. The body stays
   * as it is; what does not change is in both.
   * @throws ExperimentError where the provider holds the reasoning itself, and nothing can be left out
   */
  strip(body: Json): Stripped;
  /** Calls and results in the history. */
  calls(body: Json): readonly ShownCall[];
}
