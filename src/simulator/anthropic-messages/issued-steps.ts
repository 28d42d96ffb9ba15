import { digest, type Wire } from '../json.ts';
import { canonicalBlocks } from './canonical.ts';
import { isReasoning, type PlacedBlock } from './request.ts';
import type { ThinkingMode } from './thinking-config.ts';

/** What the server remembers of an answer, found again by the ids of its tool calls. */
export interface IssuedStep {
  readonly mode: ThinkingMode;
  readonly leadsWithThinking: boolean;
}

export interface IssuedSteps {
  remember(content: readonly Wire[], mode: ThinkingMode, stopReason: string): void;
  /** The answer that the first known call among these blocks belongs to. */
  of(blocks: readonly PlacedBlock[]): IssuedStep | undefined;
  /** Whether these blocks are an answer that stopped unfinished and is to be resumed as it stands. */
  isUnfinished(blocks: readonly PlacedBlock[]): boolean;
}

const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);
/** Oldest answers are forgotten first; a conversation that old is then treated as one from elsewhere. */
const LIMIT = 50_000;

export function createIssuedSteps(): IssuedSteps {
  const byCall = new Map<string, IssuedStep>();
  const unfinished = new Set<string>();
  return {
    remember(content, mode, stopReason) {
      // A client leaves out the reasoning before a fallback; the answer begins behind the last one.
      const first = content[content.findLastIndex(({ type }) => type === 'fallback') + 1];
      const step = { mode, leadsWithThinking: first !== undefined && isReasoning({ type: String(first.type) }) };
      for (const block of content) {
        if (CALLS.has(String(block.type))) byCall.set(String(block.id), step);
      }
      for (const id of byCall.keys()) {
        if (byCall.size <= LIMIT) break;
        byCall.delete(id);
      }
      if (stopReason === 'pause_turn' || stopReason === 'compaction') {
        unfinished.add(visibleDigest(content.map((block) => ({ block, type: String(block.type), path: '' }))));
      }
    },
    of(blocks) {
      for (const { block, type } of blocks) {
        const step = CALLS.has(type) ? byCall.get(String(block.id)) : undefined;
        if (step) return step;
      }
      return undefined;
    },
    isUnfinished: (blocks) => unfinished.has(visibleDigest(blocks)),
  };
}

function visibleDigest(blocks: readonly PlacedBlock[]): string {
  return digest('answer', ...canonicalBlocks(blocks));
}
