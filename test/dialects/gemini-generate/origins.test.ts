import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, set, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { BYPASS, call, carrier, model, sc, seal, signed, thought, tx, user } from './parts.ts';
import { type Step, talk } from './talk.ts';

/** Who issued a seal, who is asked to read it, and values that stand for none. */

const PLACEHOLDERS = [
  BYPASS,
  'context_engineering_is_the_way_to_go',
  Buffer.from(BYPASS).toString('base64'),
  Buffer.from('context_engineering_is_the_way_to_go').toString('base64'),
  `ErYCCrMCAdHtim9kOoOkrPiC${'A'.repeat(396)}`,
];

describe('placeholders', () => {
  it.each(PLACEHOLDERS)('in the place of an issued seal the reasoning is gone: %#', (value) =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: value }))
        .finds({ fabricated: 1, dropped: 1 }),
    ),
  );
  it('on every issued call', () =>
    check(
      openLoop(STRICT)
        .send(all(set('a', { thoughtSignature: BYPASS }), set('b', { thoughtSignature: BYPASS })))
        .finds({ fabricated: 2, dropped: 2 }),
    ));
  it.each(PLACEHOLDERS)('on a sibling that never had one it is an invention: %#', (value) =>
    check(
      talk(STRICT)
        .user('Both.')
        .answer(sc('a'), call('x'))
        .results('a', 'x')
        .send(set('x', { thoughtSignature: value }))
        .finds({ fabricated: 1 }),
    ),
  );
  it('on an issued text as well', () =>
    check(
      closedLoop(STRICT)
        .send(set('Two crates are late.', { thoughtSignature: BYPASS }))
        .finds({ fabricated: 1 }),
    ));
  it.each(PLACEHOLDERS)('on a call that nobody here issued it is what it is there for: %#', (value) =>
    check(
      talk(STRICT)
        .append(user('Go.'), model({ ...call('old'), thoughtSignature: value }))
        .results('old')
        .send()
        .notes({ fabricated: 1 }),
    ),
  );
  it('one on each of them', () =>
    check(
      talk(STRICT)
        .append(
          user('Go.'),
          model({ ...call('old'), thoughtSignature: BYPASS }, { ...call('too'), thoughtSignature: BYPASS }),
        )
        .results('old', 'too')
        .send()
        .notes({ fabricated: 2 }),
    ));
  it('on the calls of an answer that was given without thinking', () =>
    check(
      talk(ADVISORY, { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } })
        .user('Go on.')
        .answer(call('a'), call('x'))
        .results('a', 'x')
        .send(set('a', { thoughtSignature: BYPASS }), { model: STRICT, generationConfig: undefined })
        .notes({ fabricated: 1 }),
    ));
  it('a seal that was never seen here, on a call that was never seen here, says nothing', () =>
    check(
      talk(STRICT)
        .append(user('Go.'), model(sc('old')))
        .results('old')
        .send(),
    ));
});

