import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Entry } from '../../continuity/summary.ts';
import type { CycleState, DropReason, FindingKind, Severity } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer, ComparedBlock } from './compare.ts';
import { culpritOf } from './culprit.ts';
import { type Foreign, foreignTo } from './foreign.ts';
import { asChatAnswer, asChatBlock } from './issued.ts';
import type { JudgeContext } from './judge-context.ts';
import type { Member } from './profiles.ts';
import type { RequestFacts } from './read-request.ts';
import { isAlias, type Rule, readsMember, type Stance, stanceOf } from './rules.ts';

/** Makers whose APIs check every seal that is sent, of whichever turn; Gemini checks those of the current turn. */
const CHECK_ALL = new Set(['anthropic', 'openai']);

/** Where an answer stands. */
export interface Place {
  readonly cycle: CycleState;
  readonly stance: Stance;
  /** Something in front of it was changed, on a model that ties reasoning to it. */
  readonly brokenPrefix: boolean;
}

/** What became of one block, in the words of a judgement. */
export function judgeBlock(row: ComparedBlock, compared: ComparedAnswer, place: Place, context: JudgeContext): void {
  const { facts, rule } = context;
  const { block, state } = row;
  if (state === 'exempt') return;
  const { cycle, stance } = place;
  const path = pathOf(row, compared);
  const culprit = state === 'intact' ? undefined : culpritOf(row, compared, facts);
  const make = (kind: FindingKind, severity: Severity, rest: Partial<Entry> = {}): Entry => ({
    kind,
    count: 1,
    source: 'client',
    path,
    cycle,
    severity,
    certainty: rule.known && stance.disputed === undefined ? 'certain' : 'inferred',
    answer: compared.answer,
    ...(culprit === undefined ? {} : { culprit }),
    ...rest,
  });
  const push = (entry: Entry | undefined): void => void context.rows.push({ block, cycle, path: () => path, entry });
  const foreign = foreignTo(block, facts, rule);
  const owed: Severity = stance.leftOut === 'loss' ? 'loss' : 'note';

  if (state === 'dropped' || (state === 'converted_to_text' && !readsTags(row, rule))) {
    if (state === 'converted_to_text') {
      push(make('converted_to_text', foreign === undefined ? owed : 'note', { reason: 'converted_to_text' }));
      return;
    }
    // Leaving out what was refused is the only valid move; the refused request has the finding.
    if (foreign !== undefined || block.counted.givenUp) {
      context.released.push({ block, reason: 'model_switch' });
      return;
    }
    const entry = make('dropped', owed, { reason: dropReason(row, compared, cycle) });
    if (stance.leftOut !== 'nothing') push(entry);
    else {
      context.released.push({ block, reason: 'turn_boundary' });
      context.silent.push({ block, entry: { ...entry, severity: 'loss' } });
    }
    return;
  }
  if (state === 'unsigned' && foreign === undefined) {
    context.others.push(make('unsigned_on_arrival', owed, { source: 'server' }));
    return;
  }
  if (foreign !== undefined && presents(row, rule)) {
    const { certainty, refused } = foreign;
    push(make('foreign', refused || owed === 'loss' ? 'loss' : 'note', { certainty }));
    return;
  }
  const refused = isRefused(row.members, rule);
  if (cycle === 'closed' && refused) {
    push(make('carried', 'loss'));
    return;
  }
  // As another host delivered it: here nobody looks at that member.
  if (state === 'intact' && isUnread(row, facts, rule) && (refused || (foreign === undefined && owed === 'loss'))) {
    push(make('foreign', 'loss'));
    return;
  }
  // Switched off inside the cycle is said once, of the switch.
  if (state === 'intact' && refused && rule.thinking.on !== false) {
    push(make('carried', 'loss'));
    return;
  }
  // A message with nothing behind it is being continued (api-docs.deepseek.com chat_prefix_completion).
  const ended = row.message !== facts.messages.length - 1;
  const useless = cycle === 'closed' && ended && stance.sent === 'useless';
  const own: Severity = owed === 'loss' || isChecked(block, foreign, rule) ? 'loss' : 'note';
  switch (state) {
    case 'edited': {
      const lost = row.sealLost ? { reason: 'seal_missing' as const } : {};
      push(make('edited', own, lost));
      return;
    }
    case 'misplaced':
    case 'reordered':
      push(make(state, own));
      return;
    case 'renamed':
    case 'converted_to_text':
      if (isReadable(row, facts, rule)) break;
      if (useless) break;
      // Versions of vLLM differ (vllm-project/vllm#38488): the stricter one is judged.
      push(make('edited', own, rule.profile.name === 'vllm' ? { certainty: 'inferred' } : {}));
      return;
  }
  if (useless) push(make('carried', 'note'));
  else if (foreign === undefined && place.brokenPrefix && block.seal !== undefined) {
    push(make('prefix_broken', 'loss', { certainty: 'inferred' }));
  } else if (rule.returns !== 'nothing') push(undefined);
}

