import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Form } from './carriers.ts';
import type { Member } from './profiles.ts';

export const API = 'openai.chat';

/** What this dialect keeps of a block beside what all do. */
export interface ChatBlock extends IssuedBlock {
  readonly chat: {
    readonly form: Form;
    /** Every member that it was delivered under. */
    readonly members: readonly Member[];
    readonly index: string | undefined;
    readonly format: string | undefined;
    /** Elements that it arrived in. */
    readonly elements: number;
    /** Of a signature: the call that bears it. */
    readonly call: Digest | undefined;
    /** Its maker seals, and this one came without. */
    readonly unsigned: boolean;
  };
}

/** What this dialect keeps of an answer beside what all do. */
export interface ChatAnswer extends Answer {
  readonly chat: {
    /** Profile that its fields point to. */
    readonly signature: string | undefined;
    readonly profile: string;
    /** Who answered behind a router. */
    readonly upstream: string | undefined;
    readonly streamed: boolean;
    /** Last value of each streamed member, digested: what the SDK's own assembler keeps of it. */
    readonly lastValues: ReadonlyMap<string, Digest>;
    /** Readable strings that were delivered beside its blocks, by member: each is a good value of its member. */
    readonly siblings: ReadonlyMap<Member, Digest>;
    /** Members of reasoning that were delivered with nothing in them. */
    readonly empties: readonly Member[];
    /** The first call of a maker that signs it, come without a signature. */
    readonly unsignedCall: Digest | undefined;
    /** In a row, how often what was sent back did not show in the count of input tokens. */
    readonly unread: number;
    readonly outputTokens: number | undefined;
  };
}

export function asChatAnswer(answer: Answer): ChatAnswer | undefined {
  return answer.request.api === API && 'chat' in answer ? (answer as ChatAnswer) : undefined;
}

/** @returns undefined for a block that another API issued. */
export function asChatBlock(block: IssuedBlock): ChatBlock | undefined {
  return block.answer.request.api === API && 'chat' in block ? (block as ChatBlock) : undefined;
}
