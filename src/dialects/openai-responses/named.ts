import { type Digest, mix } from '../../continuity/digest.ts';
import type { Ledger } from '../../continuity/ledger.ts';
import type { ItemFacts } from './read-item.ts';

const NONE: readonly never[] = [];

/** An item that is only named stands for the one that was issued under its id. */
export function resolveNamed(item: ItemFacts, ledger: Ledger): ItemFacts {
  if (item.kind !== 'named' || item.id === undefined) return item;
  const { id } = item;
  const piece = ledger
    .byPiece(id)
    .at(-1)
    ?.pieces.find((one) => one.id === id);
  // What nobody here saw issued (an input item, say) is known by its id alone.
  if (piece === undefined) return { ...item, part: mix(NAMED, id) };
  const common = { author: 'model', type: item.type, id, part: piece.part, strings: NONE } as const;
  if (piece.block !== undefined) {
    const { type } = piece.block;
    return {
      ...common,
      kind: 'block',
      type: type === 'compaction' ? type : 'reasoning',
      sealMember: 'missing',
      seal: undefined,
      summaryMember: 'missing',
      summary: undefined,
      textMember: 'missing',
      text: undefined,
      named: true,
    };
  }
  if (piece.call !== undefined) {
    const { name, input, async } = piece.call;
    return { ...common, kind: 'call', key: piece.key, name, input, async: async === true };
  }
  if (piece.kind === 'text') {
    return { ...common, kind: 'text', key: piece.key, length: piece.textLength ?? 0, label: piece.label };
  }
  return { ...common, kind: 'other', key: piece.key };
}

const NAMED: Digest = 1;
