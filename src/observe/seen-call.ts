import type { Span } from '@opentelemetry/api';
import type { ApiName, CallEnd, CallError, HistoryKeeper } from '../dialects/dialect.ts';

/** What interception knows of a call at the moment at which the SDK hands it on. */
export interface SeenCall {
  readonly api: ApiName;
  /** The body object as the SDK is about to send it. Read only. */
  readonly body: unknown;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Base URL of the client. */
  readonly baseURL?: string;
  /** `gen_ai.provider.name` where the client class fixes it. */
  readonly provider?: string;
  /** Reads the credential so that it can be digested at once; never called unless needed, never kept. */
  readonly credential?: () => string | undefined;
  /** Reads the name of the account itself, in the same way. Present: several credentials can be of one account. */
  readonly organization?: () => string | undefined;
  /** Header of an answer that names the account, where a credential does not say whether it is of the same one as another. */
  readonly accountHeader?: string;
  readonly stream: boolean;
  /** Absent where the application put the history together. */
  readonly keeper?: HistoryKeeper;
  /** The SDK knows no seals, and takes them off whatever goes in or out. */
  readonly losesSeals?: boolean;
  /** Id of the stored response that the call fetches again; absent where it asks a model. `body` is undefined then. */
  readonly fetches?: string;
  readonly sdk: { readonly name: string; readonly version?: string };
  /** The span that the SDK itself made for this call, still recording. */
  readonly nativeSpan?: Span;
  /** True when the client was handed to `instrumentClient`. */
  readonly manual: boolean;
}

/** Interception's end of one call. Every method is guarded: none throws, none returns a promise. */
export interface CallObserver {
  /**
   * Strict mode: the call has to fail with this error, in the way in which the SDK's own errors reach the application, and
   * nothing may be sent. The one way through the guard.
   */
  readonly refusal?: Error;
  /** Runs the SDK's own hand-over with our span active, where we made one. Returns what `fn` returns. */
  run<T>(fn: () => T): T;
  /** Status and headers, as soon as they are known (once an attempt). */
  headers(status: number, get: (name: string) => string | null | undefined): void;
  event(event: unknown): void;
  response(value: unknown): void;
  error(error: CallError, cause: unknown): void;
  /** The first call of `end` wins; later ones do nothing. */
  end(how: CallEnd): void;
}

/** Starts observing a call; undefined when switched off or when the call is of no interest. */
export type ObserveCall = (seen: SeenCall) => CallObserver | undefined;
