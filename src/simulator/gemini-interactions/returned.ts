import { failure, type GeminiFailure, isFailure } from '../gemini/api-failure.ts';
import { canThink } from '../gemini/models.ts';
import type { SealedThought } from '../gemini/seal.ts';
import type { Listed, Returned, ShownThought } from '../gemini/verdict.ts';
import type { InteractionsContext } from './context.ts';
import type { InteractionRequest } from './request.ts';
import { isToolStep, type PlacedStep, stepDigest, turnStart } from './steps.ts';

/** Reads every signature: of thoughts, and of the provider's own tools. */
export function readReturned(context: InteractionsContext, request: InteractionRequest): Returned | GeminiFailure {
  const { steps, model, thinking } = request;
  const start = turnStart(steps);
  const shown: ShownThought[] = [];
  const allowed: Listed[] = [];
  const dropped: Listed[] = [];
  const stripped: Listed[] = [];
  const places = new Map<string, number>();
  for (const [place, placed] of steps.entries()) {
    const { path, type, signature } = placed;
    if (signature === undefined || (type !== 'thought' && !isToolStep(placed))) continue;
    const sealed = open(context, request, signature);
    if (sealed === undefined) {
      dropped.push({ path, reason: 'corrupted' });
      continue;
    }
    if (isFailure(sealed)) return sealed;
    const unread = unreadReason(request, sealed, place >= start);
    if (unread !== undefined) {
      stripped.push({ path, reason: unread });
      continue;
    }
    const oddity = oddityOf(sealed, placed, places);
    if (oddity !== undefined) allowed.push({ path, reason: oddity });
    if (oddity !== 'duplicated') shown.push({ path, sealed });
  }
  const switchedOff = canThink(model) && !thinking.thinks && stripped.some(({ reason }) => reason === 'thinking_off');
  return { shown, allowed, dropped, stripped, switchedOff };
}

const CORRUPTED = failure('Corrupted thought signature.');

function open(
  { sealer, conflicts }: InteractionsContext,
  { caller }: InteractionRequest,
  token: string,
): SealedThought | GeminiFailure | undefined {
  const sealed = sealer.open(token);
  if (sealed === undefined || sealed === 'not_base64') {
    return conflicts.alteredSignature === 'error' ? CORRUPTED : undefined;
  }
  const isOther = sealed.project !== caller.project;
  return isOther && conflicts.otherProject === 'error' ? CORRUPTED : sealed;
}

/** Thoughts of other models are to be sent all the same: the provider sees to what fits. */
function unreadReason({ model, thinking }: InteractionRequest, sealed: SealedThought, isOpen: boolean) {
  if (!canThink(model)) return 'plain_model';
  if (!thinking.thinks) return 'thinking_off';
  if (Math.floor(sealed.generation) !== Math.floor(model.generation)) return 'not_read';
  return isOpen || model.readsEarlierTurns ? undefined : 'turn_boundary';
}

/** What is not as it was issued, though nobody is known to look. */
function oddityOf({ answer, at, on }: SealedThought, placed: PlacedStep, places: Map<string, number>) {
  const last = places.get(answer) ?? -1;
  places.set(answer, Math.max(last, at));
  if (at === last) return 'duplicated';
  if (at < last) return 'reordered';
  return placed.type !== 'thought' && stepDigest(placed.step) !== on ? 'edited' : undefined;
}
