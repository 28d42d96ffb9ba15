import { failure, type GeminiFailure, INVALID_ARGUMENT, isFailure } from '../gemini/api-failure.ts';
import { canThink, versionOf } from '../gemini/models.ts';
import type { SealedThought } from '../gemini/seal.ts';
import type { Listed, Returned, ShownThought } from '../gemini/verdict.ts';
import { type PlacedContent, type PlacedPart, payloadDigest, turnStart } from './contents.ts';
import type { GeminiContext } from './context.ts';
import { isPlaceholder } from './placeholders.ts';
import type { GenerateRequest } from './request.ts';

/** Reads every signature of a request: which are shown to the model, which are passed over, which refuse it. */
export function readReturned(context: GeminiContext, request: GenerateRequest): Returned | GeminiFailure {
  const { contents, model, thinking } = request;
  const start = turnStart(contents, context.conflicts);
  const shown: ShownThought[] = [];
  const allowed: Listed[] = [];
  const dropped: Listed[] = [];
  const stripped: Listed[] = [];
  const seen = new Set<string>();
  let switchedOff = false;
  for (const [place, content] of contents.entries()) {
    for (const placed of content.parts) {
      const { path, signature } = placed;
      if (signature === undefined) continue;
      const outcome = readSignature(context, request, placed, signature);
      if (isFailure(outcome)) return outcome;
      if ('reason' in outcome) {
        (outcome.reason === 'placeholder' ? allowed : dropped).push({ path, reason: outcome.reason });
        continue;
      }
      const isOpen = place >= start;
      const unread = canThink(model)
        ? thinking.thinks
          ? isOpen || model.readsEarlierTurns
            ? undefined
            : 'turn_boundary'
          : 'thinking_off'
        : 'plain_model';
      if (isOpen && !thinking.thinks && canThink(model)) switchedOff = true;
      if (unread !== undefined) {
        stripped.push({ path, reason: unread });
        continue;
      }
      const oddity = oddityOf(outcome, placed, content, seen);
      if (oddity !== undefined && context.conflicts.boundTo === 'part') return CORRUPTED.developer;
      if (oddity !== undefined) allowed.push({ path, reason: oddity });
      if (oddity !== 'duplicated') shown.push({ path, sealed: outcome });
    }
  }
  return { shown, allowed, dropped, stripped, switchedOff };
}

const CORRUPTED = {
  developer: failure('Corrupted thought signature.'),
  vertex: failure('Unable to submit request because Thought signature is not valid.'),
} as const;

function readSignature(
  { sealer, conflicts }: GeminiContext,
  { model, caller }: GenerateRequest,
  { path, part }: PlacedPart,
  token: string,
): SealedThought | Listed | GeminiFailure {
  if (isPlaceholder(token, caller, conflicts)) {
    // https://github.com/BerriAI/litellm/pull/37541
    return part.text === '' && model.generation >= 3.5 ? INVALID_ARGUMENT : { path, reason: 'placeholder' };
  }
  const sealed = sealer.open(token);
  if (sealed === 'not_base64') {
    const field = path.replace(/\.(\d+)/g, '[$1]');
    return failure(`Invalid value at '${field}.thought_signature' (TYPE_BYTES), Base64 decoding failed for "${token}"`);
  }
  if (sealed === undefined) {
    return conflicts.alteredSignature === 'error' ? CORRUPTED[caller.host] : { path, reason: 'corrupted' };
  }
  const isOther = sealed.project !== caller.project || sealed.host !== caller.host;
  if (isOther && conflicts.otherAccount === 'error') return CORRUPTED[caller.host];
  const refuses = {
    any_model: sealed.model !== versionOf(model),
    other_generation: Math.floor(sealed.generation) !== Math.floor(model.generation),
    none: false,
  }[conflicts.modelSwitch];
  // A model that signs nothing has nothing to check it with.
  if (refuses && model.signs !== 'never') return CORRUPTED[caller.host];
  return sealed;
}

/** What is not as it was issued, though nobody is known to look. */
function oddityOf(
  { answer, at, on }: SealedThought,
  { part, signature }: PlacedPart,
  { role, parts }: PlacedContent,
  seen: Set<string>,
): string | undefined {
  const name = `${answer} ${at}`;
  if (seen.has(name)) return 'duplicated';
  seen.add(name);
  if (role === 'user') return 'misplaced';
  if (payloadDigest(part) === on) return undefined;
  const home = parts.some((other) => other.signature !== signature && payloadDigest(other.part) === on);
  return home ? 'misplaced' : 'edited';
}
