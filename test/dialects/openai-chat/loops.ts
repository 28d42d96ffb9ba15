import { calls, type Members, says } from './messages.ts';
import { type Talk, talk } from './talk.ts';

/** How a host delivers reasoning: the members of an answer that hold the piece of this name. */
export type Form = (name: string) => Members;

/** Two steps of one open tool loop, reasoning a and b; the third request is still to be sent. Messages 0 to 4. */
export const openLoop = (model: string, form: Form, config: Record<string, unknown> = {}): Talk =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(withCall(form('a'), 'c1'))
    .results('c1')
    .answer(withCall(form('b'), 'c2'))
    .results('c2');

/** One answered question with one call, reasoning a and b, and the next question. Messages 0 to 4. */
export const closedLoop = (model: string, form: Form, config: Record<string, unknown> = {}): Talk =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(withCall(form('a'), 'c1'))
    .results('c1')
    .answer(withText(form('b'), 'Two crates are late.'))
    .user('And which of them are fragile?');

/** A signature stands on the call itself. */
const withCall = (members: Members, id: string): Members => {
  const made = calls(id);
  const { call, ...rest } = members;
  return call === undefined
    ? { ...made, ...rest }
    : { ...rest, tool_calls: [{ ...(made.tool_calls as Members[])[0], ...(call as Members) }] };
};

/** Where reasoning is in the content, the words follow it there. */
const withText = (members: Members, words: string): Members => {
  const { content, call, ...rest } = members;
  if (call !== undefined) return { ...rest, extra_content: (call as Members).extra_content, ...says(words) };
  if (Array.isArray(content)) return { ...rest, content: [...content, { type: 'text', text: words }] };
  return { ...rest, ...says(`${typeof content === 'string' ? content : ''}${words}`) };
};
