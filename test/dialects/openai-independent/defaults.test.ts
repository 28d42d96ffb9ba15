import { describe, it } from 'vitest';
import { chat, check, responses, type Talk } from './talk.ts';
import { calls, fc, type Item, out, rs, say, says, seal, thought } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;
const ASK = 'Which of the six depots is short of salt?';

// Rule: whether reasoning is on where the request does not say is the maker's default, unless what comes back shows that the
// host has another. Effective settings are taken from the response.
describe('a default that is the host’s own, over Responses', () => {
  const ROUTER = { endpoint: 'https://openrouter.ai/api/v1' };
  const step = (reasoning: unknown, meta: Item = ROUTER, model = 'openai/gpt-5.1'): Talk =>
    responses(model, { reasoning }, meta).user(ASK).answer(rs('a'), fc('c1')).results('c1');

  clean('never set, and it reasons', () => step(undefined).send().reply(rs('b'), say('m', 'Depot four.')));
  clean('never set, and the second step needs none', () => step(undefined).send().reply(say('m', 'Depot four.')));
  clean('never set, without an answer so far', () => step(undefined).send());
  clean('the effort taken away, and it reasons on', () =>
    step({ effort: 'high' }).send(undefined, { reasoning: undefined }).reply(rs('b'), say('m', 'Depot four.')),
  );
  clean('a summary asked for, which is no switch', () =>
    step(undefined)
      .send(undefined, { reasoning: { summary: 'auto' } })
      .reply(rs('b'), say('m', 'Depot four.')),
  );
  clean('the effort taken away, and the response says which it used', () =>
    step({ effort: 'high' })
      .send(undefined, { reasoning: undefined })
      .receive({ reasoning: { effort: 'medium' } }, say('m', 'Depot four.')),
  );
  judged('the effort taken away, and it does not reason', () =>
    step({ effort: 'high' })
      .send(undefined, { reasoning: undefined })
      .finds({ mode_toggled: 1 })
      .reply(say('m', 'Depot four.')),
  );
  judged('at OpenAI the response says `none`', () =>
    step({ effort: 'high' }, { endpoint: 'https://api.openai.com/v1' }, 'gpt-5.1')
      .send(undefined, { reasoning: undefined })
      .finds({ mode_toggled: 1 })
      .receive({ reasoning: { effort: 'none' } }, say('m', 'Depot four.')),
  );
  // openrouter.ai: `enabled`, `max_tokens` and `effort` are three ways to ask for it.
  clean('from an effort to `enabled`', () =>
    step({ effort: 'high' }).send(undefined, { reasoning: { enabled: true } }),
  );
  clean('from an effort to `max_tokens`', () =>
    step({ effort: 'high' }).send(undefined, { reasoning: { max_tokens: 2000 } }),
  );
  judged('from an effort to `enabled: false`', () =>
    step({ effort: 'high' })
      .send(undefined, { reasoning: { enabled: false } })
      .finds({ mode_toggled: 1 }),
  );
  clean('chained, never set', () => {
    const talk = responses('gpt-5.1', { reasoning: undefined, store: true }, { endpoint: 'https://gateway.corp' })
      .user(ASK)
      .answer(rs('a'), fc('c1'));
    return talk.send(() => [out('c1')], { previous_response_id: talk.last });
  });
});

describe('a default that is the host’s own, over Chat', () => {
  const ROUTER = { endpoint: 'https://openrouter.ai/api/v1' };
  const details = (name: string): Item => ({
    reasoning: thought(name),
    reasoning_details: [
      { type: 'reasoning.summary', summary: thought(name), format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.encrypted', data: seal(name), format: 'openai-responses-v1', index: 0 },
    ],
  });
  const step = (config: Item, model = 'openai/gpt-5.1'): Talk =>
    chat(model, config, ROUTER)
      .user(ASK)
      .answer(calls(details('a'), 'c1'))
      .results('c1');
  const spent = (tokens: number): Item => ({
    usage: { prompt_tokens: 90, completion_tokens: 40, completion_tokens_details: { reasoning_tokens: tokens } },
  });

  clean('never set, and it reasons', () =>
    step({})
      .send()
      .reply(says('Depot four.', details('b'))),
  );
  clean('never set, and the second step needs none', () => step({}).send().receive(spent(0), says('Depot four.')));
  clean('usage asked for as well, which is no switch', () =>
    step({})
      .send(undefined, { usage: { include: true } })
      .reply(says('Depot four.')),
  );
  clean('shown no more, which is no switch', () =>
    step({})
      .send(undefined, { reasoning: { exclude: true } })
      .receive(spent(120), says('Depot four.')),
  );
  clean('the effort taken away, and it reasons on', () =>
    step({ reasoning: { effort: 'high' } })
      .send(undefined, { reasoning: undefined })
      .reply(says('Depot four.', details('b'))),
  );
  judged('the effort taken away, and it does not reason', () =>
    step({ reasoning: { effort: 'high' } })
      .send(undefined, { reasoning: undefined })
      .finds({ mode_toggled: 1 })
      .receive(spent(0), says('Depot four.')),
  );
  judged('switched off by name, whatever comes back', () =>
    step({ reasoning: { effort: 'high' } })
      .send(undefined, { reasoning: { effort: 'none' } })
      .finds({ mode_toggled: 1 })
      .receive(spent(0), says('Depot four.')),
  );
});

// Rule: reasoning switched off inside a cycle is one fault; what is sent of it all the same is not counted again.
describe('switched off inside a loop, at a gateway that then takes no reasoning', () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
  const off = { thinking: { type: 'disabled' } };
  const at = { endpoint: 'https://opencode.example/v1' };
  const EXTRA = 'messages.1.reasoning_content: Extra inputs are not permitted';
  const loop = (): Talk =>
    chat('glm-5.2', {}, at)
      .user(ASK)
      .answer(says('Four.', R('z')))
      .user('Since?')
      .answer(calls(R('a'), 'c1'))
      .results('c1');

  judged('refused', () =>
    chat('glm-5.2', {}, at)
      .user(ASK)
      .answer(calls(R('a'), 'c1'))
      .results('c1')
      .send(undefined, off)
      .finds({ mode_toggled: 1 })
      .fails(400, EXTRA),
  );
  judged('refused, with that of a turn that is over', () =>
    loop().send(undefined, off).finds({ mode_toggled: 1, carried: 1 }).fails(400, EXTRA),
  );
});
