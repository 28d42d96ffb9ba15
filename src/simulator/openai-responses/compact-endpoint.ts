import { isWire, type Wire } from '../json.ts';
import { type ApiFailure, isFailure } from '../openai/api-failure.ts';
import { seeded } from '../seeded.ts';
import { compact, retainedItems } from './compaction.ts';
import type { ResponsesContext } from './context.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import type { ResponsesRequest } from './request.ts';
import { usageObject } from './response-object.ts';

/** `POST /responses/compact`: the user's messages and one compaction item, to be the next input as they are. */
export function compactWindow(
  context: ResponsesContext,
  request: ResponsesRequest,
  label: string,
): { readonly body: Wire; readonly evaluated: Evaluated } | ApiFailure {
  const evaluated = evaluate(context, { ...request, checksPrefix: false });
  if (isFailure(evaluated)) return evaluated;
  const ids = seeded(context.seed, `compact ${label}`);
  const id = ids.id('resp_', 40);
  const { item, tokens } = compact(context, evaluated, ids, undefined);
  const use = { total: evaluated.view.inputTokens, cached: 0, written: 0 };
  const body = {
    id,
    object: 'response.compaction',
    created_at: Math.floor(context.now() / 1000),
    output: [...retainedItems(evaluated), item],
    usage: usageObject(use, tokens, 0, request.model.cacheOptions),
  };
  return { body, evaluated };
}

/** Body of a token count or a compaction as if it were a request's; absent members are fine there. */
export function asRequestBody(body: Wire): Wire {
  return isWire(body) ? { ...body, input: body.input ?? [] } : body;
}