/** Readable text of another maker is only presented as the target's own under a member that the target reads. */
function presents({ block, members }: ComparedBlock, rule: Rule): boolean {
  return block.seal !== undefined || members.some((member) => readsMember(rule, member));
}

function isChecked(block: IssuedBlock, foreign: Foreign | undefined, { model }: Rule): boolean {
  return block.seal !== undefined && foreign === undefined && CHECK_ALL.has(model.vendor);
}

function isRefused(members: readonly Member[], { profile, thinking }: Rule): boolean {
  if (profile.refusesWhileOff === true && thinking.on === false) return true;
  return members.some((member) => profile.refuses?.includes(member));
}

const readsTags = ({ message, members }: ComparedBlock, rule: Rule): boolean =>
  message !== undefined && members.length > 0 && readsMember(rule, 'content.<think>');

/** Delivered by another host, under names that this one does not read. */
function isUnread({ block, members }: ComparedBlock, facts: RequestFacts, rule: Rule): boolean {
  if (asChatBlock(block) === undefined || rule.thinking.on === false) return false;
  const elsewhere = block.answer.request.endpoint !== facts.endpoint;
  return elsewhere && members.length > 0 && !members.some((member) => readsMember(rule, member));
}

/** The host takes the one name for the other, or is another host, whose name it is. */
function isReadable({ block, members }: ComparedBlock, facts: RequestFacts, rule: Rule): boolean {
  const own = asChatBlock(block)?.chat.members ?? [];
  if (members.some((member) => own.some((other) => isAlias(rule, member, other)))) return true;
  const issuedBy = asChatAnswer(block.answer)?.chat.profile;
  const elsewhere = issuedBy !== rule.profile.name && block.answer.request.endpoint !== facts.endpoint;
  return elsewhere && rule.known && members.every((member) => readsMember(rule, member));
}

function dropReason(row: ComparedBlock, { blocks }: ComparedAnswer, cycle: CycleState): DropReason {
  const { block } = row;
  if (asChatBlock(block)?.chat.form === 'signature') return 'seal_missing';
  const isOpaque = (one: ComparedBlock): boolean => one.block.text === undefined;
  const left = blocks.filter((other) => other.message !== undefined);
  if (left.length > 0) {
    const gone = blocks.filter((other) => other.message === undefined);
    return gone.every(isOpaque) && !left.some(isOpaque) ? 'redacted_filtered' : 'partial_run';
  }
  return cycle === 'open' ? 'omitted_in_cycle' : 'omitted_after_cycle';
}

function pathOf({ message, path }: ComparedBlock, compared: ComparedAnswer): string {
  if (message === undefined) return `messages.${compared.message}`;
  return path === undefined ? `messages.${message}` : `messages.${message}.${path}`;
}

/** Where an answer's blocks stand, and what is owed there. */
export function placeOf(compared: ComparedAnswer, context: JudgeContext, brokenPrefix: boolean): Place {
  const { turns, rule } = context;
  const last = compared.messages.at(-1) ?? compared.message;
  const open = turns.open && turns.turnOf[last] === turns.lastTurn;
  const hasCalls = compared.answer.pieces.some((piece) => piece.call !== undefined);
  return { cycle: open ? 'open' : 'closed', stance: stanceOf(rule, open, turns.open, hasCalls), brokenPrefix };
}