describe('models', () => {
  const switched = (from: string, to: string) => openLoop(from).with({ model: to });
  it.each([
    ['gemini-3.7-flash', 'gemini-3.8-flash'],
    ['gemini-3-pro-preview', 'gemini-3-flash-preview'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['models/gemini-3-pro-preview', 'gemini-3-pro-preview-11-2025'],
    ['gemini-3-pro-low', 'gemini-3-pro-high'],
  ])('of one family count as readers: %s to %s', (from, to) => check(switched(from, to).send()));
  it.each([
    ['gemini-2.5-pro', 'gemini-3-pro-preview'],
    ['gemini-3-pro-preview', 'gemini-2.5-flash'],
    ['gemini-3.8-flash', 'gemini-4-argon'],
    ['gemini-3-pro-preview', 'claude-opus-4-6'],
    ['claude-opus-4-6', 'gemini-3-pro-preview'],
  ])('of two are foreign: %s to %s', (from, to) => check(switched(from, to).send().finds({ foreign: 2 })));
  it('left out at the switch is clean, with a placeholder a note', () => {
    check(switched('gemini-2.5-pro', STRICT).send(stripAll));
    check(
      switched('gemini-2.5-pro', STRICT)
        .send(all(set('a', { thoughtSignature: BYPASS }), unsign('b')))
        .notes({ fabricated: 1 }),
    );
  });
  it('what it could have read is dropped', () =>
    check(switched('gemini-3.7-flash', 'gemini-3.8-flash').send(stripAll).finds({ dropped: 2 })));
  it('back at the model that reads them they are owed again', () => {
    const back = () =>
      switched('gemini-2.5-pro', STRICT).send(stripAll).reply(sc('c')).results('c').with({ model: 'gemini-2.5-pro' });
    check(back().send(unsign('c')));
    check(back().send(unsign('a', 'c')).finds({ dropped: 1 }));
  });
  it('one alias is one model, whatever it is routed to', () =>
    check(
      talk('gemini-3.5-flash')
        .user('Go on.')
        .carrying({ modelVersion: 'gemini-3.6-flash' })
        .answer(sc('a'))
        .results('a')
        .carrying({ modelVersion: 'gemini-3.5-flash' })
        .answer(sc('b'))
        .results('b')
        .send(),
    ));
  it('who answered is the producer, not who was asked', () =>
    check(
      talk('pool/fast')
        .user('Go on.')
        .carrying({ modelVersion: 'gemini-2.5-flash' })
        .answer(sc('a'))
        .results('a')
        .send(undefined, { model: STRICT })
        .finds({ foreign: 1 }),
    ));
  it('names that a gateway made up say nothing', () =>
    check(
      talk('fast')
        .target({ endpoint: 'gateway.example' })
        .user('Go on.')
        .carrying({ modelVersion: 'gemini-3-flash-preview' })
        .answer(sc('a'))
        .results('a')
        .send(undefined, { model: 'careful' }),
    ));
});

describe('accounts and routes', () => {
  const account = (auth_fingerprint: string) => ({ auth_fingerprint });
  it('another account cannot read', () =>
    check(
      talk(STRICT)
        .target(account('one'))
        .user('Go on.')
        .answer(sc('a'))
        .results('a')
        .target(account('two'))
        .send()
        .finds({ foreign: 1 }),
    ));
  it('in a finished turn as well; left out it is clean', () => {
    const moved = () => {
      const one = talk(STRICT).target(account('one')).user('Go on.').answer(tx('Done.'), carrier('t')).user('And?');
      return one.target(account('two'));
    };
    check(moved().send().finds({ foreign: 1 }));
    check(moved().send(stripAll));
  });
  it('nor can Vertex AI what the Developer API issued', () =>
    check(openLoop(STRICT).target({ endpoint: 'us-central1-aiplatform.googleapis.com' }).send().finds({ foreign: 2 })));
  it('the host of the vendor, named or not, is one', () =>
    check(openLoop(STRICT).target({ endpoint: 'generativelanguage.googleapis.com' }).send()));
  it('regions of Vertex AI are one', () =>
    check(
      talk(STRICT)
        .target({ endpoint: 'us-central1-aiplatform.googleapis.com' })
        .user('Go on.')
        .answer(sc('a'))
        .results('a')
        .target({ endpoint: 'aiplatform.googleapis.com' })
        .send(),
    ));
  it('behind a gateway nobody can tell', () => check(openLoop(STRICT).target({ endpoint: 'gateway.example' }).send()));
});

describe('history from another API', () => {
  const claude: readonly Step[] = [
    {
      api: 'anthropic.messages',
      request: { model: 'claude-sonnet-4-6', messages: [{ role: 'user', content: 'Move on.' }] },
    },
    {
      api: 'anthropic.messages',
      response: {
        model: 'claude-sonnet-4-6',
        stop_reason: 'tool_use',
        content: [
          { type: 'thinking', thinking: 'Somebody else should do it.', signature: seal('claude') },
          { type: 'tool_use', id: 'toolu_1', name: 'fn_a', input: { key: 'a' } },
        ],
      },
    },
  ];
  const taken = (part: Record<string, unknown>) =>
    talk(STRICT)
      .other(...claude)
      .append(user('Move on.'), model(part))
      .results('a');
  it('its seal on a call is foreign', () =>
    check(
      taken({ ...call('a'), thoughtSignature: seal('claude') })
        .send()
        .finds({ foreign: 1 }),
    ));
  it('a placeholder there is a note', () =>
    check(
      taken({ ...call('a'), thoughtSignature: BYPASS })
        .send()
        .notes({ fabricated: 1 }),
    ));
  it('its reasoning as a thought of the target is foreign', () =>
    check(
      talk(STRICT)
        .other(...claude)
        .append(user('Move on.'), model(thought('Somebody else should do it.'), call('a')))
        .results('a')
        .send()
        .finds({ foreign: 1 }),
    ));
  it('a placeholder on nothing but an empty text is refused by newer models', () => {
    const empty = { text: '', thoughtSignature: BYPASS };
    const sent = (name: string) =>
      talk(name)
        .append(user('Go.'), model(empty, call('old')))
        .results('old')
        .send();
    check(sent(STRICT).notes({ fabricated: 1 }));
    check(sent(KEEPS).finds({ fabricated: 1 }));
  });
  it('nothing there is nothing lost', () => check(taken(call('a')).send()));
});

describe('models that refuse the field', () => {
  const told = () =>
    talk('gemma-4-31b-it')
      .user('Go on.')
      .answer(signed('t', tx('Done with it.')))
      .user('And?');
  it('sent it is carried', () => check(told().send().finds({ carried: 1 })));
  it('left out it is as it should be', () => check(told().send(stripAll)));
});

describe('legs of one gateway', () => {
  const client = { leg: 'client', endpoint: 'gateway.example' };
  const egress = { leg: 'gateway' };
  it('a hop that loses what the client sent: the egress request alone is damaged', () => {
    const one = talk(KEEPS).target(client).user('Go on.').send();
    const behind = one.fork().target(egress).send().receive(sc('a'));
    one.record(
      { modelVersion: KEEPS, candidates: [{ content: model(sc('a')), finishReason: 'STOP' }] },
      { answers: 0 },
    );
    one
      .append(model(sc('a')))
      .results('a')
      .send();
    behind
      .append(model(sc('a')))
      .results('a')
      .send(stripAll)
      .finds({ dropped: 1 });
    check(one);
  });
  it('a hop that loses it on the way back: it came unsigned to the client', () => {
    const one = talk(KEEPS).target(client).user('Go on.').send();
    const behind = one.fork().target(egress).send().receive(sc('a'));
    one.record(
      { modelVersion: KEEPS, candidates: [{ content: model(call('a')), finishReason: 'STOP' }] },
      { answers: 0 },
    );
    one
      .append(model(call('a')))
      .results('a')
      .send()
      .finds({ unsigned_on_arrival: 1 });
    behind
      .append(model(call('a')))
      .results('a')
      .send()
      .finds({ dropped: 1 });
    check(one);
  });
});

it('a summary of another model said as a thought of the target is no unit of it', () =>
  check(
    talk(STRICT)
      .append(user('Go.'), model(thought('Elsewhere thought.'), tx('Done.')))
      .user('And?')
      .send(),
  ));
