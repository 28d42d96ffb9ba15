import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import type { HistoryKeeper, RequestInput } from '../dialect.ts';
import { asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { member } from './member.ts';
import { type ModelRow, type ResolvedModel, resolveModel } from './models.ts';
import { type ContentFacts, readContent } from './read-content.ts';
import { type Route, routeOf } from './readers.ts';
import { type ResolvedThinking, resolveThinking } from './thinking.ts';

/** A generateContent request, as digests and plain settings. */
export interface RequestFacts {
  readonly requestModel: string;
  readonly model: ResolvedModel;
  readonly route: Route | undefined;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  readonly thinking: ResolvedThinking;
  readonly contents: readonly ContentFacts[];
  /** The contents themselves, for the rare looks at a text that must not be kept. */
  readonly rawContents: readonly Json[];
  readonly system: Digest;
  readonly tools: Digest;
  readonly hasTools: boolean;
  readonly config: Digest;
  /** Where the request keeps what tunes the thinking. */
  readonly configPath: string;
  /** Part of the history stands in a context cache that the request names. */
  readonly cached: boolean;
  /** Goes on with an answer that the API has cut into several hops; sent without what has come so far. */
  readonly resumes: boolean;
  /** What the wire calls `generationConfig`. */
  readonly settings: Json;
  readonly keeper: HistoryKeeper | undefined;
}

const rememberContent = createMemory(readContent);
const rememberTool = createMemory(canonical);

/**
 * Takes the body as it is on the wire, and the parameters of `@google/genai`, which hold the same under `config` and
 * let `contents` be a string, a part or a list of either.
 * @returns undefined for a body that is no generateContent request.
 */
export function readRequest(
  input: RequestInput,
  extraModels: Readonly<Record<string, ModelRow>>,
): RequestFacts | undefined {
  const body = asObject(input.body);
  const requestModel = asString(body?.model);
  if (body === undefined || requestModel === undefined) return undefined;
  const rawContents = toContents(body.contents);
  if (rawContents === undefined) return undefined;
  const parameters = asObject(body.config);
  const top = parameters ?? body;
  const settings = asObject(member(top, 'generationConfig')) ?? parameters ?? {};
  const thinkingConfig = asObject(member(settings, 'thinkingConfig'));
  const model = resolveModel(requestModel, extraModels);
  const tools = Array.isArray(top.tools) ? top.tools : [];
  return {
    requestModel,
    model,
    route: routeOf(input.provider, input.endpoint, requestModel),
    endpoint: input.endpoint,
    leg: input.leg,
    account: input.account,
    thinking: resolveThinking(thinkingConfig, model),
    contents: rawContents.map((content) => rememberContent(content)),
    rawContents,
    system: readSystem(member(top, 'systemInstruction')),
    tools: tools.reduce<Digest>((all, tool) => mix(all, isObject(tool) ? rememberTool(tool) : canonical(tool)), 0),
    hasTools: tools.length > 0,
    config: canonical(thinkingConfig ?? null),
    configPath: configPathOf(body),
    cached: asString(member(top, 'cachedContent')) !== undefined,
    resumes: [top, settings].some((place) => asString(member(place, 'continuationToken')) !== undefined),
    settings,
    keeper: input.keeper,
  };
}

/** @returns undefined where there is nothing that could be contents. */
function toContents(contents: unknown): readonly Json[] | undefined {
  if (Array.isArray(contents) && contents.every(isContent)) return contents;
  const list = Array.isArray(contents) ? contents : [contents];
  const all: Json[] = [];
  let loose: unknown[] | undefined;
  for (const item of list) {
    if (isContent(item)) {
      all.push(item);
      loose = undefined;
    } else if (typeof item === 'string' || isObject(item)) {
      if (loose === undefined) {
        loose = [];
        all.push({ role: 'user', parts: loose });
      }
      loose.push(typeof item === 'string' ? { text: item } : item);
    } else return undefined;
  }
  return all;
}

function isContent(item: unknown): item is Json {
  return isObject(item) && (Array.isArray(item.parts) || item.role !== undefined);
}

function configPathOf(body: Json): string {
  const names = body.config === undefined ? ['generationConfig', 'generation_config'] : ['config'];
  return names.find((name) => body[name] !== undefined) ?? 'generationConfig';
}

/** A string, parts, or a content: only what it says counts. */
function readSystem(system: unknown): Digest {
  if (system === undefined) return 0;
  let all = SYSTEM;
  for (const content of toContents(system) ?? [])
    for (const part of rememberContent(content).parts) all = mix(all, part);
  return all;
}

const SYSTEM = digest('system');
