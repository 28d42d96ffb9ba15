import type { IssuedBlock } from '../../continuity/answer.ts';
import { API } from './api.ts';
import type { BlockItem } from './read-item.ts';

/** How a block came back: whole, whole but for its summary, named where nothing is kept, or changed. */
export type Return = 'intact' | 'summary_changed' | 'unsealed' | 'edited';

/**
 * Id and payload are one unit on this API: the payload may come without the id, the id without the payload only where
 * the provider kept the item. `status`, `created_by` and the like are no part of it.
 */
export function returnOf(item: BlockItem, block: IssuedBlock): Return {
  if (block.answer.request.api !== API) return returnOfOther(item, block);
  if (item.type !== block.type) return 'edited';
  if (item.id !== undefined && block.id !== undefined && item.id !== block.id) return 'edited';
  if (item.named) return isKept(block) ? 'intact' : 'unsealed';
  if (item.seal !== undefined) {
    if (item.seal !== block.seal && !block.otherSeals?.includes(item.seal)) return 'edited';
    // Only the summary is nobody's concern.
    return item.text === block.text ? readable(item, block) : 'edited';
  }
  if (block.seal !== undefined && item.strings.includes(block.seal)) return 'edited';
  const byText = block.seal === undefined && block.text !== undefined;
  // A host that shows its reasoning reads what it is sent; by its id alone it can look it up where it keeps answers.
  if (byText && !(isKept(block) && item.id !== undefined && !saysOther(item, block))) {
    return item.text === block.text ? readable(item, block) : 'edited';
  }
  if (item.id === undefined) return 'edited';
  return isKept(block) ? readable(item, block) : 'unsealed';
}

/** Another API calls it by another name; what can be taken along is its text. */
function returnOfOther(item: BlockItem, block: IssuedBlock): Return {
  const isSame = block.seal === undefined && item.seal === undefined && item.text === block.text;
  return isSame && item.type === 'reasoning' ? readable(item, block) : 'edited';
}

/** Says something in place of the text. */
const saysOther = (item: BlockItem, block: IssuedBlock): boolean =>
  item.textMember !== 'missing' || item.summary !== block.summary;

/** The provider can look it up by its id. */
const isKept = (block: IssuedBlock): boolean => block.answer.request.stored !== false;

function readable(item: BlockItem, block: IssuedBlock): Return {
  // The list has to be there, be it empty; what it says does not count.
  if (item.type === 'reasoning' && item.summaryMember === 'missing') return 'edited';
  return item.summary === block.summary ? 'intact' : 'summary_changed';
}
