import { describe } from 'vitest';
import { all, cut, type Form, type Item, seal, set, Talk, tests } from './talk.ts';
import { fc, fr, GENERATE, gem, model, SKIP, SPELLINGS, text, UNSIGNED, user } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = tests(SPELLINGS);
const judged = clean;

const G3 = 'gemini-3-pro-preview';
const G31 = 'gemini-3.1-pro-preview';
const G35 = 'gemini-3.5-flash';
const ASK = 'Which barges are due at the lock tonight?';
const one = (name: string, meta?: Item): Talk =>
  gem(name, {}, meta).user(ASK).answer(fc('barges', 'a')).results('barges');
const MESSAGES: Form = {
  api: 'anthropic.messages',
  history: 'messages',
  parts: 'content',
  model: 'model',
  assistant: 'assistant',
  response: (content, name) => ({ model: name, stop_reason: 'tool_use', content }),
  user: (...parts) => ({
    role: 'user',
    content: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  }),
  result: (name) => ({ type: 'tool_result', tool_use_id: `toolu_${name}`, content: `result of ${name}` }),
};
const CLAUDE = { model: 'claude-opus-4-8', thinking: { type: 'adaptive' } };
const think = (name: string, thinking = 'Ask the lock keeper.'): Item => ({
  type: 'thinking',
  thinking,
  signature: seal(name),
});
const use = (name: string): Item => ({ type: 'tool_use', id: `toolu_${name}`, name, input: { key: name } });
const say = (value: string): Item => ({ type: 'text', text: value });

describe('from Gemini to Gemini', () => {
  // Same-family reading is unverified and so counts as possible.
  clean('3.7 to 3.8', () => one('gemini-3.7-flash').with({ model: 'gemini-3.8-flash' }).send());
  judged('3.7 to 3.8, left out', () =>
    one('gemini-3.7-flash')
      .with({ model: 'gemini-3.8-flash' })
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('3.5 to 3.8 in a new turn, left out', () =>
    one(G35)
      .answer(text('Three.', 't'))
      .user('And tomorrow?')
      .with({ model: 'gemini-3.8-flash' })
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  judged('3.5 to 3.1 in a new turn, left out', () =>
    one(G35)
      .answer(text('Three.', 't'))
      .user('And tomorrow?')
      .with({ model: G31 })
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .notes({ dropped: 2 }),
  );
  judged('another account', () =>
    one(G3, { auth_fingerprint: 'acc-1' }).to({ auth_fingerprint: 'acc-2' }).send().finds({ foreign: 1 }),
  );
  clean('another account, left out', () =>
    one(G3, { auth_fingerprint: 'acc-1' })
      .answer(text('Three.', 't'))
      .user('Sure?')
      .to({ auth_fingerprint: 'acc-2' })
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED))),
  );
  judged('refused as corrupt after a switch', () =>
    one(G3).with({ model: G35 }).send().finds({ foreign: 1 }).fails(400, 'Corrupted thought signature.'),
  );
  clean('Gemma, left out', () =>
    one(G35)
      .answer(text('Three.', 't'))
      .user('Sure?')
      .with({ model: 'gemma-4-31b-it' })
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED))),
  );
});

describe('from Claude to Gemini', () => {
  const claude = (): Talk => new Talk(MESSAGES, CLAUDE).user(ASK).answer(think('c'), use('barges')).results('barges');
  const over = (talk: Talk, name = G35): Talk => talk.on(GENERATE, { model: name });
  judged('the placeholder', () =>
    over(claude())
      .add(user(ASK), model({ ...fc('barges'), ...SKIP }), user(fr('barges')))
      .send()
      .notes({ fabricated: 1 }),
  );
  judged('the placeholder, and at every later step', () =>
    over(claude())
      .add(user(ASK), model({ ...fc('barges'), ...SKIP }), user(fr('barges')))
      .send()
      .notes({ fabricated: 1 })
      .reply(fc('tide', 'b'))
      .results('tide')
      .send()
      .notes({ fabricated: 1 })
      .reply(text('Three.', 't'))
      .user('And tomorrow?')
      .send()
      .notes({ fabricated: 1 }),
  );
  judged('the placeholder on two calls of the other vendor', () =>
    over(claude().answer(think('d'), use('tide')).results('tide'))
      .add(
        user(ASK),
        model({ ...fc('barges'), ...SKIP }),
        user(fr('barges')),
        model({ ...fc('tide'), ...SKIP }),
        user(fr('tide')),
      )
      .send()
      .notes({ fabricated: 2 }),
  );
  judged('the placeholder on its calls and on a signed one', () =>
    over(claude())
      .add(user(ASK), model({ ...fc('barges'), ...SKIP }), user(fr('barges')))
      .send()
      .notes({ fabricated: 1 })
      .reply(fc('tide', 'b'))
      .results('tide')
      .send(set(3, 0, SKIP))
      .finds({ fabricated: 2, dropped: 1 }),
  );
  judged('its seal as a thought signature', () =>
    over(claude())
      .add(user(ASK), model(fc('barges', 'c')), user(fr('barges')))
      .send()
      .finds({ foreign: 1 }),
  );
  judged('its thinking as a thought part under its seal', () =>
    over(claude())
      .add(
        user(ASK),
        model(
          { text: 'Ask the lock keeper.', thought: true, thoughtSignature: seal('c') },
          { ...fc('barges'), ...SKIP },
        ),
        user(fr('barges')),
      )
      .send()
      .finds({ foreign: 1, fabricated: 1 }),
  );
  clean('calls of a closed turn, without anything', () =>
    over(claude().answer(think('d'), say('Three.')))
      .add(user(ASK), model(fc('barges')), user(fr('barges')), model(text('Three.')), user('And tomorrow?'))
      .send(),
  );
  // There and back.
  const back = (): Talk => {
    const first = claude().answer(say('Three.')).user('And tomorrow?');
    over(first)
      .add(
        user(ASK),
        model({ ...fc('barges'), ...SKIP }),
        user(fr('barges')),
        model(text('Three.')),
        user('And tomorrow?'),
      )
      .send()
      .notes({ fabricated: 1 })
      .reply(text('None.', 'g'));
    return first.add({ role: 'assistant', content: [say('None.')] }).user('Why?');
  };
  clean('and back to Claude, its own thinking kept', () => back().send());
  judged('and back to Claude, its own thinking gone', () => back().send(cut(1, 0)).finds({ dropped: 1 }));
  judged('and back to Claude with the seal of the other', () =>
    back()
      .send((history) =>
        history.map((item, index) =>
          index === 5
            ? { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: seal('g') }, say('None.')] }
            : item,
        ),
      )
      .finds({ foreign: 1 }),
  );
});

