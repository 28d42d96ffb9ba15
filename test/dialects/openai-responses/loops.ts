import { fc, msg, rs } from './items.ts';
import { chain, conversation, type Talk, talk } from './talk.ts';

type Start = (model: string, config?: Record<string, unknown>) => Talk;

/** Two steps of one open tool loop, reasoning a and b; the third request is still to be sent. Items 0 to 6. */
export const openLoop = (model: string, config: Record<string, unknown> = {}, start: Start = talk): Talk =>
  start(model, config)
    .user('Which crates are late today?')
    .answer(rs('a'), fc('a'))
    .results('a')
    .answer(rs('b'), fc('b'))
    .results('b');

/** One answered question with one call, reasoning a and b, and the next question. Items 0 to 6. */
export const closedLoop = (model: string, config: Record<string, unknown> = {}, start: Start = talk): Talk =>
  start(model, config)
    .user('Which crates are late today?')
    .answer(rs('a'), fc('a'))
    .results('a')
    .answer(rs('b'), msg('Two crates are late.'))
    .user('And which of them are fragile?');

/** The three ways in which a history can be kept. */
export const STARTS: readonly (readonly [string, Start])[] = [
  ['stateless', talk],
  ['by response', chain],
  ['by conversation', conversation],
];
