import type { Answer, IssuedBlock } from '../../continuity/answer.ts';
import { digest } from '../../continuity/digest.ts';
import { isDerived } from '../../continuity/likeness.ts';
import { asArray, asObject, asString, type Json } from '../json.ts';
import { arrivedFrom } from './arrival.ts';
import { isOwn } from './echo.ts';
import type { JudgeContext } from './judge-context.ts';
import { resolveModel } from './models.ts';
import { sealOf } from './read-content.ts';

/**
 * Seals that another API of the same maker issued beside a call, where the run goes on here and re-sends the call under
 * its id: the vendor's own OpenAI-compatible endpoint reads the same seals as this one (ai.google.dev
 * gemini-api/docs/openai), and Claude its own on every platform (platform.claude.com build-with-claude/thinking).
 */
export function judgeLeftBehind(context: JudgeContext): void {
  const { facts, turns, match, ledger, rows } = context;
  if (arrivedFrom(facts, turns, ledger) === undefined) return;
  const judged = new Set<IssuedBlock>();
  // What this API issued itself, on its side of a gateway, is judged as such.
  const own = new Set(match.seen.flatMap((seen) => [seen.content, ...seen.sightings.map(({ content }) => content)]));
  for (const [content, { pieces }] of facts.contents.entries()) {
    if (own.has(content)) continue;
    for (const { at, call } of pieces) {
      const answer = call?.id === undefined ? undefined : ledger.byCall(call.id).findLast((one) => !isOwn(one));
      for (const block of answer?.blocks ?? []) {
        if (answer === undefined || judged.has(block) || !isReadHere(block, answer, context)) continue;
        judged.add(block);
        const kind = becameOf(block, content, context);
        if (kind === undefined) continue;
        const path = `contents.${content}.parts.${at}`;
        const open = turns.open && turns.turnOf[content] === turns.lastTurn;
        const cycle = open ? 'open' : 'closed';
        const severity = open || facts.model.row?.readsEarlier ? 'loss' : 'note';
        const reason = kind === 'dropped' ? ({ reason: 'seal_missing' } as const) : {};
        const common = { kind, count: 1, source: 'client', certainty: 'certain', ...reason } as const;
        rows.push({ block, cycle, path: () => path, entry: { ...common, path, cycle, severity, answer } });
      }
    }
  }
}

function isReadHere(block: IssuedBlock, { request }: Answer, { facts, tables }: JudgeContext): boolean {
  if (block.seal === undefined || !block.complete) return false;
  const { vendor, id } = facts.model;
  const producer = resolveModel(block.model, tables.models);
  if (producer.vendor !== vendor) return false;
  // Behind another host the account is another's, and its seals are of no use here.
  if (vendor === 'google') return request.endpoint === undefined || /googleapis\.com/i.test(request.endpoint);
  return vendor === 'anthropic' && producer.id === id;
}

/** Undefined where it is there as it was issued. */
function becameOf(
  block: IssuedBlock,
  content: number,
  { facts, match }: JudgeContext,
): 'dropped' | 'edited' | undefined {
  const parts = (asArray(asObject(facts.rawContents[content])?.parts) ?? []).map((part): Json => asObject(part) ?? {});
  const found = match.borrowed.find((one) => one.block === block);
  if (found !== undefined) {
    const part = found.content === content ? parts[found.at] : undefined;
    const said = part?.thought === true ? asString(part.text) : undefined;
    // Words put to a block that arrived without any are ignored.
    const reworded = said !== undefined && block.text !== undefined && digest(said) !== block.text;
    return reworded ? 'edited' : undefined;
  }
  const { sealLikeness } = block;
  const derived = sealLikeness !== undefined && parts.some((part) => isDerived(sealOf(part) ?? '', sealLikeness));
  return derived ? 'edited' : 'dropped';
}