describe('from Gemini to Claude and back', () => {
  const away = (name: string): Talk => {
    const first = one(name).answer(text('Three.', 't')).user('And tomorrow?');
    first
      .on(MESSAGES, CLAUDE)
      .add(
        { role: 'user', content: [say(ASK)] },
        { role: 'assistant', content: [use('barges')] },
        { role: 'user', content: [MESSAGES.result('barges')] },
        { role: 'assistant', content: [say('Three.')] },
        { role: 'user', content: [say('And tomorrow?')] },
      )
      .send()
      .reply(say('None.'));
    return first.add(model(text('None.'))).user('Why?');
  };
  clean('its own seals kept', () => away(G35).send());
  judged('its own seals gone, 3.5', () =>
    away(G35)
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  judged('its own seals gone, 3.1', () =>
    away(G31)
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .notes({ dropped: 2 }),
  );
});

// Google serves Claude through generateContent, too: a thinking block is a thought part under Claude's signature.
describe('Claude behind generateContent', () => {
  const BEHIND = 'claude-sonnet-4-5-thinking';
  const MANUAL = { model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 4000 } };
  const TEXT = 'Ask the lock keeper for the list.';
  const thought = (name: string): Item => ({ text: TEXT, thought: true, thoughtSignature: seal(name) });
  const start = (): Talk => gem(BEHIND).user(ASK).answer(thought('c'), fc('barges')).results('barges');
  clean('as received', () => start().send());
  judged('the thought gone', () => start().send(cut(1, 0)).finds({ dropped: 1 }));
  judged('its signature on the call', () =>
    start()
      .send((history) => history.map((item, at) => (at === 1 ? model(fc('barges', 'c')) : item)))
      .finds({ misplaced: 1 }),
  );
  judged('Gemini to it', () => one(G3).with({ model: BEHIND }).send().finds({ foreign: 1 }));
  clean('Gemini to it, left out', () =>
    one(G3)
      .with({ model: BEHIND })
      .send(set(1, 0, UNSIGNED)),
  );
  judged('it to Gemini', () => start().with({ model: G3 }).send().finds({ foreign: 1 }));
  const asMessages = (...content: readonly Item[]) => [
    { role: 'user', content: [say(ASK)] },
    { role: 'assistant', content },
    { role: 'user', content: [MESSAGES.result('barges')] },
  ];
  clean('to the Messages API', () =>
    start()
      .on(MESSAGES, MANUAL)
      .add(...asMessages(think('c', TEXT), use('barges')))
      .send(),
  );
  clean('from the Messages API', () =>
    new Talk(MESSAGES, MANUAL)
      .user(ASK)
      .answer(think('d', TEXT), use('barges'))
      .on(GENERATE, { model: BEHIND })
      .add(user(ASK), model(thought('d'), fc('barges')), user(fr('barges')))
      .send(),
  );
});

// A store of signatures that is kept for the whole process gives one conversation the seals of another.
describe('the seal of another conversation', () => {
  const other = (...parts: readonly Item[]): Talk =>
    one(G3)
      .on(GENERATE, { model: G3 })
      .user('How high is the water?')
      .answer(...parts)
      .results('wind', 'rain');
  judged('in place of its own', () =>
    other(fc('wind', 'w'), fc('rain'))
      .send(set(1, 0, { thoughtSignature: seal('a') }))
      .finds({ dropped: 1, misplaced: 1 }),
  );
  judged('on a call that had none', () =>
    other(fc('wind', 'w'), fc('rain'))
      .send(set(1, 1, { thoughtSignature: seal('a') }))
      .finds({ misplaced: 1 }),
  );
});
