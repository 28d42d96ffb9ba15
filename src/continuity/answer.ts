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
  /** Further values that the provider gave for the same seal: all of them are good. */
  readonly otherSeals?: readonly Digest[];
  /** Values that a stream showed before the block was finished: none of them is. */
  readonly partialSeals?: readonly Digest[];
  /** The provider's own id of the block, where it has one. */
  readonly id?: Digest;
  /** Absent: the type has no readable text, or it arrived empty. */
  readonly text?: Digest;
  readonly textLikeness?: Likeness;
  /** Digest of the text without its white space, for one that comes back as something else. */
  readonly squeezedText?: Digest;
  readonly passage?: Passage;
  /** Of a summary, where the provider can check the block without it. */
  readonly summary?: Digest;
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
  /** The provider refused it, and the client went on without it: not owed any more. */
  givenUp?: boolean;
  /** It was refused by the very target that made it, so that nobody reads it any more. */
  givenUpAtHome?: boolean;
}

/** A piece of an answer beside its reasoning: enough to recognise it when it comes back. */
export interface IssuedPiece {
  readonly kind: 'block' | 'call' | 'text' | 'marker' | 'other';
  /** Of a call: the digest of its id. Of a text: of the trimmed text. Of the rest: of the whole piece. */
  readonly key: Digest;
  readonly block?: IssuedBlock;
  readonly call?: {
    readonly name: Digest;
    readonly input: Digest;
    readonly optional: boolean;
    readonly async?: boolean;
  };
  /** The provider's own id of the piece, where it has one. */
  readonly id?: Digest;
  /** What it adds to the prefix of what comes after it, for APIs that let a client name a piece instead of sending it. */
  readonly part?: Digest;
  /** A label that has to come back with it. */
  readonly label?: string;
  readonly textLength?: number;
  /** Of a text, for APIs whose clients may join neighbouring ones. */
  readonly passage?: Passage;
  /** Of a text: to know it again where it was changed. */
  readonly textLikeness?: Likeness;
  /** Digest of the text without its white space, for one that comes back as something else. */
  readonly squeezedText?: Digest;
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
  /** Stands for credentials of which the account is not known. */
  readonly key?: string;
  /** Digest chain over everything sent before the answer. */
  readonly prefix: Digest;
  /** Digest of the message just before the answer, and how many messages were sent. */
  readonly lastMessage?: Digest;
  readonly messageCount?: number;
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
  /** Route (host, resource) outside which its seals are not readable, where the API ties them to one. */
  readonly route?: string;
  /** Digest chain over what user and model said before the answer, calls and reasoning left aside. */
  readonly spoken?: Digest;
  /** Digest of further settings that the provider ties reasoning to. */
  readonly binding?: Digest;
  /** Digest of the end user's id. */
  readonly user?: Digest;
  /** Whether the provider keeps the answer, so that it can be named instead of sent. */
  readonly stored?: boolean;
  /** Key of the conversation that the provider adds the answer to. */
  readonly conversation?: Digest;
  /** Ids of the calls that the request gave results for. */
  readonly answered?: ReadonlySet<Digest>;
}

/** Where a conversation stands behind an answer, for requests that send only what is new. */
export interface Standing {
  readonly prefix: Digest;
  /** As in the mark of a request. */
  readonly spoken?: Digest;
  /** Answers of the turn that is going on, the last one included. */
  readonly turnAnswers: number;
  readonly open: boolean;
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Effort that an item of the history has set. */
  readonly effort?: string;
}

/** One response: what the provider issued, in order. */
export interface Answer {
  readonly id?: string;
  /** Digest of the id, for APIs where a request can name the answer that it follows. */
  readonly key?: Digest;
  readonly request: RequestMark;
  readonly after?: Standing;
  /** Which turns' reasoning the model was shown, as the provider reported it. */
  readonly context?: string;
  /** The request's list of seals with those of this answer behind it. */
  readonly sealsAfter: Chain<Digest> | undefined;
  readonly runId: string;
  readonly producer?: ProducerRef;
  readonly pieces: readonly IssuedPiece[];
  /** Digest of all its text in one, white space aside: harnesses that know one string a message send that. */
  readonly joinedText?: Digest;
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
