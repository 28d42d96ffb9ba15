import { asObject } from '../json.ts';
import type { JudgeContext } from './judge-context.ts';
import type { RequestFacts } from './read-request.ts';

/** Whether the target still reads the reasoning of a turn that is over. */
export function readsEarlierTurns(turn: number, { facts, turns }: JudgeContext): boolean {
  if (facts.thinking.on === false) return false;
  const kept = facts.thinkingTurnsKept;
  if (kept === 'all') return true;
  if (typeof kept === 'number') return turns.lastTurn - turn < kept;
  return facts.model.row?.keepsAll ?? ASK_FOR_ALL[facts.model.vendor]?.(facts) ?? false;
}

/**
 * Other makers that speak this dialect and ask for the reasoning of every turn: MiniMax (platform.minimax.io
 * text-anthropic-api), DeepSeek in a request with tools (api-docs.deepseek.com guides/thinking_mode), Kimi's models that
 * always preserve it (platform.moonshot.ai), GLM where it is told to (docs.z.ai guides/capabilities/thinking-mode), MiMo in
 * turns with calls (platform.xiaomimimo.com docs).
 */
const ASK_FOR_ALL: Readonly<Record<string, (facts: RequestFacts) => boolean>> = {
  minimax: () => true,
  deepseek: ({ tools }) => tools.count > 0,
  moonshot: ({ model }) => /^kimi-k(?:2\.7|3)/.test(model.id),
  zhipu: ({ body }) => asObject(body.thinking)?.clear_thinking === false,
  xiaomi: ({ tools }) => tools.count > 0,
};
