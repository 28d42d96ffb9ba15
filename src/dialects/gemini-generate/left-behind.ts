import type { IssuedBlock } from '../../continuity/answer.ts';
import { arrivedFrom } from './arrival.ts';
import { isOwn } from './echo.ts';
import type { JudgeContext } from './judge-context.ts';
import { makerOf } from './models.ts';

/**
 * Seals that the vendor's OpenAI-compatible endpoint delivered with a call (ai.google.dev gemini-api/docs/openai), where
 * the run goes on here, the call is re-sent under its id and the seal nowhere: both endpoints read the same seals.
 */
export function judgeLeftBehind({ facts, turns, match, ledger, rows }: JudgeContext): void {
  if (facts.model.vendor !== 'google' || arrivedFrom(facts, turns, ledger) === undefined) return;
  const judged = new Set<IssuedBlock>(match.borrowed.map(({ block }) => block));
  // What this API issued itself, on its side of a gateway, is judged as such.
  const own = new Set(match.seen.flatMap((seen) => [seen.content, ...seen.sightings.map(({ content }) => content)]));
  for (const [content, { pieces }] of facts.contents.entries()) {
    if (own.has(content)) continue;
    for (const { at, call } of pieces) {
      const answer = call?.id === undefined ? undefined : ledger.byCall(call.id).findLast((one) => !isOwn(one));
      if (answer === undefined || !isVendorsOwn(answer.request.endpoint)) continue;
      for (const block of answer.blocks) {
        if (judged.has(block) || block.seal === undefined || !block.complete || makerOf(block.model) !== 'google')
          continue;
        judged.add(block);
        const path = `contents.${content}.parts.${at}`;
        const open = turns.open && turns.turnOf[content] === turns.lastTurn;
        const cycle = open ? 'open' : 'closed';
        const severity = open || facts.model.row?.readsEarlier ? 'loss' : 'note';
        const common = {
          kind: 'dropped',
          count: 1,
          source: 'client',
          reason: 'seal_missing',
          certainty: 'certain',
        } as const;
        rows.push({ block, cycle, path: () => path, entry: { ...common, path, cycle, severity, answer } });
      }
    }
  }
}

/** Behind another host the account is another's, and its seals are of no use here. */
function isVendorsOwn(endpoint: string | undefined): boolean {
  return endpoint === undefined || /googleapis\.com/i.test(endpoint);
}
