import type { Ledger } from '../../continuity/ledger.ts';
import type { Remark } from '../../continuity/vocabulary.ts';
import { asChatAnswer, type ChatAnswer } from './issued.ts';
import type { Draft } from './judge.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response, UsageFacts } from './read-response.ts';
import type { Rule } from './rules.ts';
import type { Turns } from './turns.ts';

export interface Step {
  readonly facts: RequestFacts;
  readonly turns: Turns;
  readonly rule: Rule;
  readonly draft: Draft;
  readonly response: Response;
  readonly answer: ChatAnswer;
  /** Class of the refusal that the same request met before. */
  readonly refusedBefore: string | undefined;
}

/** Fewer tokens than these say nothing about whether they were read. */
const TELLING_TOKENS = 200;
/** Steps in a row. */
const TELLING_STEPS = 3;

/** What is worth knowing about a run and is no fault of this request. */
const REMARKS: readonly (readonly [Remark, (step: Step) => boolean])[] = [
  ['structural_loss', isStructural],
  ['hidden_at_source', isHidden],
  ['reasoning_stopped', hasStopped],
  ['recovered_by_discarding', isRecovered],
  ['accepted_unread', ({ answer }) => answer.chat.unread >= TELLING_STEPS],
];

/** Each is said once a run. */
export function remarksOn(step: Step, ledger: Ledger, runId: string): readonly Remark[] {
  const { remarks } = ledger.run(runId);
  const found = REMARKS.filter(([name, holds]) => !remarks.has(name) && holds(step)).map(([name]) => name);
  for (const name of found) remarks.add(name);
  return found;
}

const spent = ({ reasoning }: UsageFacts): number => reasoning ?? 0;
const reasoned = (answer: ChatAnswer): boolean => answer.blocks.length > 0 || (answer.reasoningTokens ?? 0) > 0;

/** Reasoning in a tool loop, and no member that could carry it to the next step. */
function isStructural({ rule, turns, response, answer, facts }: Step): boolean {
  const loops = turns.open || answer.pieces.some((piece) => piece.call !== undefined);
  const reasons = facts.thinking.on === true || spent(response.usage) > 0;
  return (
    rule.returns === 'nothing' && rule.profile.returns === 'nothing' && loops && reasons && answer.blocks.length === 0
  );
}

/** Where nothing can be shown anyway, that is the structural loss. */
function isHidden({ rule, response, answer }: Step): boolean {
  return (
    rule.profile.returns !== 'nothing' && spent(response.usage) > 0 && answer.blocks.length === 0 && answer.complete
  );
}

/** Same settings, and all earlier steps of the turn reasoned. */
function hasStopped({ facts, turns, draft, response, answer }: Step): boolean {
  if (reasoned(answer) || response.usage.reasoning !== 0 || !answer.complete) return false;
  const before = draft.compared.flatMap((one) => {
    const earlier = turns.turnOf[one.message] === turns.lastTurn ? asChatAnswer(one.answer) : undefined;
    return earlier === undefined ? [] : [earlier];
  });
  return before.length > 0 && before.every((one) => reasoned(one) && one.request.config === facts.config);
}

/** After a refusal for its reasoning the same request went through without it. */
function isRecovered({ refusedBefore, draft, facts }: Step): boolean {
  if (refusedBefore === undefined || refusedBefore === 'unclassified') return false;
  const discarded = draft.rows.some(({ entry }) => entry?.kind === 'dropped') || draft.released.length > 0;
  return discarded || draft.others.some(({ kind }) => kind === 'mode_toggled') || facts.thinking.on === false;
}

/**
 * In a row, how often the input grew by less than the answer before it would make, by about its reasoning. Weak evidence:
 * what is new in the request is not counted.
 */
export function unreadSteps(draft: Draft, usage: UsageFacts): number {
  const newest = draft.compared.at(-1);
  const before = newest === undefined ? undefined : asChatAnswer(newest.answer);
  if (before === undefined || newest?.echo !== true) return 0;
  const { reasoningTokens, tokensBefore, chat } = before;
  const tokens = reasoningTokens ?? 0;
  if (tokens < TELLING_TOKENS || tokensBefore === undefined || chat.outputTokens === undefined) return 0;
  if (usage.input === undefined || before.blocks.length === 0) return 0;
  const shortfall = tokensBefore + chat.outputTokens - usage.input;
  return shortfall > tokens / 2 ? chat.unread + 1 : 0;
}
