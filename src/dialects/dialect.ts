import type { Judgement, ProducerRef } from '../continuity/judgement.ts';
import type { Ledger } from '../continuity/ledger.ts';

/** The names of the provider APIs, as in the audit format. */
export type ApiName =
  | 'anthropic.messages'
  | 'openai.responses'
  | 'openai.chat'
  | 'gemini.generateContent'
  | 'gemini.interactions'
  | 'bedrock.converse';

/** One request, as the application handed it over. Objects are read, never kept strongly and never changed. */
export interface RequestInput {
  /** The JSON body, as an object. */
  readonly body: unknown;
  /** Lower-case names; only what a dialect may need (`anthropic-beta`). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Host or label of the target; absent means the vendor's own. */
  readonly endpoint?: string;
  /** Path of the base URL, where it is known beside the host. It can hold secrets: read at once, never kept. */
  readonly path?: string;
  /** Keyed digest that stands for the account behind the credentials, never the credentials. */
  readonly account?: string;
  /** Keyed digest of the credentials, where several can be of one account. */
  readonly key?: string;
  /** `gateway`: seen at a gateway's egress rather than at the client. */
  readonly leg?: string;
  /** `gen_ai.provider.name` where the client class fixes it (`aws.bedrock`, `gcp.vertex_ai`). */
  readonly provider?: string;
  /** Absent where the application put the history together. */
  readonly keeper?: HistoryKeeper;
  /** The SDK knows no seals, and takes them off whatever goes in or out. */
  readonly losesSeals?: boolean;
  /** Set by `withRun({ expectReasoning })`: overrides the configuration. */
  readonly expectReasoning?: boolean;
  /** Run id that the surrounding `withRun` fixed. */
  readonly runId?: string;
  /** Set inside the stripped arm of an experiment. */
  readonly experimentArm?: string;
}

/** A helper of the SDK that keeps a conversation, and puts the history of each request together from it. */
export interface HistoryKeeper {
  /** How many messages at the beginning of the history the application gave it. */
  readonly given: number;
  /** The newest answer of the conversation, as the dialect left it here for the next request. */
  newest?: unknown;
}

/** What the GenAI conventions want to know of a call; every value content-free. Filled as the call goes on. */
export interface CallFacts {
  readonly provider: string;
  readonly operation: string;
  readonly requestModel: string;
  readonly stream: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stopSequences?: number;
  readonly reasoningLevel?: string;
  readonly responseId?: string;
  readonly responseModel?: string;
  readonly finishReasons?: readonly string[];
  readonly usage?: {
    /** All input, cached included. */
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
    readonly reasoning?: number;
  };
  readonly compacted?: boolean;
}

/** A refusal or failure, `message` already reduced to what the dialect's error table matches. */
export interface CallError {
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
  /** Read by the error table at once, never kept. */
  readonly message?: string;
  /** Upstream that a router names as the one that refused. */
  readonly provider?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a call came to its end. `raw`: the caller took the HTTP response; `unread`: a stream nobody read. */
export type CallEnd = 'completed' | 'failed' | 'aborted' | 'unread' | 'raw';

/** One call in the hands of a dialect, from request to end. */
export interface DialectCall {
  /** Facts known so far. */
  facts(): CallFacts;
  /** The judgement so far: of the request alone until a response or error has arrived. Cheap to repeat. */
  judgement(): Judgement;
  /** One raw event of the response stream, as the API sent it. */
  event(event: unknown): void;
  /** A whole response. */
  response(message: unknown): void;
  error(error: CallError): void;
  /** Ends the call once, records what was issued in the ledger, and returns the last judgement. */
  close(end: CallEnd): Judgement;
}

/** A stored response that comes in once more. No model is asked for it, so nothing is judged. */
export interface FetchedAnswer extends Pick<DialectCall, 'event' | 'response'> {
  /** Ends it once, and records what was issued in the ledger. */
  close(end: CallEnd): void;
}

/** One provider API. Dialects share no rules: this is only how a call is handed to them. */
export interface Dialect {
  readonly api: ApiName;
  /**
   * Reads a request synchronously and matches it against the ledger.
   * @param producer Where the step stands in its trace. The caller fills it in when `open` has returned, since the span
   *   is started with what was read here: keep the object and read it at `close`.
   * @returns undefined where the body is not of this API's shape: then nothing is said about the call.
   */
  open(request: RequestInput, ledger: Ledger, producer?: ProducerRef): DialectCall | undefined;
  /**
   * Reads a response that is fetched by its id, where an earlier call was only promised it.
   * @returns undefined where nothing is expected of it. Absent: the API has no such thing.
   */
  fetch?(id: string, ledger: Ledger): FetchedAnswer | undefined;
  /** Whether an event of the stream carries output: the first that does ends the time to first chunk. Absent: all do. */
  isChunk?(event: unknown): boolean;
}
