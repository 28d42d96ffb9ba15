import { describe } from 'vitest';
import { all, type Edit, type Form, gone, type Item, type Spelling, seal, swap, Talk, tests } from './talk.ts';

/** The Interactions API: a history of steps, where a thought is a step of its own and the one that is signed. */
const th = (name: string): Item => ({ type: 'thought', signature: seal(name), summary: [] });
const call = (id: string): Item => ({ type: 'function_call', id, name: `fn_${id}`, arguments: { key: id } });
const done = (id: string): Item => ({
  type: 'function_result',
  call_id: id,
  name: `fn_${id}`,
  result: `result of ${id}`,
});
const says = (text: string): Item => ({ type: 'model_output', content: [{ type: 'text', text }] });
const asks = (text: string): Item => ({ type: 'user_input', content: [{ type: 'text', text }] });

const FORM: Form = {
  api: 'gemini.interactions',
  history: 'input',
  parts: 'content',
  model: 'model',
  assistant: '',
  flat: true,
  response: (steps, model, count) => ({
    id: `int_${count}`,
    model,
    status: steps.some(({ type }) => type === 'function_call') ? 'requires_action' : 'completed',
    steps,
  }),
  user: (...parts) => asks(parts.join(' ')),
  result: done,
};
const G38 = 'gemini-3.8-flash';
const G3 = 'gemini-3-pro-preview';
const whole = (model: string, meta?: Item): Talk => new Talk(FORM, { model, store: false }, meta);
const stored = (model: string): Talk => new Talk(FORM, { model });

const events = (response: Item): readonly Item[] => {
  const steps = response.steps as readonly Item[];
  const { steps: _, ...interaction } = response;
  return [
    { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } },
    ...steps.flatMap((step, index) => [
      { event_type: 'step.start', index, step: step.type === 'thought' ? { ...step, signature: '' } : step },
      ...(step.type === 'thought'
        ? [{ event_type: 'step.delta', index, delta: { type: 'thought_signature', signature: step.signature } }]
        : []),
      { event_type: 'step.stop', index },
    ]),
    { event_type: 'interaction.completed', interaction },
  ];
};
const streamed: Spelling = (steps) =>
  steps.map((step) =>
    step.api === FORM.api && step.response ? { ...step, response: { stream: events(step.response) } } : step,
  );

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = tests({ streamed });
const judged = clean;

const ASK = 'Which barges are due at the lock tonight?';
const result = (talk: Talk, ...ids: readonly string[]): Talk => talk.add(...ids.map(done));
/** Steps: user, thought, call, result. */
const one = (model = G38, meta?: Item): Talk =>
  result(whole(model, meta).add(asks(ASK)).answer(th('a'), call('c1')), 'c1');
const two = (model = G38): Talk => result(one(model).answer(th('b'), call('c2')), 'c2');
const closed = (model = G38): Talk => one(model).answer(th('b'), says('Three.')).add(asks('And tomorrow?'));
const seat = (at: number, item: Item): Edit => swap(at, 1, () => [item]);

