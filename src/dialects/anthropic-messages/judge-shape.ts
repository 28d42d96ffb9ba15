import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { ComparedAnswer } from './compare.ts';
import { foreignTo } from './foreign.ts';
import type { JudgeContext } from './judge-context.ts';
import { readsEarlierTurns } from './reads-earlier-turns.ts';

/** Whole messages that are there a second time. */
export function judgeCopies(context: JudgeContext): void {
  for (const { message, answer, blocks } of context.match.copies) {
    if (blocks === 0) continue;
    const { turns } = context;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    const path = `messages.${message}`;
    const rest = { path, cycle, answer, severity: 'loss', certainty: 'certain', source: 'client' } as const;
    context.others.push({ kind: 'duplicated', count: blocks, ...rest });
  }
}

/** Blocks of answers that are no part of this history: another conversation's, out of a cache that both share. */
export function judgeGuests(context: JudgeContext): void {
  const { facts, turns, match, tables, others } = context;
  const met = new Set<IssuedBlock>();
  for (const { message, path, issued } of match.strays) {
    const { answer } = issued;
    if (match.byAnswer.has(answer)) continue;
    const turn = turns.turnOf[message] ?? 0;
    const cycle = turns.open && turn === turns.lastTurn ? 'open' : 'closed';
    const latest = turns.latestAssistant >= 0 && turns.groupOf[message] === turns.groupOf[turns.latestAssistant];
    const matters = cycle === 'open' || latest || readsEarlierTurns(turn, context);
    const common = { count: 1, source: 'client', path, cycle, answer, certainty: 'certain' } as const;
    const foreign = foreignTo(issued, answer, facts, tables);
    if (met.has(issued)) others.push({ kind: 'duplicated', severity: 'loss', ...common });
    else if (foreign !== undefined) {
      others.push({ kind: 'foreign', ...common, ...foreign, severity: foreign.refused || matters ? 'loss' : 'note' });
    } else others.push({ kind: 'misplaced', severity: matters ? 'loss' : 'note', ...common });
    met.add(issued);
  }
}

/** Answers joined into one message, as long as a seal survives in it. */
export function judgeMerged(compared: readonly ComparedAnswer[], { turns, others }: JudgeContext): void {
  const homes = new Map<number, ComparedAnswer[]>();
  for (const answer of compared) {
    if (answer.echo) continue;
    for (const message of answer.messages) {
      const onlyStray = answer.blocks.every((row) => row.message !== message || row.state === 'misplaced');
      const strayHere = answer.blocks.some((row) => row.message === message && row.state === 'misplaced');
      if (strayHere && onlyStray) continue;
      homes.set(message, [...(homes.get(message) ?? []), answer]);
    }
  }
  for (const [message, answers] of homes) {
    if (answers.length < 2) continue;
    const sealed = answers.some((answer) => answer.blocks.some((row) => row.message === message));
    if (!sealed) continue;
    // A paused answer and what the provider went on with are one message by right.
    const joined = answers.slice(1).filter((_, i) => !answers[i]?.answer.unfinished).length;
    if (joined === 0) continue;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    others.push({
      kind: 'merged',
      count: joined,
      source: 'client',
      path: `messages.${message}`,
      cycle,
      severity: 'loss',
      certainty: 'certain',
      answer: (answers[1] as ComparedAnswer).answer,
    });
  }
}

/** Reasoning switched off between a call and its result: no error, only silence (build-with-claude/thinking). */
export function judgeMode(compared: readonly ComparedAnswer[], { facts, turns, others }: JudgeContext): void {
  if (!turns.open || facts.thinking.on !== false) return;
  const opener = compared.find(
    ({ answer, message }) => turns.turnOf[message] === turns.lastTurn && answer.request.reasoningOn === true,
  );
  if (opener === undefined) return;
  others.push({
    kind: 'mode_toggled',
    count: 1,
    source: 'client',
    path: 'thinking',
    cycle: 'open',
    severity: 'loss',
    certainty: 'certain',
    answer: opener.answer,
  });
}

/** All results of one parallel batch belong in one user message; whether a split is refused is disputed. */
export function judgeResults(compared: readonly ComparedAnswer[], { facts, turns, others }: JudgeContext): void {
  const splitAt = new Set(compared.filter((answer) => answer.split > 0).flatMap((answer) => answer.messages));
  for (let m = 0; m < facts.messages.length; m++) {
    const message = facts.messages[m];
    if (message?.role !== 'assistant' || splitAt.has(m)) continue;
    if (message.pieces.length < 2) continue;
    const calls = new Set<Digest>();
    for (const piece of message.pieces) if (piece.kind === 'call' && !piece.server) calls.add(piece.id);
    if (calls.size < 2) continue;
    const holders: number[] = [];
    for (let n = m + 1; n < facts.messages.length && turns.turnOf[n] === turns.turnOf[m]; n++) {
      const later = facts.messages[n];
      // Some hosts number their calls anew in each answer.
      if (later?.pieces.some((piece) => piece.kind === 'call' && calls.has(piece.id))) break;
      if (later?.role === 'user' && later.results.some((id) => calls.has(id))) holders.push(n);
    }
    if (holders.length < 2) continue;
    const answer = compared.find((one) => one.messages.includes(m))?.answer;
    others.push({
      kind: 'split_results',
      count: holders.length - 1,
      source: 'client',
      path: `messages.${holders[1]}`,
      cycle: turns.open && turns.turnOf[m] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'inferred',
      ...(answer === undefined ? {} : { answer }),
    });
  }
}
