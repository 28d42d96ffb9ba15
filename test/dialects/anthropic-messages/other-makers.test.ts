import { describe, it } from 'vitest';
import { call, th, tx } from './blocks.ts';
import { check } from './check.ts';
import { noThinking } from './edits.ts';
import { talk } from './talk.ts';

/** Models of other makers behind this dialect: what they still read of a turn that is over. */

const TOOLS = { tools: [{ name: 'lookup' }] };
const closed = (model: string, config: Record<string, unknown> = {}) =>
  talk(model, config)
    .user('Which crates are late today?')
    .answer(th('a'), call('c1'))
    .results('c1')
    .answer(th('b'), tx('Two crates are late.'))
    .user('And which of them are fragile?');

describe('a finished turn without its thinking', () => {
  it.each([
    ['MiniMax-M3', {}],
    ['deepseek-v4-pro', TOOLS],
    ['kimi-k2.7-code', {}],
    ['glm-5.2', { thinking: { type: 'enabled', clear_thinking: false } }],
    ['mimo-v2.5-pro', TOOLS],
  ])('is a loss where every turn is asked for: %s', (model, config) =>
    check(closed(model, config).send(noThinking).finds({ dropped: 2 })),
  );

  it.each([
    ['deepseek-v4-pro', {}],
    ['kimi-k2.6', {}],
    ['glm-5.2', {}],
    ['vendor-swe-2', TOOLS],
  ])('is a note elsewhere: %s', (model, config) => check(closed(model, config).send(noThinking).notes({ dropped: 2 })));

  it.each([
    'The `content[].thinking` in the thinking mode must be passed back to the API.',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
  ])('is a loss wherever the request is refused for it: %s', (message) =>
    check(closed('kimi-k2.6').send(noThinking).finds({ dropped: 2 }).fails(400, message)),
  );
});
