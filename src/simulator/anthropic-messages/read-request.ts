import type { Wire } from '../json.ts';
import type { Account } from './account.ts';
import { type ApiFailure, failure, invalid, isFailure } from './api-failure.ts';
import { checkCompactionRequest } from './compaction.ts';
import type { ApiContext } from './context.ts';
import { checkMessageOrder } from './message-order.ts';
import { findModel } from './models.ts';
import type { Call } from './platform.ts';
import { type MessagesRequest, placeMessages, toolsOf } from './request.ts';
import { checkFields, checkTools } from './request-fields.ts';
import { checkServerTools, checkToolResults } from './tool-pairing.ts';

export interface ReadOptions {
  readonly batch: boolean;
  /** What a thread holds already, put before the messages sent. */
  readonly stored: readonly Wire[];
}

/** Everything that can be wrong with a request before reasoning comes into it. */
export function readRequest(
  context: ApiContext,
  call: Call,
  account: Account,
  { batch, stored }: ReadOptions,
): MessagesRequest | ApiFailure {
  const { body, platform, betas, model: modelAsSent } = call;
  if (typeof modelAsSent !== 'string') return invalid('model: Field required');
  const refusedField = checkFields(call, batch);
  if (refusedField) return refusedField;
  const model = findModel(modelAsSent, context.options.models);
  if (!model) return failure(404, `model: ${modelAsSent}`);
  const counts = call.endpoint === 'count_tokens';
  if (!counts && typeof body.max_tokens !== 'number') return invalid('max_tokens: Field required');
  const placed = placeMessages(body.messages);
  if (isFailure(placed)) return placed;
  const held = placeMessages(stored, 'thread');
  if (isFailure(held)) return held;
  const messages = [...held, ...placed];
  if (messages.length === 0) return invalid('messages: at least one message is required');

  const tools = toolsOf(body);
  const request: MessagesRequest = {
    platform,
    betas,
    account,
    model,
    modelAsSent,
    body,
    system: body.system,
    tools,
    messages,
    maxTokens: typeof body.max_tokens === 'number' ? body.max_tokens : Number.POSITIVE_INFINITY,
    batch,
  };
  const refusal =
    checkTools(body, tools, model) ??
    context.credits.check(request) ??
    checkMessageOrder(request, context) ??
    (counts || body.compaction == null ? undefined : checkCompactionRequest(request, context.issued)) ??
    checkToolResults(messages, context.conflicts.splitResults) ??
    checkServerTools(messages, body, tools);
  return refusal ?? request;
}
