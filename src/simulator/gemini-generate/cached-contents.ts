import { failure, type GeminiFailure, isFailure } from '../gemini/api-failure.ts';
import type { Caller } from '../gemini/caller.ts';
import { findGeminiModel } from '../gemini/models.ts';
import type { Reply } from '../http/exchange.ts';
import { asList, asText, type Wire } from '../json.ts';
import type { Seeded } from '../seeded.ts';
import { camelCased } from './camel.ts';
import { type PlacedContent, placeContents } from './contents.ts';
import type { GeminiContext } from './context.ts';
import { modelNotFound } from './request.ts';
import { headSegment, partSegment, tokensOf } from './view.ts';

/** A context cache. https://ai.google.dev/gemini-api/docs/caching */
export interface HeldCache {
  readonly name: string;
  readonly project: string;
  /** Without `models/`. */
  readonly model: string;
  readonly body: Wire;
  readonly contents: readonly PlacedContent[];
  readonly tools: readonly unknown[];
  readonly tokens: number;
  readonly created: number;
  expires: number;
}

export interface ContextCaches {
  keep(cache: HeldCache): void;
  /** By its whole name or its id, while it lasts. */
  find(name: string, project: string): HeldCache | undefined;
  list(project: string): readonly HeldCache[];
  forget(name: string): void;
}

const DEFAULT_TTL_MS = 60 * 60_000;

export function createContextCaches(now: () => number): ContextCaches {
  const caches = new Map<string, HeldCache>();
  const isAlive = (cache: HeldCache): boolean => cache.expires > now();
  return {
    keep: (cache) => caches.set(idOf(cache.name), cache),
    find(name, project) {
      const held = caches.get(idOf(name));
      return held?.project === project && isAlive(held) ? held : undefined;
    },
    list: (project) => [...caches.values()].filter((cache) => cache.project === project && isAlive(cache)),
    forget: (name) => caches.delete(idOf(name)),
  };
}

function idOf(name: string): string {
  return name.replace(/^.*cachedContents\//, '');
}

/** `POST`, `GET`, `PATCH` and `DELETE` of context caches. Without the real minimum of tokens, so that short tests see them. */
export function handleCachedContents(
  context: GeminiContext,
  { method, path, body: sent }: { readonly method: string; readonly path: string; readonly body: Wire },
  caller: Caller,
  ids: Seeded,
): Reply | GeminiFailure | undefined {
  const { contextCaches, now } = context;
  const [, root = '', id] =
    /\/(v\w+\/(?:projects\/[^/]+\/locations\/[^/]+\/)?)cachedContents(?:\/([^/]+))?$/.exec(path) ?? [];
  if (root === '') return undefined;
  const body = camelCased(sent) as Wire;
  const reply = (answer: Wire): Reply => ({ kind: 'json', status: 200, body: answer });
  if (id === undefined) {
    if (method === 'GET') return reply({ cachedContents: contextCaches.list(caller.project).map(resourceOf) });
    const name = `${root.replace(/^v\w+\//, '')}cachedContents/${ids.id('', 24).toLowerCase()}`;
    const created = create(context, body, caller, name);
    if (isFailure(created)) return created;
    contextCaches.keep(created);
    return reply(resourceOf(created));
  }
  const held = contextCaches.find(id, caller.project);
  if (!held) return failure('CachedContent not found (or permission denied)', 403);
  if (method === 'DELETE') {
    contextCaches.forget(id);
    return reply({});
  }
  if (method === 'PATCH') held.expires = expiryOf(body, now());
  return reply(resourceOf(held));
}

function create(context: GeminiContext, body: Wire, caller: Caller, name: string): HeldCache | GeminiFailure {
  const model = findGeminiModel(String(body.model), context.options.models);
  if (!model) return modelNotFound(String(body.model), caller);
  const contents = asList(body.contents).length > 0 ? placeContents(body.contents, caller.host, 'cachedContent') : [];
  if (isFailure(contents)) return contents;
  const tools = asList(body.tools);
  const created = context.now();
  return {
    name,
    project: caller.project,
    model: model.id,
    body,
    contents,
    tools,
    tokens: tokensOf([
      headSegment(tools, body.systemInstruction),
      ...contents.flatMap((content) => content.parts.map((part) => partSegment(content, part, 0))),
    ]),
    created,
    expires: expiryOf(body, created),
  };
}

function expiryOf({ ttl, expireTime }: Wire, now: number): number {
  const seconds = /^([\d.]+)s$/.exec(asText(ttl) ?? '')?.[1];
  if (seconds !== undefined) return now + Number(seconds) * 1000;
  const at = Date.parse(asText(expireTime) ?? '');
  return Number.isNaN(at) ? now + DEFAULT_TTL_MS : at;
}

function resourceOf({ name, model, tokens, created, expires, body }: HeldCache): Wire {
  return {
    name,
    model: `models/${model}`,
    ...(typeof body.displayName === 'string' && { displayName: body.displayName }),
    createTime: new Date(created).toISOString(),
    updateTime: new Date(created).toISOString(),
    expireTime: new Date(expires).toISOString(),
    usageMetadata: { totalTokenCount: tokens },
  };
}
