import type { ComparedAnswer } from './compare.ts';
import type { JudgeContext } from './judge-context.ts';
import { takeCall } from './turns.ts';

/** Whole contents that are there a second time. */
export function judgeCopies({ turns, match, others }: JudgeContext): void {
  for (const { content, answer } of match.copies) {
    if (answer.blocks.length === 0) continue;
    const cycle = turns.open && turns.turnOf[content] === turns.lastTurn ? 'open' : 'closed';
    const rest = { path: `contents.${content}`, cycle, answer, severity: 'loss', certainty: 'certain' } as const;
    others.push({ kind: 'duplicated', count: answer.blocks.length, source: 'client', ...rest });
  }
}

/** Answers joined into one content, as long as a seal survives in it. */
export function judgeMerged(compared: readonly ComparedAnswer[], { turns, others }: JudgeContext): void {
  const homes = new Map<number, ComparedAnswer[]>();
  for (const answer of compared) {
    if (answer.echo) continue;
    for (const content of answer.contents) homes.set(content, [...(homes.get(content) ?? []), answer]);
  }
  for (const [content, answers] of homes) {
    if (answers.length < 2) continue;
    const sealed = answers.some((answer) => answer.blocks.some((row) => row.content === content));
    if (!sealed) continue;
    // An answer that the API has cut into hops and what it went on with are one content by right.
    const joined = answers.slice(1).filter((_, i) => !answers[i]?.answer.unfinished).length;
    if (joined === 0) continue;
    others.push({
      kind: 'merged',
      count: joined,
      source: 'client',
      path: `contents.${content}`,
      cycle: turns.open && turns.turnOf[content] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'certain',
      answer: (answers[1] as ComparedAnswer).answer,
    });
  }
}

/** Thinking switched off between a call and its result: no error, only silence. */
export function judgeMode(compared: readonly ComparedAnswer[], { facts, turns, others }: JudgeContext): void {
  if (!turns.open || facts.thinking.on !== false) return;
  const opener = compared.find(({ answer, content }) => {
    const thought =
      answer.request.reasoningOn === true || answer.blocks.length > 0 || (answer.reasoningTokens ?? 0) > 0;
    return turns.turnOf[content] === turns.lastTurn && thought;
  });
  if (opener === undefined) return;
  others.push({
    kind: 'mode_toggled',
    count: 1,
    source: 'client',
    path: facts.configPath,
    cycle: 'open',
    severity: 'loss',
    certainty: 'certain',
    answer: opener.answer,
  });
}

/** The results of one batch are one content, as the batch is; the API counts them against its calls. */
export function judgeResults(compared: readonly ComparedAnswer[], { facts, turns, others }: JudgeContext): void {
  const splitAt = new Set(compared.filter(({ split }) => split > 0).flatMap(({ contents }) => contents));
  for (let c = 0; c < facts.contents.length; c++) {
    const content = facts.contents[c];
    if (content?.role !== 'model' || content.pieces.length < 2 || splitAt.has(c)) continue;
    const calls = content.pieces.filter(({ kind }) => kind === 'call');
    if (calls.length < 2) continue;
    const holders: number[] = [];
    for (let n = c + 1; n < facts.contents.length; n++) {
      const later = facts.contents[n];
      if (later?.role === 'model' || later === undefined) break;
      const answering = later.results.filter((result) => takeCall(calls, result) !== undefined);
      if (answering.length > 0) holders.push(n);
    }
    if (holders.length < 2) continue;
    const answer = compared.find(({ contents }) => contents.includes(c))?.answer;
    others.push({
      kind: 'split_results',
      count: holders.length - 1,
      source: 'client',
      path: `contents.${holders[1]}`,
      cycle: turns.open && turns.turnOf[c] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'inferred',
      ...(answer === undefined ? {} : { answer }),
    });
  }
}

/** Seals on parts that nobody here issued: only what stands for none is worth a line, and its origin says why. */
export function judgeUnknown({ facts, turns, match, others }: JudgeContext): void {
  const place = (content: number, at: number) =>
    ({
      path: `contents.${content}.parts.${at}`,
      cycle: turns.open && turns.turnOf[content] === turns.lastTurn ? 'open' : 'closed',
      count: 1,
      source: 'client',
    }) as const;
  for (const { content, at, placeholder, empty } of match.unknown) {
    if (!placeholder) continue;
    // On nothing but an empty text newer models refuse it (BerriAI/litellm#37541).
    const severity = empty && facts.model.row?.readsEarlier ? 'loss' : 'note';
    others.push({ kind: 'fabricated', severity, certainty: 'certain', ...place(content, at) });
  }
}