describe('the whole history', () => {
  for (const model of [G3, 'gemini-3.5-flash', G38])
    clean(`${model}, as received`, () => two(model).answer(th('c'), says('Three.')).add(asks('And tomorrow?')).send());
  judged('a thought gone in the loop, and gone at the next step', () =>
    result(one().edit(gone(1)).send().finds({ dropped: 1 }).reply(th('b'), call('c2')), 'c2')
      .send()
      .finds({ dropped: 1 }),
  );
  judged('both gone', () => two().send(gone(1, 4)).finds({ dropped: 2 }));
  judged('gone in a closed turn, 3.8', () => closed().send(gone(1)).finds({ dropped: 1 }));
  judged('gone in a closed turn, 3', () => closed(G3).send(gone(1)).notes({ dropped: 1 }));
  judged('its signature cut', () =>
    one()
      .send(seat(1, { ...th('a'), signature: seal('a').slice(0, 16) }))
      .finds({ edited: 1 }),
  );
  judged('another in its place', () =>
    one()
      .send(seat(1, { ...th('a'), signature: 'RXJZQ0NyTUNBZEh0aW05a09vT2tyUGlD' }))
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('behind its call', () =>
    one()
      .send(swap(1, 2, ([thought, made]) => [made, thought].filter((step) => step !== undefined)))
      .finds({ reordered: 1 }),
  );
  judged('twice', () =>
    one()
      .send(swap(1, 1, ([thought]) => (thought ? [thought, thought] : [])))
      .finds({ duplicated: 1 }),
  );
  judged('its signature on the call', () =>
    one()
      .send(swap(1, 2, () => [{ ...call('c1'), signature: seal('a') }]))
      .finds({ misplaced: 1 }),
  );
  judged('as text', () =>
    whole(G38)
      .add(asks(ASK))
      .answer(
        { ...th('a'), summary: [{ type: 'text', text: 'Look at the list of the lock keeper first.' }] },
        call('c1'),
      )
      .add(done('c1'))
      .send(seat(1, says('Look at the list of the lock keeper first.')))
      .finds({ converted_to_text: 1 }),
  );
  judged('the first turn left out', () =>
    closed()
      .answer(th('c'), says('None.'))
      .add(asks('Why?'))
      .send(gone(0, 1, 2, 3, 4, 5))
      .notes({ trimmed: 2 }),
  );
  judged('three faults at once', () =>
    result(two().answer(th('c'), call('c3')), 'c3')
      .send(
        all(
          seat(7, { ...th('c'), signature: seal('c').slice(0, 16) }),
          seat(4, { ...th('b'), signature: 'RXJZQ0NyTUNBZEh0aW05a09vT2tyUGlD' }),
        ),
      )
      .finds({ edited: 1, dropped: 1, fabricated: 1 }),
  );
  judged('refused and repaired', () =>
    one().send(gone(1)).finds({ dropped: 1 }).fails(400, 'Request contains an invalid argument.').send(),
  );
  clean('sent twice', () => one().send().send());
  clean('a helper call in between', () => {
    const talk = one();
    talk
      .on(FORM, { model: 'gemini-3.1-flash-lite', store: false })
      .add(asks(`Title: ${ASK}`))
      .answer(says('Barges'));
    return talk.send();
  });
  clean('a fork', () => {
    const talk = one();
    const other = talk.fork();
    result(talk.answer(th('b'), call('c2')), 'c2').send();
    return result(other.answer(th('z'), call('c3')), 'c3').send();
  });
  clean('a history that begins mid-way', () => whole(G38).add(asks(ASK), call('c0'), done('c0')).send());
  clean('a switch inside the family', () => closed('gemini-3.7-flash').with({ model: G38 }).send());
  // The search of the provider: call and result are signed, too.
  const found = [
    th('a'),
    { type: 'google_search_call', id: 's1', arguments: { queries: ['lock'] }, signature: seal('s') },
    { type: 'google_search_result', call_id: 's1', result: [{ title: 'lock' }], signature: seal('r') },
    says('Three.'),
  ];
  clean('a search, as received', () =>
    whole(G38)
      .add(asks(ASK))
      .answer(...found)
      .add(asks('Sure?'))
      .send(),
  );
  judged('a search filtered out', () =>
    whole(G38)
      .add(asks(ASK))
      .answer(...found)
      .add(asks('Sure?'))
      .send(gone(2, 3))
      .finds({ dropped: 2 }),
  );
});

describe('kept by the provider', () => {
  /** What is new, and the interaction before it. */
  const next = (talk: Talk, ...items: readonly Item[]): Talk => {
    const last = talk.wire.steps.findLast(({ response }) => response !== undefined)?.response?.id;
    return talk.send(() => items, { previous_interaction_id: last });
  };
  const begun = (): Talk => stored(G38).add(asks(ASK)).answer(th('a'), call('c1'));
  clean('chained', () => {
    const talk = next(begun(), done('c1')).reply(th('b'), call('c2'));
    next(talk, done('c2')).reply(th('c'), says('Three.'));
    return next(talk, asks('And tomorrow?'));
  });
  clean('asked twice from one interaction', () => {
    const talk = begun();
    next(talk, done('c1')).fails(503, 'The model is overloaded.');
    return next(talk, done('c1'));
  });
  judged('the call and its result sent again, without thought and chain', () =>
    begun()
      .send(() => [asks(ASK), call('c1'), done('c1')])
      .finds({ dropped: 1 }),
  );
  clean('the whole history sent again, without chain', () => begun().add(done('c1')).send());
  judged('chained to what was not stored', () => {
    const talk = whole(G38).add(asks(ASK)).answer(th('a'), call('c1')).with({ store: undefined });
    return next(talk, done('c1')).finds({ unsealed: 1 });
  });
});
