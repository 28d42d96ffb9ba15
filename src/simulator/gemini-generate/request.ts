import { failure, type GeminiFailure, isFailure } from '../gemini/api-failure.ts';
import type { Caller } from '../gemini/caller.ts';
import { findGeminiModel, type GeminiModelRow } from '../gemini/models.ts';
import { resolveThinking, type Thinking } from '../gemini/thinking.ts';
import { asList, isWire, type Wire } from '../json.ts';
import type { HeldCache } from './cached-contents.ts';
import { camelCased } from './camel.ts';
import { type PlacedContent, placeContents } from './contents.ts';
import type { GeminiContext } from './context.ts';

/** A request whose shape is sound. */
export interface GenerateRequest {
  /** As sent, its members in camel case. */
  readonly body: Wire;
  readonly model: GeminiModelRow;
  readonly caller: Caller;
  readonly cached?: HeldCache;
  /** What stands in the context cache, then the request's own. */
  readonly contents: readonly PlacedContent[];
  readonly tools: readonly unknown[];
  readonly config: Wire;
  readonly thinking: Thinking;
}

export function readRequest(
  context: GeminiContext,
  sent: Wire,
  modelId: string,
  caller: Caller,
): GenerateRequest | GeminiFailure {
  const body = camelCased(sent) as Wire;
  const model = findGeminiModel(modelId, context.options.models);
  if (!model) return modelNotFound(modelId, caller);
  const own = placeContents(body.contents, caller.host);
  if (isFailure(own)) return own;
  const cached = readCache(context, body, model, caller);
  if (cached && isFailure(cached)) return cached;
  const config = isWire(body.generationConfig) ? body.generationConfig : {};
  const asked = isWire(config.thinkingConfig) ? config.thinkingConfig : {};
  const thinking = resolveThinking(
    { level: asked.thinkingLevel, budget: asked.thinkingBudget, summaries: asked.includeThoughts === true },
    model,
    context.conflicts.newBudgets,
  );
  if (isFailure(thinking)) return thinking;
  return {
    body,
    model,
    caller,
    ...(cached && { cached }),
    contents: [...(cached?.contents ?? []), ...own],
    tools: cached ? cached.tools : asList(body.tools),
    config,
    thinking,
  };
}

function readCache(
  context: GeminiContext,
  body: Wire,
  model: GeminiModelRow,
  caller: Caller,
): HeldCache | GeminiFailure | undefined {
  if (typeof body.cachedContent !== 'string') return undefined;
  const cached = context.contextCaches.find(body.cachedContent, caller.project);
  if (!cached) return failure('CachedContent not found (or permission denied)', 403);
  if (body.systemInstruction != null || body.tools != null || body.toolConfig != null) {
    return failure(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\n' +
        'Proposed fix: move those values to CachedContent from GenerateContent request.',
    );
  }
  if (cached.model !== model.id) {
    return failure(
      `Model used by GenerateContent request (models/${model.id}) and CachedContent (models/${cached.model}) has to be ` +
        'the same.',
    );
  }
  return cached;
}

export function modelNotFound(id: string, { host, project }: Caller): GeminiFailure {
  return failure(
    host === 'vertex'
      ? `Publisher Model \`projects/${project}/locations/global/publishers/google/models/${id}\` was not found or your ` +
          'project does not have access to it.'
      : `models/${id} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to ` +
          'see the list of available models and their supported methods.',
    404,
  );
}
