import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { BlockPiece } from './read-message.ts';

/**
 * The issued blocks that a sealed block may be. Some servers of this dialect write the same marker under whatever they
 * issue (InternLM/lmdeploy#4851): a value that stands under different texts tells nothing, and the text is the block.
 */
export function sealedBlocks({ text }: BlockPiece, seal: Digest, ledger: Ledger): readonly IssuedBlock[] {
  const blocks = ledger.bySeal(seal);
  if (text === undefined || blocks.every((block) => block.text === blocks[0]?.text)) return blocks;
  return ledger.byReasoning(text).filter((block) => block.seal === seal);
}
