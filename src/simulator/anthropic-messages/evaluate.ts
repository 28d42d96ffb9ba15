import type { ApiFailure } from './api-failure.ts';
import { isFailure } from './api-failure.ts';
import { type Binding, bind, unreadable } from './binding.ts';
import type { ApiContext } from './context.ts';
import { type Conversation, readConversation } from './conversation.ts';
import {
  checkLatestRuns,
  checkLeadingThinking,
  checkThinkingOff,
  latestAssistant,
  openingMode,
} from './history-checks.ts';
import type { MessagesRequest } from './request.ts';
import { type ResolvedThinking, resolveThinking } from './thinking-config.ts';
import { renderView, type View } from './view.ts';

/** What a request comes to on the model that is to answer it. */
export interface Evaluated {
  readonly request: MessagesRequest;
  /** As configured. */
  readonly configured: ResolvedThinking;
  /** As it will be: off where the configuration changed inside an open turn. */
  readonly thinking: ResolvedThinking;
  readonly silentlyDisabled: boolean;
  readonly conversation: Conversation;
  readonly binding: Binding;
  readonly view: View;
}

/** Runs every rule about reasoning, in the order in which the API reports them. */
export function evaluate(context: ApiContext, request: MessagesRequest): Evaluated | ApiFailure {
  const { conflicts, issued } = context;
  const configured = resolveThinking(request);
  if (isFailure(configured)) return configured;
  const conversation = readConversation(request, context.sealer);
  if (isFailure(conversation)) return conversation;

  const unread = unreadable(request, conversation, context);
  const latest = latestAssistant(conversation.messages);
  if (latest) {
    // A model that keeps only the open turn strips the blocks of a closed one before it looks at them.
    const looksAtRuns = latest.open || request.model.keeps === 'all';
    const refusal =
      (looksAtRuns ? checkLatestRuns(conversation, latest, unread, conflicts) : undefined) ??
      checkThinkingOff(conversation, latest, configured, unread, conflicts) ??
      checkLeadingThinking(latest, conversation.messages, configured, issued, conflicts);
    if (refusal) return refusal;
  }
  const opening = openingMode(conversation, issued);
  const silentlyDisabled = opening !== undefined && opening !== configured.mode;
  const thinking: ResolvedThinking = silentlyDisabled ? { ...configured, mode: 'off' } : configured;
  const binding = bind(request, configured, conversation, unread, conflicts);
  if (isFailure(binding)) return binding;
  const view = renderView(request, conversation, binding, thinking);
  return { request, configured, thinking, silentlyDisabled, conversation, binding, view };
}
