import { call, th } from './blocks.ts';
import { type Talk, talk } from './talk.ts';

/** Two steps of one open tool loop, blocks a and b; the third request is still to be sent. Messages 0 to 4. */
export const openLoop = (model: string, config: Record<string, unknown> = {}): Talk =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(th('a'), call('c1'))
    .results('c1')
    .answer(th('b'), call('c2'))
    .results('c2');

/** One answered question with one call, blocks a and b, and the next question. Messages 0 to 4. */
export const closedLoop = (model: string, config: Record<string, unknown> = {}): Talk =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(th('a'), call('c1'))
    .results('c1')
    .answer(th('b'), { type: 'text', text: 'Two crates are late.' })
    .user('And which of them are fragile?');
