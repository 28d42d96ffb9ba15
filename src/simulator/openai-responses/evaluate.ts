import { type ApiFailure, isFailure } from '../openai/api-failure.ts';
import { type Binding, bindReasoning } from './binding.ts';
import type { ResponsesContext } from './context.ts';
import { assembleHistory, type History } from './history.ts';
import { checkReasoningPairs, checkToolPairs } from './pairing.ts';
import { type ReasoningConfig, resolveReasoning } from './reasoning-config.ts';
import type { ResponsesRequest } from './request.ts';
import { type OpenedSeals, openSeals } from './sealed-items.ts';
import { renderView, type View } from './view.ts';

/** What a request comes to. */
export interface Evaluated {
  readonly request: ResponsesRequest;
  readonly history: History;
  readonly seals: OpenedSeals;
  readonly config: ReasoningConfig;
  readonly binding: Binding;
  readonly view: View;
}

/** Runs every rule about the conversation. */
export function evaluate(context: ResponsesContext, request: ResponsesRequest): Evaluated | ApiFailure {
  const history = assembleHistory(context, request);
  if (isFailure(history)) return history;
  const { items } = history;
  const seals = openSeals(items, context.sealer);
  if (isFailure(seals)) return seals;
  const config = resolveReasoning(request.body, request.model, items, context.conflicts);
  if (isFailure(config)) return config;
  const refusal = checkReasoningPairs(items, seals, context.issued) ?? checkToolPairs(items);
  if (refusal) return refusal;
  const binding = bindReasoning(context, request, history, seals, config);
  if (isFailure(binding)) return binding;
  return { request, history, seals, config, binding, view: renderView(request, history, seals, binding, config) };
}
