import { asList, digest, isWire, stableJson, type Wire } from '../json.ts';
import { type ApiFailure, invalid, isFailure } from './api-failure.ts';
import { BETAS } from './betas.ts';
import { findModel, type ModelRow } from './models.ts';
import type { MessagesRequest } from './request.ts';

/** A model to try when the one before it declined. https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback */
export interface FallbackEntry {
  readonly model: ModelRow;
  readonly overrides: Wire;
}

const MEMBERS = ['model', 'max_tokens', 'thinking', 'output_config', 'speed'];
const MAX_ENTRIES = 3;

export function readFallbacks(
  request: MessagesRequest,
  defaultModel: string,
  extraModels: readonly ModelRow[],
): readonly FallbackEntry[] | ApiFailure {
  const { fallbacks } = request.body;
  if (fallbacks == null) return [];
  if (fallbacks === 'default') {
    if (!request.betas.has(BETAS.fallback)) return invalid('fallbacks: Input should be a valid list');
    // haiku-5-5 has nothing to fall back to.
    if (request.model.fallbackList === false) return [];
    const model = findModel(defaultModel, extraModels);
    return model && model !== request.model ? [{ model, overrides: {} }] : [];
  }
  if (!Array.isArray(fallbacks)) return invalid('fallbacks: Input should be a valid list');
  if (request.model.fallbackList === false) return invalid('fallbacks: not supported for this model');
  if (fallbacks.length > MAX_ENTRIES) {
    return invalid(`fallbacks: List should have at most ${MAX_ENTRIES} items after validation`);
  }
  const entries: FallbackEntry[] = [];
  for (const [index, entry] of asList(fallbacks).entries()) {
    const read = readEntry(entry, index, extraModels);
    if (isFailure(read)) return read;
    entries.push(read);
  }
  return entries;
}

function readEntry(entry: unknown, index: number, extraModels: readonly ModelRow[]): FallbackEntry | ApiFailure {
  if (!isWire(entry)) return invalid(`fallbacks.${index}: Input should be a valid dictionary`);
  const model = findModel(String(entry.model), extraModels);
  if (!model) return invalid(`fallbacks.${index}.model: model not found: ${String(entry.model)}`);
  const extra = Object.keys(entry).find((member) => !MEMBERS.includes(member));
  if (extra !== undefined) return invalid(`fallbacks.${index}.${extra}: Extra inputs are not permitted`);
  const { model: _, ...overrides } = entry;
  return { model, overrides };
}

/** The request as the fallback model gets it: overridden members replaced, a thinking type it lacks left out. */
export function fallbackRequest(request: MessagesRequest, { model, overrides }: FallbackEntry): MessagesRequest {
  const { thinking: ownThinking, max_tokens: ownMax, output_config: ownOutput } = overrides;
  const { thinking, output_config, ...rest } = request.body;
  const output =
    ownOutput === null
      ? undefined
      : { ...(isWire(output_config) && output_config), ...(isWire(ownOutput) && ownOutput) };
  const body = {
    ...rest,
    ...(output && Object.keys(output).length > 0 && { output_config: output }),
    thinking: ownThinking ?? thinkingFor(model, thinking),
  };
  return { ...request, model, body, maxTokens: typeof ownMax === 'number' ? ownMax : request.maxTokens };
}

function thinkingFor(model: ModelRow, thinking: unknown): unknown {
  if (!isWire(thinking)) return undefined;
  const supported: Readonly<Record<string, boolean>> = {
    adaptive: model.adaptive,
    enabled: model.enabled,
    between_tools: model.betweenTools !== 'no',
    disabled: model.disabled !== 'no',
  };
  if (supported[String(thinking.type)]) return thinking;
  if (thinking.type === 'between_tools' && model.disabled !== 'no') return { type: 'disabled' };
  return undefined;
}

/** Remembers for an hour which model a conversation fell back to. */
export interface StickyRoutes {
  get(request: MessagesRequest): string | undefined;
  set(request: MessagesRequest, model: string): void;
}

const STICKY_MS = 60 * 60_000;

export function createStickyRoutes(now: () => number): StickyRoutes {
  const routes = new Map<string, { model: string; until: number }>();
  return {
    get(request) {
      const route = routes.get(conversationKey(request));
      return route && route.until > now() ? route.model : undefined;
    },
    set(request, model) {
      routes.set(conversationKey(request), { model, until: now() + STICKY_MS });
    },
  };
}

/** Conversations are told apart by how they begin. */
function conversationKey({ account, model, system, messages }: MessagesRequest): string {
  const first = messages[0]?.blocks.map(({ block }) => String(block.text ?? stableJson(block))) ?? [];
  return digest(account.id, model.id, stableJson(system ?? null), ...first);
}
