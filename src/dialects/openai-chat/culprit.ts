import type { Culprit } from '../../continuity/vocabulary.ts';
import { canonical } from '../canonical-json.ts';
import { asArray, asObject, isObject, type Json } from '../json.ts';
import type { ComparedAnswer, ComparedBlock } from './compare.ts';
import { asChatAnswer, asChatBlock } from './issued.ts';
import { aroundCorrupted, textOf } from './raw-text.ts';
import type { RequestFacts } from './read-request.ts';

/** Members that `runTools` of `openai` 6.49 and later copies to the message that it sends; all others it leaves behind. */
const REBUILT = new Set(['role', 'audio', 'content', 'function_call', 'name', 'refusal', 'tool_calls']);

/**
 * Whether a helper of the SDK lost it: `runTools`, which rebuilds assistant messages from a fixed list of members, or the
 * assembler of `stream`, which keeps the last value of a member that it has no type for (measured on `openai` 6.49 and
 * 7.59). Undefined where nothing points to either.
 */
export function culpritOf(row: ComparedBlock, compared: ComparedAnswer, facts: RequestFacts): Culprit | undefined {
  const own = asChatBlock(row.block)?.chat;
  const chat = asChatAnswer(compared.answer)?.chat;
  const message = asObject(facts.rawMessages[row.message ?? compared.message]);
  if (own === undefined || chat === undefined || message === undefined) return undefined;
  const gone = row.state === 'dropped';
  const inContent = own.members.every((member) => member.startsWith('content.'));
  if (gone && !inContent && (facts.helper === 'runTools' || isRebuilt(message))) return 'sdk';
  if (!chat.streamed) return undefined;
  if (gone && inContent && aroundCorrupted(textOf(message)) !== undefined) return 'sdk';
  const last = own.members.some(
    (member) => member in message && chat.lastValues.get(member) === canonical(message[member]),
  );
  return last ? 'sdk' : undefined;
}

/** The members, and their order, of a message that `runTools` built. On the wire a name stands before its arguments. */
function isRebuilt(message: Json): boolean {
  if (!Object.keys(message).every((key) => REBUILT.has(key))) return false;
  const calls = asArray(message.tool_calls) ?? [];
  return (
    calls.length > 0 &&
    calls.every(
      (call) => isObject(call) && isObject(call.function) && Object.keys(call.function).join() === 'arguments,name',
    )
  );
}
