import { isWire, stableJson, type Wire } from '../json.ts';
import { textTokens } from '../text-tokens.ts';
import type { MessagesRequest } from './request.ts';
import { contentTokens } from './tokens.ts';

/** Says why the prompt cache could not reuse an earlier request. https://platform.claude.com/docs/en/build-with-claude/cache-diagnostics */
export interface CacheDiagnostics {
  /** `diagnostics` of an answer; undefined when not asked for. */
  of(request: MessagesRequest): Wire | null | undefined;
  remember(id: string, request: MessagesRequest): void;
}

export function createCacheDiagnostics(): CacheDiagnostics {
  const requests = new Map<string, MessagesRequest>();
  return {
    of(request) {
      if (!isWire(request.body.diagnostics)) return undefined;
      const previousId = request.body.diagnostics.previous_message_id;
      if (previousId == null) return null;
      const previous = requests.get(String(previousId));
      if (!previous) return { cache_miss_reason: { type: 'previous_message_not_found' } };
      const reason = firstDivergence(previous, request);
      return reason ? { cache_miss_reason: reason } : null;
    },
    remember(id, request) {
      // Only conversations that ask are worth keeping.
      if (isWire(request.body.diagnostics)) requests.set(id, request);
    },
  };
}

function firstDivergence(before: MessagesRequest, now: MessagesRequest): Wire | undefined {
  const missed = (type: string, tokens: number) => ({ type, cache_missed_input_tokens: tokens });
  const messageTokens = now.messages.reduce(
    (sum, { blocks }) => sum + contentTokens(blocks.map(({ block }) => block)),
    0,
  );
  const systemTokens = typeof now.system === 'string' ? textTokens(now.system) : contentTokens(now.system);
  const toolTokens = textTokens(stableJson(now.tools));
  if (before.model !== now.model) return missed('model_changed', toolTokens + systemTokens + messageTokens);
  if (stableJson(before.tools) !== stableJson(now.tools)) {
    return missed('tools_changed', toolTokens + systemTokens + messageTokens);
  }
  if (stableJson(before.system ?? null) !== stableJson(now.system ?? null)) {
    return missed('system_changed', systemTokens + messageTokens);
  }
  const settings = ['thinking', 'tool_choice', 'output_config'];
  if (settings.some((name) => stableJson(before.body[name] ?? null) !== stableJson(now.body[name] ?? null))) {
    return { type: 'unavailable' };
  }
  const same = before.messages.every(
    ({ role, blocks }, index) =>
      role === now.messages[index]?.role &&
      stableJson(blocks.map(({ block }) => block)) ===
        stableJson(now.messages[index]?.blocks.map(({ block }) => block)),
  );
  return same ? undefined : missed('messages_changed', messageTokens);
}
