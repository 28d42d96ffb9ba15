import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import type { RequestInput } from '../dialect.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { canonicalItem } from './canonical.ts';
import { type Host, hostOf } from './hosts.ts';
import { type ModelRow, type ResolvedModel, resolveModel } from './models.ts';
import { type ItemFacts, idKey, readItem, rememberItem } from './read-item.ts';

/** A Responses request, as digests and plain settings, before the history that the provider keeps is added. */
export interface RequestFacts {
  readonly requestModel: string;
  readonly model: ResolvedModel;
  readonly host: Host;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  readonly key: string | undefined;
  readonly items: readonly ItemFacts[];
  /** The items themselves, for the rare looks at a text that must not be kept. */
  readonly rawItems: readonly unknown[];
  /** Instructions, prompt template and leading system items: who the model is to be. */
  readonly system: Digest;
  /** In order: on this API it counts. */
  readonly tools: Digest;
  readonly toolCount: number;
  /** `text.format`. */
  readonly format: Digest;
  readonly user: Digest | undefined;
  readonly effortAsked: string | undefined;
  /** Effort set by the newest `configuration_update` among the items. */
  readonly effortUpdate: string | undefined;
  readonly config: Digest;
  readonly parent: Digest | undefined;
  readonly conversation: Digest | undefined;
  /** The response will be kept. */
  readonly stored: boolean;
  /** Sent over the Responses WebSocket, which keeps its newest responses whatever `store` says. */
  readonly socket: boolean;
  /** Some item of a multi-agent beta is among it: seen, not judged. */
  readonly multiAgent: boolean;
  readonly stream: boolean;
  readonly body: Json;
}

const rememberTools = createMemory((tools) => {
  let all = NOTHING;
  for (const tool of tools as readonly unknown[])
    all = mix(all, isObject(tool) ? canonicalItem(tool) : canonical(tool));
  return all;
});
const rememberFormat = createMemory((format) => canonical(format));
const NOTHING = digest('');
const NO_ITEM = readItem({});

/** Any one of these makes an object a Responses request; a prompt template can stand for all the others. */
const SIGNS = ['input', 'previous_response_id', 'conversation', 'prompt'];

/** @returns undefined for a body that is no Responses request. */
export function readRequest(
  input: RequestInput,
  extraModels: Readonly<Record<string, ModelRow>>,
): RequestFacts | undefined {
  const body = asObject(input.body);
  if (body === undefined || !SIGNS.some((sign) => (body[sign] ?? null) !== null)) return undefined;
  if (!['string', 'object', 'undefined'].includes(typeof body.input)) return undefined;
  const requestModel = asString(body.model) ?? '';
  const model = resolveModel(requestModel, extraModels);
  const host = hostOf(input.provider, input.endpoint, model);
  const rawItems = asArray(body.input) ?? (typeof body.input === 'string' ? [userItem(body.input)] : []);
  const items = rawItems.map((item) => (isObject(item) ? rememberItem(item) : NO_ITEM));
  const format = asObject(body.text)?.format;
  const user = asString(body.safety_identifier) ?? asString(body.user);
  const parent = asString(body.previous_response_id);
  const conversation = asString(body.conversation) ?? asString(asObject(body.conversation)?.id);
  const effortAsked = asString(asObject(body.reasoning)?.effort);
  return {
    requestModel: requestModel === '' ? 'unknown' : requestModel,
    model,
    host,
    endpoint: input.endpoint,
    leg: input.leg,
    account: input.account,
    key: input.key,
    items,
    rawItems,
    system: readSystem(body, items),
    tools: Array.isArray(body.tools) && body.tools.length > 0 ? rememberTools(body.tools) : 0,
    toolCount: asArray(body.tools)?.length ?? 0,
    format: isObject(format) && format.type !== 'text' ? rememberFormat(format) : NOTHING,
    user: user === undefined ? undefined : digest(user),
    effortAsked,
    effortUpdate: newestEffort(items),
    config: canonical(body.reasoning ?? null),
    parent: parent === undefined ? undefined : idKey(parent),
    conversation: conversation === undefined ? undefined : idKey(conversation),
    stored: body.store !== false && host.keepsState,
    socket: body.type === 'response.create' || /^wss?:/.test(input.endpoint ?? ''),
    multiAgent: readBetas(body, input.headers).includes('responses_multi_agent'),
    stream: body.stream === true || body.type === 'response.create',
    body,
  };
}

function newestEffort(items: readonly ItemFacts[]): string | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item?.kind === 'setting' && item.effort !== undefined) return item.effort;
  }
  return undefined;
}

const userItem = (content: string): Json => ({ role: 'user', content });

function readSystem(body: Json, items: readonly ItemFacts[]): Digest {
  let all = mix(digest(asString(body.instructions) ?? ''), canonical(body.prompt ?? null));
  for (const item of items) {
    if (item.kind !== 'system') break;
    all = mix(all, item.key);
  }
  return all;
}

function readBetas(body: Json, headers: Readonly<Record<string, string>> | undefined): string {
  return `${(asArray(body.betas) ?? []).join(',')},${headers?.['openai-beta'] ?? ''}`;
}
