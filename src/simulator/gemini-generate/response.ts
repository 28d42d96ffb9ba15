import type { Caller } from '../gemini/caller.ts';
import { type GeminiModelRow, versionOf } from '../gemini/models.ts';
import type { Wire } from '../json.ts';
import type { CacheUse } from '../openai/prefix-cache.ts';
import type { Composed } from './compose.ts';

/** Zero is not written. https://ai.google.dev/api/generate-content#UsageMetadata */
export function usageMetadata(composed: Composed, { total, cached }: CacheUse, { host }: Caller): Wire {
  const { candidatesTokens, thoughtsTokens, toolUseTokens } = composed;
  const modality = (tokenCount: number) => [{ modality: 'TEXT', tokenCount }];
  return {
    promptTokenCount: total,
    ...(candidatesTokens > 0 && { candidatesTokenCount: candidatesTokens }),
    totalTokenCount: total + candidatesTokens + thoughtsTokens + toolUseTokens,
    ...(cached > 0 && { cachedContentTokenCount: cached, cacheTokensDetails: modality(cached) }),
    promptTokensDetails: modality(total),
    ...(toolUseTokens > 0 && { toolUsePromptTokenCount: toolUseTokens }),
    ...(thoughtsTokens > 0 && { thoughtsTokenCount: thoughtsTokens }),
    ...(host === 'vertex' && { trafficType: 'ON_DEMAND' }),
  };
}

export interface ResponseHead {
  readonly model: GeminiModelRow;
  readonly responseId: string;
  readonly usage: Wire;
  readonly continuationToken?: string;
}

/** A GenerateContentResponse. https://ai.google.dev/api/generate-content */
export function responseObject(
  { parts, finishReason, finishMessage }: Composed,
  { model, responseId, usage, continuationToken }: ResponseHead,
): Wire {
  return {
    candidates: [
      {
        content: { ...(parts.length > 0 && { parts }), role: 'model' },
        finishReason,
        ...(finishMessage !== undefined && { finishMessage }),
        ...(continuationToken !== undefined && { continuationToken }),
        index: 0,
      },
    ],
    usageMetadata: usage,
    modelVersion: versionOf(model),
    responseId,
  };
}
