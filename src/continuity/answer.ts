import type { Digest } from './digest.ts';
import type { ProducerRef } from './judgement.ts';
import type { Likeness } from './likeness.ts';
import type { Passage } from './passage.ts';

/** One block as it was issued: digests and lengths, never a text or a seal. */
export interface IssuedBlock {
  readonly answer: Answer;
  /** The provider's block type. */
  readonly type: string;
  /** Position among the pieces of its answer. */
  readonly index: number;
  /** Absent: it arrived without one. */
  readonly seal?: Digest;
  readonly sealLikeness?: Likeness;
  /** Absent: the type has no readable text, or it arrived empty. */
  readonly text?: Digest;
  readonly textLikeness?: Likeness;
  readonly passage?: Passage;
  /** False where the stream ended inside the block. */
  readonly complete: boolean;
  /** Model that produced it, as the API names it; a fallback makes several in one answer. */
  readonly model: string;
  /** Number of this block's run of neighbouring reasoning blocks in the answer. */
  readonly run: number;
  /** Before the last hand-over marker of its answer: the provider asks to leave it out. */
  readonly superseded: boolean;
  /** What metrics have counted already (each block once). */
  readonly counted: Counted;
}

/** Bookkeeping for counters that count each block once in its life. */
export interface Counted {
  expected: boolean;
  returned: boolean;
  dropped: boolean;
  released: boolean;
  readonly kinds: Set<string>;
}

/** A piece of an answer beside its reasoning: enough to recognise it when it comes back. */
export interface IssuedPiece {
  readonly kind: 'block' | 'call' | 'text' | 'marker' | 'other';
  /** Of a call: the digest of its id. Of a text: of the trimmed text. Of the rest: of the whole piece. */
  readonly key: Digest;
  readonly block?: IssuedBlock;
  readonly call?: { readonly name: Digest; readonly input: Digest; readonly optional: boolean };
  readonly textLength?: number;
}

/** Persistent lists: steps of one run share their history instead of copying it. */
export interface Chain<T> {
  readonly value: T;
  readonly previous: Chain<T> | undefined;
  readonly length: number;
}

export function extend<T>(previous: Chain<T> | undefined, value: T): Chain<T> {
  return { value, previous, length: (previous?.length ?? 0) + 1 };
}

/** The request that an answer was given to, as digests. */
export interface RequestMark {
  readonly api: string;
  /** As requested, and normalised by the dialect. */
  readonly requestModel: string;
  readonly model: string;
  readonly vendor: string;
  readonly endpoint?: string;
  /** Where on the way it was seen: at the client, or behind a gateway. */
  readonly leg?: string;
  readonly account?: string;
  /** Digest chain over everything sent before the answer. */
  readonly prefix: Digest;
  readonly system: Digest;
  readonly tools: Digest;
  /** Tools that bind only once referenced, by name: those that were. */
  readonly referencedTools: ReadonlyMap<string, Digest>;
  /** Resolved reasoning mode; `on` undefined where it cannot be known. */
  readonly mode?: string;
  readonly reasoningOn?: boolean;
  /** Digest of everything that tunes the reasoning (mode, effort, budget). */
  readonly config: Digest;
  /** Seals sent, in order. */
  readonly seals: Chain<Digest> | undefined;
  /** Answers re-sent, in order. */
  readonly answers: Chain<Answer> | undefined;
  /** Digest of the provider's own summary that the request began with; 0 without one. */
  readonly compaction: Digest;
}

/** One response: what the provider issued, in order. */
export interface Answer {
  readonly id?: string;
  readonly request: RequestMark;
  /** The request's list of seals with those of this answer behind it. */
  readonly sealsAfter: Chain<Digest> | undefined;
  readonly runId: string;
  readonly producer?: ProducerRef;
  readonly pieces: readonly IssuedPiece[];
  readonly blocks: readonly IssuedBlock[];
  /** Model that served it, normalised. */
  readonly model: string;
  readonly complete: boolean;
  /** Its content is to be thrown away by the provider's own rule (a refusal). */
  readonly discardable: boolean;
  /** The provider will go on with it: what follows may be joined to it. */
  readonly unfinished: boolean;
  /** Hand-over marker, where one answer had several producers. */
  readonly markers: number;
  /** Reasoning tokens as reported, and total context tokens before and after the answer. */
  readonly reasoningTokens?: number;
  readonly tokensBefore?: number;
  /** The provider's own summary inside this answer; 0 without one. */
  readonly compaction: Digest;
  /** How many of each kind that belongs to the answer, not to a block, metrics have counted. */
  readonly counted: Map<string, number>;
  /** Prefixes of the requests that went on from here with its blocks: tells a fork from a continuation. */
  readonly continuations: Set<Digest>;
}
