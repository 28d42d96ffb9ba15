import type { ComparedAnswer } from './compare.ts';
import type { JudgeContext } from './judge-context.ts';

/** Whole messages that are there a second time. */
export function judgeCopies({ match, turns, others }: JudgeContext): void {
  for (const { message, answer } of match.copies) {
    const count = answer.blocks.length;
    if (count === 0) continue;
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    const rest = { cycle, answer, severity: 'loss', certainty: 'certain', source: 'client' } as const;
    others.push({ kind: 'duplicated', count, path: `messages.${message}`, ...rest });
  }
}

/** Answers joined into one message, as long as some of their reasoning survives in it. */
export function judgeMerged(compared: readonly ComparedAnswer[], { turns, others }: JudgeContext): void {
  const homes = new Map<number, ComparedAnswer[]>();
  for (const answer of compared) {
    if (answer.echo) continue;
    for (const message of answer.messages) {
      const here = answer.blocks.filter((row) => row.message === message);
      if (here.length > 0 && answer.blocks.every((row) => row.message !== message || row.state === 'misplaced'))
        continue;
      homes.set(message, [...(homes.get(message) ?? []), answer]);
    }
  }
  for (const [message, answers] of homes) {
    const survives = answers.some(({ blocks }) =>
      blocks.some((row) => row.message === message && row.state !== 'converted_to_text'),
    );
    // Some gateways give the text and the calls of one answer as two choices (Claude at Copilot).
    const responses = new Set(answers.map(({ answer }) => answer.request)).size;
    if (responses < 2 || !survives) continue;
    others.push({
      kind: 'merged',
      count: responses - 1,
      source: 'client',
      path: `messages.${message}`,
      cycle: turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed',
      severity: 'loss',
      certainty: 'certain',
      answer: (answers[1] as ComparedAnswer).answer,
    });
  }
}

/** Reasoning switched off between a call and its result, by a setting or by taking one away. */
export function judgeMode(compared: readonly ComparedAnswer[], { facts, turns, others }: JudgeContext): void {
  if (!turns.open || facts.thinking.on !== false) return;
  const opener = compared.find(({ answer, message }) => {
    const { request } = answer;
    const reasoned = request.reasoningOn === true || answer.blocks.length > 0 || (answer.reasoningTokens ?? 0) > 0;
    return turns.turnOf[message] === turns.lastTurn && reasoned;
  });
  if (opener === undefined) return;
  const { request } = opener.answer;
  // Another model with the same settings: what changed is the model. The settings of another maker have other names.
  const unsaid = facts.thinking.member === undefined && request.vendor !== facts.model.vendor;
  if (request.config === facts.config || unsaid) return;
  others.push({
    kind: 'mode_toggled',
    count: 1,
    source: 'client',
    path: facts.thinking.member ?? 'messages',
    cycle: 'open',
    severity: 'loss',
    certainty: 'certain',
    answer: opener.answer,
  });
}
