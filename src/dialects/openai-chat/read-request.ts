import { blend, type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import type { RequestInput } from '../dialect.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { type ModelRow, type ResolvedModel, resolveModel } from './models.ts';
import { type MessageFacts, readMessage } from './read-message.ts';
import { type ResolvedThinking, resolveThinking, TUNING } from './thinking.ts';

/** A Chat Completions request, as digests and plain settings. */
export interface RequestFacts {
  readonly requestModel: string;
  readonly model: ResolvedModel;
  readonly endpoint: string | undefined;
  readonly provider: string | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  readonly key: string | undefined;
  /** Method of the SDK that rewrote the messages before it handed them on, where it says so. */
  readonly helper: string | undefined;
  readonly thinking: ResolvedThinking;
  readonly messages: readonly MessageFacts[];
  /** The messages themselves, for the rare looks at a text that must not be kept. */
  readonly rawMessages: readonly unknown[];
  readonly system: Digest;
  readonly tools: Digest;
  /** The same without their order. */
  readonly toolSet: Digest;
  readonly toolCount: number;
  readonly config: Digest;
  readonly stream: boolean;
  readonly body: Json;
}

const rememberMessage = createMemory(readMessage);
const rememberTools = createMemory((tools) => ({ row: canonical(tools), set: setOf(tools as readonly unknown[]) }));
const NO_TOOLS = { row: 0, set: 0 };
const setOf = (tools: readonly unknown[]): Digest =>
  tools.reduce((set: Digest, tool) => blend(set, canonical(tool)), 0);
const NOTHING = readMessage({});
const SYSTEM_ROLES = new Set(['system', 'developer']);

/** @returns undefined for a body that is no Chat Completions request. */
export function readRequest(
  input: RequestInput,
  extraModels: Readonly<Record<string, ModelRow>>,
): RequestFacts | undefined {
  const body = asObject(input.body);
  const rawMessages = asArray(body?.messages);
  if (body === undefined || rawMessages === undefined) return undefined;
  const requestModel = asString(body.model) ?? 'unknown';
  const model = resolveModel(requestModel, extraModels);
  const tools = asArray(body.tools) ?? asArray(body.functions) ?? [];
  const declared = tools.length > 0 ? rememberTools(tools as object) : NO_TOOLS;
  const messages = rawMessages.map((message) => (isObject(message) ? rememberMessage(message) : NOTHING));
  return {
    requestModel,
    model,
    endpoint: input.endpoint,
    provider: input.provider,
    leg: input.leg,
    account: input.account,
    key: input.key,
    helper: input.headers?.['x-stainless-helper-method'],
    thinking: resolveThinking(body, model),
    messages,
    rawMessages,
    system: readSystem(messages),
    tools: declared.row,
    toolSet: declared.set,
    toolCount: tools.length,
    config: readConfig(body),
    stream: body.stream === true,
    body,
  };
}

/** Who the model is to be: the system messages that the history begins with. */
function readSystem(messages: readonly MessageFacts[]): Digest {
  let system = digest('system');
  for (const { role, part } of messages) {
    if (!SYSTEM_ROLES.has(role)) break;
    system = mix(system, part);
  }
  return system;
}

function readConfig(body: Json): Digest {
  let config = digest('config');
  for (const member of TUNING)
    if (body[member] !== undefined) config = mix(config, mix(digest(member), canonical(body[member])));
  return config;
}
