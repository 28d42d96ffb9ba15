import type { JudgeContext } from './judge-context.ts';

/** Whether the target still reads the reasoning of a turn that is over. */
export function readsEarlierTurns(turn: number, { facts, turns }: JudgeContext): boolean {
  if (facts.thinking.on === false) return false;
  const kept = facts.thinkingTurnsKept;
  if (kept === 'all') return true;
  if (typeof kept === 'number') return turns.lastTurn - turn < kept;
  return facts.model.row?.keepsAll ?? false;
}
