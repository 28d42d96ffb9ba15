import fc from 'fast-check';
import { type Block, call, om, red, th, tx } from '../dialects/anthropic-messages/blocks.ts';
import type { Talk } from '../dialects/anthropic-messages/talk.ts';

/** Random conversations: what a model may answer, in any order that the API allows. */

/** One piece of an answer: a thinking block, one with omitted text, a redacted one, visible text, a call. */
export type Piece = 'th' | 'om' | 'red' | 'tx' | 'ok' | 'call';
export type Answer = readonly Piece[];
/** Answers with calls, then one without. */
export interface Turn {
  readonly steps: readonly Answer[];
  readonly last: Answer;
}

const reasoning = fc.constantFrom<Piece>('th', 'om', 'red');
const piece = fc.oneof(
  { weight: 3, arbitrary: reasoning },
  { weight: 2, arbitrary: fc.constantFrom<Piece>('tx', 'call') },
);

/** Interleaving, parallel calls and answers without any thinking all occur. */
export const step: fc.Arbitrary<Answer> = fc
  .array(piece, { minLength: 1, maxLength: 5 })
  .map((pieces) => (pieces.includes('call') ? pieces : [...pieces, 'call' as const]));

/** Ends in text, now and then the same words as others. */
const last: fc.Arbitrary<Answer> = fc
  .tuple(fc.array(reasoning, { maxLength: 3 }), fc.constantFrom<Piece>('tx', 'tx', 'ok'))
  .map(([thinking, text]) => [...thinking, text]);

export const turn: fc.Arbitrary<Turn> = fc.record({ steps: fc.array(step, { maxLength: 3 }), last });

/** What neighbours may have in common: the ids of their calls (unique only within one history), their questions and remarks. */
export interface Habits {
  readonly ids: 'own' | 'common';
  readonly words: 'own' | 'common';
}
export const habits: fc.Arbitrary<Habits> = fc.record({
  ids: fc.constantFrom('own', 'common'),
  words: fc.constantFrom('own', 'common'),
});

/** Writes what one client and its model say. Every block of reasoning has a seal of its own, whoever the neighbours are. */
export class Writer {
  private readonly name: string;
  private readonly habits: Habits;
  private count = 0;
  private calls = 0;
  private readonly blocks: Readonly<Record<Piece, () => Block>> = {
    th: () => th(this.next('think')),
    om: () => om(this.next('omit')),
    red: () => red(this.next('redacted')),
    call: () => call(this.callId(), { key: this.next('key') }),
    ok: () => tx('OK.'),
    tx: () => tx(`A remark ${this.word('remark')} on the state of the work.`),
  };

  constructor(name = 'w', shared: Habits = { ids: 'own', words: 'own' }) {
    this.name = name;
    this.habits = shared;
  }

  private callId(): string {
    if (this.habits.ids === 'own') return this.next('call');
    this.calls += 1;
    return `call_${this.calls}`;
  }

  private word(prefix: string): string {
    return this.habits.words === 'own' ? this.next(prefix) : prefix;
  }

  private next(prefix: string): string {
    this.count += 1;
    return `${prefix}-${this.name}${this.count}`;
  }

  answer(answer: Answer): Block[] {
    return answer.map((kind) => this.blocks[kind]());
  }

  question(): string {
    return `A question ${this.word('question')}: what is to be done next?`;
  }
}

export const callsOf = (content: readonly Block[]): string[] =>
  content.flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : []));

/** Sends, receives, and appends the answer and the results of its calls. */
export function play(talk: Talk, content: readonly Block[]): void {
  talk.answer(...content);
  const calls = callsOf(content);
  if (calls.length > 0) talk.results(...calls);
}

/** One turn from the question to the answer, as a list of acts, so that others can come in between. */
export function acts(talk: Talk, writer: Writer, { steps, last }: Turn): (() => void)[] {
  return [
    () => void talk.user(writer.question()),
    ...steps.map((one) => () => play(talk, writer.answer(one))),
    () => play(talk, writer.answer(last)),
  ];
}

/**
 * Reproducible: the seed is fixed, and fast-check prints it with the path of a counter-example. A longer search:
 * `PROPERTY_SEED=7 PROPERTY_RUNS=20 npx vitest run test/property` runs twenty times as many.
 */
export const bounds = (numRuns: number): { seed: number; numRuns: number } => ({
  seed: Number(process.env.PROPERTY_SEED ?? 20_261_130),
  numRuns: numRuns * Number(process.env.PROPERTY_RUNS ?? 1),
});
