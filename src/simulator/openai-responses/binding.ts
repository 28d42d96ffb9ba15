import { digest, type Wire } from '../json.ts';
import { type ApiFailure, failure } from '../openai/api-failure.ts';
import { findOpenAiModel } from '../openai/models.ts';
import type { ResponsesContext } from './context.ts';
import type { History } from './history.ts';
import { isReasoning, type PlacedItem, turnStart } from './items.ts';
import { createPrefixRoller, fitsPrefix, type PrefixRoller } from './prefix.ts';
import type { ReasoningConfig } from './reasoning-config.ts';
import type { ResponsesRequest } from './request.ts';
import type { SealedReasoning } from './seal.ts';
import { type OpenedSeals, unverified } from './sealed-items.ts';

/** In order of precedence: an item that fails several checks reports the first. */
export type RemovalReason =
  | 'organization_mismatch'
  | 'end_user_mismatch'
  | 'model_mismatch'
  | 'turn_boundary'
  | 'prefix_mismatch';

export interface ReturnedItem {
  readonly placed: PlacedItem;
  readonly sealed: SealedReasoning;
}

export interface Binding {
  /** Reasoning that the model is shown, in order. */
  readonly shown: readonly ReturnedItem[];
  /** Reasoning that it is not shown. */
  readonly removed: readonly (ReturnedItem & { readonly reason: RemovalReason })[];
  /** Reasoning that is not looked at: before the newest compaction, or on a model that does not reason. */
  readonly passedOver: readonly (ReturnedItem & { readonly reason: 'compaction' | 'plain_model' })[];
  /** Stands at the end of the history: where the answer goes on from. */
  readonly roller: PrefixRoller;
}

/** Decides for each reasoning item whether this request's model reads it. */
export function bindReasoning(
  context: ResponsesContext,
  request: ResponsesRequest,
  { items }: History,
  seals: OpenedSeals,
  config: ReasoningConfig,
): Binding | ApiFailure {
  const { body, model } = request;
  const compaction = items.findLastIndex(({ type }) => type === 'compaction');
  const start = turnStart(items);
  const roller = createPrefixRoller(body, config.format);
  const shown: ReturnedItem[] = [];
  const removed: Binding['removed'][number][] = [];
  const passedOver: Binding['passedOver'][number][] = [];
  for (const [index, placed] of items.entries()) {
    const sealed = seals.get(placed);
    if (sealed?.kind === 'compaction') {
      if (sealed.organization !== request.organization.id) return foreign(placed);
      roller.restart(sealed.id);
    } else if (isReasoning(placed) && sealed) {
      const returned = { placed, sealed };
      const isPlain = model.efforts.length === 0;
      if (isPlain && context.conflicts.reasoningToPlainModel === 'error') return PLAIN_MODEL;
      if (isPlain || index < compaction) {
        passedOver.push({ ...returned, reason: isPlain ? 'plain_model' : 'compaction' });
        continue;
      }
      const isOfThisTurn = index >= start || config.context === 'all_turns';
      const binds =
        model.bindsReasoning || (findOpenAiModel(sealed.model, context.options.models)?.bindsReasoning ?? false);
      const mismatch = identityMismatch(context, request, sealed);
      if (mismatch === 'organization_mismatch' && !binds) return foreign(placed);
      if (mismatch && binds) removed.push({ ...returned, reason: mismatch });
      else {
        const fits = !(model.bindsReasoning && request.checksPrefix) || fitsPrefix(sealed.prefix, roller.states());
        if (!isOfThisTurn) removed.push({ ...returned, reason: 'turn_boundary' });
        else if (!fits) removed.push({ ...returned, reason: 'prefix_mismatch' });
        else shown.push(returned);
        if (fits) roller.addReasoning(sealed.id, isOfThisTurn);
      }
    } else if (placed.type !== 'compaction_trigger') roller.add(placed.item, placed.type);
  }
  return { shown, removed, passedOver, roller };
}

/** What has nothing to do with the conversation: who asks for whom, and which model. */
function identityMismatch(
  { conflicts, options }: ResponsesContext,
  { organization, body, model }: ResponsesRequest,
  sealed: SealedReasoning,
): RemovalReason | undefined {
  if (sealed.organization !== organization.id) return 'organization_mismatch';
  if (sealed.endUser !== endUserOf(body, conflicts.endUser)) return 'end_user_mismatch';
  // No matrix is published. "Downgrades and certain switches": here a model cannot read a later generation's.
  const producer = findOpenAiModel(sealed.model, options.models);
  return producer && producer.generation > model.generation ? 'model_mismatch' : undefined;
}

export function endUserOf(body: Wire, key: ResponsesContext['conflicts']['endUser']): string | undefined {
  if (key === 'none') return undefined;
  const user = body.safety_identifier ?? (key === 'safety_identifier_or_user' ? body.user : undefined);
  return user == null ? undefined : digest('end user', String(user));
}

function foreign(placed: PlacedItem): ApiFailure {
  return unverified(placed, 'Encrypted content organization_id did not match the target organization.');
}

const PLAIN_MODEL = failure(
  'Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning items from your ' +
    'input and try again.',
  { param: 'input' },
);
