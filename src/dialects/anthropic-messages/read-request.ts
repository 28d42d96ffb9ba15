import { blend, type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import type { RequestInput } from '../dialect.ts';
import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { canonicalContent, canonicalMembers } from './canonical.ts';
import { type ModelRow, type ResolvedModel, resolveModel } from './models.ts';
import { type MessageFacts, readMessage } from './read-message.ts';
import { type Platform, platformOf } from './readers.ts';
import { type ResolvedThinking, resolveThinking } from './thinking.ts';

/** Request header under which the API reports and controls what it does with blocks that fail a binding check. */
const BINDING_BETA = 'thinking-binding-controls';
const INTERLEAVED_BETA = 'interleaved-thinking';

/** A Messages request, as digests and plain settings. */
export interface RequestFacts {
  readonly requestModel: string;
  readonly model: ResolvedModel;
  readonly platform: Platform;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  readonly thinking: ResolvedThinking;
  readonly messages: readonly MessageFacts[];
  /** The messages themselves, for the rare looks at a text that must not be kept. */
  readonly rawMessages: readonly unknown[];
  readonly system: Digest;
  readonly tools: ToolFacts;
  readonly effort: string | undefined;
  readonly config: Digest;
  /** The binding-controls beta was asked for: the answer must hold `input_transformations`. */
  readonly reportsBinding: boolean;
  readonly mismatchBehavior: string | undefined;
  readonly interleaved: boolean;
  /** `continue`: the history stays with the provider. */
  readonly thread: string | undefined;
  /** Context editing that changes how many turns of reasoning the model reads. */
  readonly thinkingTurnsKept: number | 'all' | undefined;
  readonly stream: boolean;
  readonly body: Json;
}

export interface ToolFacts {
  /** Set of the tools that bind: name-keyed, order aside. */
  readonly bound: Digest;
  /** Tools that bind only once something refers to them. */
  readonly deferred: ReadonlyMap<string, Digest>;
  readonly count: number;
}

const rememberMessage = createMemory(readMessage);
const rememberTools = createMemory(readTools);
const rememberSystem = createMemory((system) => canonicalContent(system));
const NO_TOOLS: ToolFacts = { bound: 0, deferred: new Map(), count: 0 };

/**
 * @param served the model behind a name, where its answers have told another than it says
 * @returns undefined for a body that is no Messages request.
 */
export function readRequest(
  input: RequestInput,
  extraModels: Readonly<Record<string, ModelRow>>,
  served: (name: string) => string | undefined,
): RequestFacts | undefined {
  const body = asObject(input.body);
  const rawMessages = asArray(body?.messages);
  const requestModel = asString(body?.model);
  if (body === undefined || rawMessages === undefined || requestModel === undefined) return undefined;
  const model = resolveModel(served(requestModel) ?? requestModel, extraModels);
  const thinking = resolveThinking(body.thinking, model);
  const betas = readBetas(body, input.headers);
  const effort = asString(asObject(body.output_config)?.effort);
  return {
    requestModel,
    model,
    platform: platformOf(input.provider, input.endpoint, requestModel),
    endpoint: input.endpoint,
    leg: input.leg,
    account: input.account,
    thinking,
    messages: rawMessages.map((message) => (isObject(message) ? rememberMessage(message) : NOTHING)),
    rawMessages,
    system: readSystem(body.system),
    tools: Array.isArray(body.tools) ? rememberTools(body.tools) : NO_TOOLS,
    effort,
    config: mix(canonical(body.thinking ?? null), digest(effort ?? '')),
    reportsBinding: betas.includes(BINDING_BETA),
    mismatchBehavior: asString(asObject(asObject(body.thinking)?.block_binding)?.prefix_mismatch_behavior),
    interleaved: model.row?.interleaves === true || betas.includes(INTERLEAVED_BETA),
    thread: asString(asObject(body.thread)?.type),
    thinkingTurnsKept: readThinkingTurns(body.context_management),
    stream: body.stream === true,
    body,
  };
}

const NOTHING = readMessage({});

function readSystem(system: unknown): Digest {
  if (typeof system === 'string') return canonicalContent(system);
  return Array.isArray(system) ? rememberSystem(system) : canonicalContent('');
}

function readTools(tools: object): ToolFacts {
  let bound: Digest = 0;
  const deferred = new Map<string, Digest>();
  const list = tools as readonly unknown[];
  for (const tool of list) {
    if (!isObject(tool)) continue;
    const { defer_loading: deferLoading, ...rest } = tool;
    const own = canonicalMembers(rest);
    if (deferLoading === true) deferred.set(String(tool.name), own);
    else bound = blend(bound, mix(digest('tool'), own));
  }
  return { bound, deferred, count: list.length };
}

function readBetas(body: Json, headers: Readonly<Record<string, string>> | undefined): string {
  const listed = [asArray(body.betas), asArray(body.anthropic_beta)].flatMap((list) => list ?? []).join(',');
  return `${listed},${headers?.['anthropic-beta'] ?? ''}`;
}

function readThinkingTurns(management: unknown): number | 'all' | undefined {
  for (const edit of asArray(asObject(management)?.edits) ?? []) {
    if (!isObject(edit) || edit.type !== 'clear_thinking_20251015') continue;
    if (edit.keep === 'all' || asObject(edit.keep)?.type === 'all') return 'all';
    // Without `keep` one turn of thinking stays (platform.claude.com build-with-claude/context-editing).
    return asNumber(asObject(edit.keep)?.value) ?? 1;
  }
  return undefined;
}
