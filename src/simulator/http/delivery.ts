/** A place in a stream: the n-th (from 1) event, or delta, of that name. `signature_delta` names a delta. */
export interface StreamPlace {
  readonly event: string;
  readonly nth?: number;
  readonly when?: 'before' | 'after';
}

/** How an answer goes wrong on the way. Everything before the place is delivered as it should be. */
export type Delivery =
  /** The connection is destroyed: at a place in a stream, half-way through a JSON body, or before any byte. */
  | { readonly kind: 'cut'; readonly at?: StreamPlace; readonly beforeHeaders?: boolean }
  /** An `error` event in the stream, then its end. */
  | { readonly kind: 'error_event'; readonly type: string; readonly message: string; readonly at: StreamPlace }
  /** An event whose data is not JSON, then the rest. */
  | { readonly kind: 'malformed'; readonly at: StreamPlace }
  /** Events split into pieces of `bytes` with `ms` between them. */
  | { readonly kind: 'slow'; readonly ms: number; readonly bytes?: number }
  /** No answer at all for `ms`, then the answer. */
  | { readonly kind: 'late'; readonly ms: number };
