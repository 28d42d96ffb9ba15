import { asList, isWire, type Wire } from '../json.ts';
import {
  type ApiFailure,
  failure,
  isFailure,
  missing,
  modelNotFound,
  unknownParameter,
} from '../openai/api-failure.ts';
import { type Effort, findOpenAiModel } from '../openai/models.ts';
import type { Organization } from '../openai/organization.ts';
import type { ChatContext } from './context.ts';
import { checkToolPairs, type PlacedMessage, placeMessages } from './messages.ts';
import type { ChatProfile, HostRequest, Upstream } from './profile.ts';

/** A request whose shape is sound. */
export interface ChatRequest {
  readonly body: Wire;
  readonly model: string;
  /** The id that answers name. */
  readonly answersAs: string;
  readonly organization: Organization;
  readonly profile: ChatProfile;
  readonly upstream: Upstream;
  readonly host: HostRequest;
  readonly messages: readonly PlacedMessage[];
  /** Whether the model may think. */
  readonly thinks: boolean;
  /** How the host calls it. */
  readonly mode: string;
  /** Under which answers are remembered. */
  readonly scope: string;
}

export function readRequest(
  context: ChatContext,
  profile: ChatProfile,
  body: Wire,
  path: string,
  organization: Organization,
): ChatRequest | ApiFailure {
  if (typeof body.model !== 'string') return missing('model');
  const host: HostRequest = { body, model: body.model, path, conflicts: context.conflicts };
  const messages = placeMessages(body.messages);
  if (isFailure(messages)) return messages;
  const upstream = profile.upstream(host);
  const refusal = checkToolPairs(messages) ?? checkPrefill(upstream, messages) ?? asFailure(profile.check?.(host));
  if (refusal) return refusal;
  const own = profile.id === 'openai' ? resolveOpenAi(context, body, body.model) : undefined;
  if (own && isFailure(own)) return own;
  const thinks = own ? own.effort !== 'none' : (profile.thinks?.(host) ?? upstream.thinks(host));
  return {
    body,
    model: body.model,
    answersAs: own?.answersAs ?? body.model,
    organization,
    profile,
    upstream,
    host,
    messages,
    thinks,
    mode: own?.effort ?? (thinks ? 'enabled' : 'disabled'),
    scope: `${profile.id} ${organization.id}`,
  };
}

function asFailure(message: string | undefined): ApiFailure | undefined {
  return message === undefined ? undefined : failure(message);
}

function checkPrefill({ refusesPrefill }: Upstream, messages: readonly PlacedMessage[]): ApiFailure | undefined {
  return refusesPrefill !== undefined && messages.at(-1)?.role === 'assistant' ? failure(refusesPrefill) : undefined;
}

/** OpenAI's own models here: which efforts there are, and whether functions can be had beside reasoning. */
function resolveOpenAi(
  { options }: ChatContext,
  body: Wire,
  id: string,
): { readonly effort: Effort; readonly answersAs: string } | ApiFailure {
  if (isWire(body.reasoning)) return unknownParameter('reasoning');
  const model = findOpenAiModel(id, options.models);
  if (!model) return modelNotFound(id);
  const asked = body.reasoning_effort ?? model.defaultEffort;
  // The newest models have a shorter list on this endpoint.
  const supported = model.chatTools === 'never' ? model.efforts.filter((effort) => effort !== 'max') : model.efforts;
  const effort =
    supported.find((known) => known === asked) ?? (supported.length === 0 && asked === 'none' ? 'none' : undefined);
  if (effort === undefined) {
    if (supported.length === 0)
      return unsupportedEffort("Unsupported parameter: 'reasoning_effort' is not supported with this model.");
    const list = supported.map((one) => `'${one}'`).join(', ');
    return unsupportedEffort(
      `Unsupported value: 'reasoning_effort' does not support '${asked}' with this model. Supported values are: ${list}.`,
    );
  }
  const refusesTools = model.chatTools === 'never' || (model.chatTools === 'effort_none' && effort !== 'none');
  if (refusesTools && asList(body.tools).length > 0) {
    const way = model.chatTools === 'never' ? '' : " or set reasoning_effort to 'none'";
    return failure(
      `Function tools with reasoning_effort are not supported for ${id} in /v1/chat/completions. Please use ` +
        `/v1/responses instead${way}.`,
      { param: 'reasoning_effort' },
    );
  }
  return { effort, answersAs: model.snapshot ?? model.id };
}

function unsupportedEffort(message: string): ApiFailure {
  return failure(message, { param: 'reasoning_effort', code: 'unsupported_value' });
}
