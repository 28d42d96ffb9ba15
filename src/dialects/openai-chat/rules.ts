import type { Json } from '../json.ts';
import type { Duty, ResolvedModel } from './models.ts';
import type { Member, Profile } from './profiles.ts';
import { at, type ResolvedThinking } from './thinking.ts';

/** What holds for one request: the host's rules, with the maker's where the host leaves them to it. */
export interface Rule {
  readonly profile: Profile;
  readonly model: ResolvedModel;
  /** False: only what holds everywhere is judged, and without certainty. */
  readonly known: boolean;
  readonly thinking: ResolvedThinking;
  readonly returns: Duty;
  /** The host is the maker's own, which says what it does with what it has no use for. */
  readonly own: boolean;
}

/** What becomes of a block: what leaving it out costs, and what sending it comes to. */
export interface Stance {
  readonly leftOut: 'loss' | 'note' | 'nothing';
  readonly sent: 'read' | 'harmless' | 'useless';
  /** Sources disagree; the stricter one is judged. */
  readonly disputed?: true;
}

const READ: Stance = { leftOut: 'loss', sent: 'read' };
const DISPUTED: Stance = { ...READ, disputed: true };

/** Of finished turns, by duty. */
const LATER: Readonly<Record<Duty, Stance>> = {
  all_turns: READ,
  with_tools: READ,
  call_messages: READ,
  cycle: { leftOut: 'nothing', sent: 'useless' },
  removed_later: { leftOut: 'note', sent: 'harmless' },
  optional_later: { leftOut: 'nothing', sent: 'harmless' },
  nothing: { leftOut: 'nothing', sent: 'useless' },
};

export function ruleOf(
  profile: Profile,
  known: boolean,
  model: ResolvedModel,
  thinking: ResolvedThinking,
  body: Json,
): Rule {
  const asModel = profile.returns === 'model' || (profile.onlyFor !== undefined && isOthers(profile, model));
  const base = asModel ? model.row.returns : (profile.returns as Duty);
  const conditions = [...(profile.readsAllIf ?? []), ...(asModel ? (model.row.readsAllIf ?? []) : [])];
  const all = conditions.some(({ path, is }) => is.includes(at(body, path)));
  return {
    profile,
    known,
    model,
    thinking,
    returns: settled(all ? 'all_turns' : base, body),
    own: isOwn(profile, model),
  };
}

const isOthers = (profile: Profile, model: ResolvedModel): boolean =>
  model.vendor !== 'unknown' && model.vendor !== profile.onlyFor;

const isOwn = (profile: Profile, model: ResolvedModel): boolean =>
  profile.returns === 'nothing' || (profile.vendor !== undefined && [profile.vendor, 'unknown'].includes(model.vendor));

/** Settings that narrow what is read. */
function settled(duty: Duty, body: Json): Duty {
  // api-docs.deepseek.com thinking_mode: without tools it is ignored.
  if (duty === 'with_tools') return Array.isArray(body.tools) && body.tools.length > 0 ? 'with_tools' : 'nothing';
  if (at(body, 'reasoning.context') === 'current_turn') return 'optional_later';
  // docs.z.ai thinking-mode.
  if (at(body, 'thinking.clear_thinking') === true) return 'cycle';
  return duty;
}

/**
 * @param open whether the block is of the cycle that is going on.
 * @param inCycle whether there is one: reasoning that was switched off inside it is said once, not of each block as well.
 * @param hasCalls whether the message made calls.
 */
export function stanceOf(rule: Rule, open: boolean, inCycle: boolean, hasCalls: boolean): Stance {
  const { returns, own, known } = rule;
  if (open) return returns === 'nothing' ? { leftOut: 'nothing', sent: 'harmless' } : READ;
  // Which earlier turns are of use, nobody knows of an unknown host.
  if (!known) return { leftOut: 'nothing', sent: 'harmless' };
  if (rule.thinking.on === false) return { leftOut: 'nothing', sent: own && !inCycle ? 'useless' : 'harmless' };
  // Messages without calls are asked for nowhere (MiMo).
  if (returns === 'call_messages' && !hasCalls) return LATER.removed_later;
  const stance = isDisputed(rule, hasCalls) ? DISPUTED : LATER[returns];
  return stance.sent === 'useless' && !own ? { ...stance, sent: 'harmless' } : stance;
}

/**
 * api-docs.deepseek.com thinking_mode asked for messages with calls only until the summer of 2026; whether Gemini's compatible
 * endpoint reads signatures of earlier turns as its own API does (3.5 and later), no page says.
 */
function isDisputed({ returns, model }: Rule, hasCalls: boolean): boolean {
  return (returns === 'with_tools' && !hasCalls) || (returns === 'all_turns' && model.vendor === 'google');
}

export function readsMember({ profile }: Rule, member: Member): boolean {
  const { reads } = profile;
  if (reads === undefined) return profile.returns !== 'nothing' || profile.onlyFor !== undefined;
  return reads.includes(member) || (isSignatureMember(member) && reads.some(isSignatureMember));
}

/** A gateway hides it in the id of the call; the maker's own place is in `extra_content`. */
const isSignatureMember = (member: Member): boolean => member === 'id' || member.includes('thought_signature');

export const isAlias = ({ profile }: Rule, one: Member, other: Member): boolean =>
  (profile.aliases?.includes(one) ?? false) && (profile.aliases?.includes(other) ?? false);
