import { carrier, sc, tx } from './parts.ts';
import { type Talk, talk } from './talk.ts';

/** Two steps of one open tool loop, seals a and b; the third request is still to be sent. Contents 0 to 4. */
export const openLoop = (model: string, config: Record<string, unknown> = {}): Talk =>
  talk(model, config).user('Which crates are late today?').answer(sc('a')).results('a').answer(sc('b')).results('b');

/** One answered question with one call, seals a (call) and b (empty carrier), and the next question. Contents 0 to 4. */
export const closedLoop = (model: string, config: Record<string, unknown> = {}): Talk =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(sc('a'))
    .results('a')
    .answer(tx('Two crates are late.'), carrier('b'))
    .user('And which of them are fragile?');
