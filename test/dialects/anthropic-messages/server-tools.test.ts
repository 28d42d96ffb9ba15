import { describe, it } from 'vitest';
import { type Block, call, isNamed, th, tx } from './blocks.ts';
import { check } from './check.ts';
import { keepBlocks } from './edits.ts';
import { KEEPS_ALL } from './models.ts';
import { talk } from './talk.ts';

/** Tools that the provider runs itself inside an answer, with the thinking around them. */

const search = (id: string): Block => ({ type: 'server_tool_use', id, name: 'web_search', input: { query: id } });
const found = (id: string): Block => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
const withoutSearch = keepBlocks(({ type }) => !/^(?:server_tool_use|web_search_tool_result)$/.test(type));
const fallback: Block = { type: 'fallback', from: { model: 'claude-fable-5' }, to: { model: KEEPS_ALL } };

const searched = () =>
  talk(KEEPS_ALL)
    .user('Is it deprecated?')
    .answer(th('a'), search('s1'), found('s1'), th('b'), call('c1'))
    .results('c1');

describe('a tool of the provider', () => {
  it('comes back with its result', () => check(searched().send()));

  it('taken out of a sealed answer is a call taken out, once for the answer', () =>
    check(searched().send(withoutSearch).finds({ edited: 1 })));

  it('out of an answer without a seal it is nothing', () =>
    check(
      talk(KEEPS_ALL)
        .user('Is it deprecated?')
        .answer(search('s1'), found('s1'), tx('It is, since June.'))
        .user('Why?')
        .send(withoutSearch),
    ));

  it('that has not run yet may be left to the answer that brings its result', () =>
    check(
      talk(KEEPS_ALL)
        .user('Is it deprecated?')
        .carrying({ stop_reason: 'pause_turn' })
        .answer(th('a'), search('s1'))
        .send(keepBlocks((block) => !isNamed(block, 's1'))),
    ));

  it('of the model that declined may be left out', () =>
    check(
      talk('claude-fable-5')
        .user('Is it deprecated?')
        .answer(search('s1'), found('s1'), fallback, th('b'), call('c1'))
        .results('c1')
        .send(withoutSearch),
    ));
});
