import type { Entry } from '../../continuity/summary.ts';
import type { Severity } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer, Fabricated } from './compare.ts';
import { asChatAnswer } from './issued.ts';
import type { Place } from './judge-block.ts';
import type { JudgeContext } from './judge-context.ts';
import { resolveModel } from './models.ts';
import { PLACEHOLDER_LENGTH } from './placeholders.ts';
import type { BlockPiece } from './read-message.ts';
import type { Rule } from './rules.ts';

/** What stands in the place of reasoning and was issued by nobody. */
export function judgeFillers(compared: ComparedAnswer, { cycle }: Place, context: JudgeContext): void {
  const { answer } = compared;
  for (const one of compared.fabricated) {
    // Counted as what it came for: the call arrived without its signature.
    const { call } = one.piece;
    if (call !== undefined && call === asChatAnswer(answer)?.chat.unsignedCall && one.piece.filler === 'bypass')
      continue;
    context.others.push({
      ...entryOf(one, cycle, context.rule),
      severity: severityOf(one.piece, compared, context),
      answer,
    });
  }
}

/** Placeholders in messages that nobody here saw issued: history that was taken over from elsewhere. */
export function judgeUnknownFillers({ facts, turns, match, rule, others }: JudgeContext): void {
  for (const message of match.unknown) {
    const cycle = turns.open && turns.turnOf[message] === turns.lastTurn ? 'open' : 'closed';
    for (const piece of facts.messages[message]?.pieces ?? []) {
      if (piece.kind !== 'block' || piece.filler === 'none' || !isTolerated(piece, rule)) continue;
      others.push({ ...entryOf({ message, piece }, cycle, rule), severity: 'note' });
    }
  }
}

const entryOf = ({ message, piece }: Fabricated, cycle: Place['cycle'], rule: Rule): Omit<Entry, 'severity'> => ({
  kind: 'fabricated',
  count: 1,
  source: 'client',
  path: `messages.${message}.${piece.path}`,
  cycle,
  certainty: rule.known ? 'certain' : 'inferred',
});

/**
 * A placeholder is tolerated where the target never issued reasoning, since it refuses a message without any. Where it put
 * none by itself, or where one stands in the place of the real thing, it falsifies.
 */
function severityOf(piece: BlockPiece, { answer }: ComparedAnswer, { facts, rule }: JudgeContext): Severity {
  if (rule.returns === 'nothing') return 'note';
  if (!isTolerated(piece, rule)) return 'loss';
  const { request } = answer;
  const producer = resolveModel(answer.blocks[0]?.model ?? answer.model);
  const elsewhere =
    request.api !== 'openai.chat' || (producer.vendor !== facts.model.vendor && producer.vendor !== 'unknown');
  return elsewhere || (answer.blocks.length === 0 && request.reasoningOn === false) ? 'note' : 'loss';
}

function isTolerated(piece: BlockPiece, rule: Rule): boolean {
  if (piece.form === 'signature') return piece.filler === 'bypass';
  if (piece.form !== 'string' || piece.seal !== undefined) return false;
  return rule.profile.refusesMissing && (piece.filler === 'blank' || piece.textMember === 'empty' || isShort(piece));
}

const isShort = ({ textLength }: BlockPiece): boolean => textLength <= PLACEHOLDER_LENGTH;
