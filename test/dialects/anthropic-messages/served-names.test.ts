import { describe, it } from 'vitest';
import { call, om, tx } from './blocks.ts';
import { check } from './check.ts';
import { noThinking } from './edits.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from './models.ts';
import { type Talk, talk } from './talk.ts';

/** Names that say nothing of the model behind them: deployments, inference profiles, routes of a gateway. */

const NAME = 'team-assistant-prod';
const ARN = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/ab12cd34';

/** One finished turn and the next question, asked by name and answered by a model. */
const answered = (name: string, model: string): Talk =>
  talk(name, { thinking: { type: 'adaptive' } })
    .user('Which crates are late?')
    .carrying({ model })
    .answer(om('a'), call('c1'))
    .results('c1')
    .carrying({ model })
    .answer(om('b'), tx('Two crates are late.'))
    .user('Since when?');

describe('a name that answers have told the model of', () => {
  it.each([NAME, ARN])('its blocks come back to it: %s', (name) => check(answered(name, KEEPS_ALL).send()));

  it('it keeps what that model keeps', () => {
    check(answered(NAME, KEEPS_ALL).send(noThinking).finds({ dropped: 2 }));
    check(answered(NAME, LAST_TURN_ONLY).send(noThinking).notes({ dropped: 2 }));
  });

  it('it looks at what that model looks at', () =>
    check(answered(NAME, CHECKED).send(undefined, { system: 'Anew.' }).finds({ prefix_broken: 2 })));

  it('another name of the same model reads its blocks, a model of another line does not', () =>
    check(
      answered(NAME, 'claude-fable-5')
        .send(undefined, { model: 'claude-fable-5' })
        .send(undefined, { model: 'claude-sonnet-5-5' })
        .finds({ foreign: 2 }),
    ));
});

describe('a name of Claude that a proxy serves with a model of its own', () => {
  const GLM = { model: 'glm-4.7' };
  const proxied = () =>
    talk('claude-sonnet-4-5')
      .target({ endpoint: 'proxy' })
      .user('Which crates are late?')
      .carrying(GLM)
      .answer(om('a'), call('c1'))
      .results('c1');

  it('its blocks come back to the model that made them', () => check(proxied().send()));

  it('what is left out of them is missed', () => check(proxied().send(noThinking).finds({ dropped: 1 })));

  it('once Claude has answered as well, its name means Claude again', () =>
    check(
      proxied()
        .carrying({ model: 'claude-sonnet-4-5' })
        .answer(om('b'), tx('Two crates are late.'))
        .user('Since when?')
        .send()
        .finds({ foreign: 1 }),
    ));
});

describe('a name of Claude for which a gateway once put in another model', () => {
  it('means Claude, which cannot read what the other one thought', () =>
    check(
      talk('claude-sonnet-4-5')
        .target({ endpoint: 'gateway' })
        .user('Which crates are late?')
        .answer(om('a'), call('c1'))
        .results('c1')
        .carrying({ model: 'glm-4.7' })
        .answer(om('b'), call('c2'))
        .results('c2')
        .send()
        .finds({ foreign: 1 }),
    ));
});

describe('a name of which nothing is known', () => {
  it('at the place where the blocks were made it may be the same model', () =>
    check(answered(KEEPS_ALL, KEEPS_ALL).send(undefined, { model: NAME })));

  it('at another place it is another maker’s, as far as anybody can say', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'anthropic' })
        .user('Which crates are late?')
        .answer(om('a'), tx('Two crates are late.'))
        .user('Since when?')
        .target({ endpoint: 'elsewhere' })
        .send(undefined, { model: NAME })
        .finds({ foreign: 1 }),
    ));

  it('behind a router that takes one model and then another', () =>
    check(
      answered('auto', KEEPS_ALL)
        .carrying({ model: CHECKED })
        .answer(om('c'), tx('Since Monday.'))
        .user('Why?')
        .send(undefined, { system: 'Anew.' }),
    ));
});
