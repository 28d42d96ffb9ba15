import { isWire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { BETAS } from './betas.ts';
import type { ApiContext } from './context.ts';
import type { MessagesRequest } from './request.ts';

/** Where system messages may stand, and whether the last message may be the model's own. */
export function checkMessageOrder(
  request: MessagesRequest,
  { issued, credits }: Pick<ApiContext, 'issued' | 'credits'>,
): ApiFailure | undefined {
  const { messages, model, betas } = request;
  for (const [index, { role, path, wire }] of messages.entries()) {
    if (role !== 'system') continue;
    if (model.systemMessages === false) return invalid(`${path}: role 'system' is not supported on this model`);
    const before = messages.slice(0, index).findLast((message) => message.role !== 'system');
    if (before?.role !== 'user') return invalid(`${path}: role 'system' must follow a 'user' message`);
    if (isWire(wire.output_config) && !betas.has(BETAS.midConversationOutput)) {
      return invalid(`${path}.output_config: Extra inputs are not permitted`);
    }
  }
  const last = messages.at(-1);
  // An on-demand compaction has its own rule for how a history may end.
  if (request.body.compaction != null) return undefined;
  if (last?.role !== 'assistant' || model.prefill || credits.allowsPrefill(request) || issued.isUnfinished(last.blocks))
    return undefined;
  // A compaction, or a server tool without its result, is resumed; anything else would be words put into its mouth.
  const resumes = last.blocks.some(
    ({ type, block }) =>
      type === 'compaction' ||
      (type === 'server_tool_use' && !last.blocks.some((other) => other.block.tool_use_id === block.id)),
  );
  if (resumes) return undefined;
  return invalid(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}
