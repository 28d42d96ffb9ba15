import { describe } from 'vitest';
import { all, cut, gone, type Item, pieces, put, seal, set, swap, type Talk, tests } from './talk.ts';
import { fc, fr, gem, model, S, SKIP, SPELLINGS, text, UNSIGNED, user } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = tests(SPELLINGS);
const judged = clean;

const G3 = 'gemini-3-pro-preview';
const G31 = 'gemini-3.1-pro-preview';
const G35 = 'gemini-3.5-flash';
const G25 = 'gemini-2.5-flash';
const ASK = 'Which barges are due at the lock tonight?';
/** A call and its result: contents 0 to 2. */
const one = (name: string, config = {}, meta?: Record<string, unknown>): Talk =>
  gem(name, config, meta).user(ASK).answer(fc('barges', 'a')).results('barges');
/** Two sequential steps: contents 0 to 4. */
const two = (name: string): Talk => one(name).answer(fc('tide', 'b')).results('tide');
/** A batch of three, only the first signed. */
const batch = (name: string): Talk =>
  gem(name).user(ASK).answer(fc('oslo', 'a'), fc('rome'), fc('bonn')).results('oslo', 'rome', 'bonn');
/** A finished turn with a signed answer, and a new question: contents 0 to 4. */
const closed = (name: string): Talk => one(name).answer(text('Three barges.', 't')).user('And tomorrow?');

describe('the open cycle', () => {
  // Every model from 3 on checks the first call of each step.
  for (const name of [
    G3,
    'gemini-3-flash-preview',
    G31,
    'gemini-3.1-flash-lite',
    G35,
    'gemini-3.6-flash',
    'gemini-3.7-flash',
    'gemini-3.8-flash',
    'gemini-4-argon',
  ]) {
    clean(`${name}, as received`, () => two(name).answer(text('Three.', 't')).user('And tomorrow?').send());
    judged(`${name}, a seal gone, and gone again at the next step`, () =>
      one(name)
        .edit(set(1, 0, UNSIGNED))
        .send()
        .finds({ dropped: 1 })
        .reply(fc('tide', 'b'))
        .results('tide')
        .send()
        .finds({ dropped: 1 }),
    );
  }
  // 2.5 does not enforce it; what was signed is lost all the same.
  judged('2.5, a seal gone', () =>
    one(G25)
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  clean('2.5, nothing signed and nothing missing', () =>
    gem(G25).user(ASK).answer(fc('barges')).results('barges').send(),
  );
  clean('2.5, the first part of any type signed', () =>
    gem(G25).user(ASK).answer(text('Looking.', 'a'), fc('barges')).results('barges').send(),
  );
  judged('2.5, signed text before a call, filtered out', () =>
    gem(G25)
      .user(ASK)
      .answer(text('Looking.', 'a'), fc('barges'))
      .results('barges')
      .send(cut(1, 0))
      .finds({ dropped: 1 }),
  );
  judged('the earlier of two steps', () =>
    two(G3)
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('both steps', () =>
    two(G3)
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  judged('null in place of the seal', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: null }))
      .finds({ dropped: 1 }),
  );
  judged('an empty seal', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: '' }))
      .finds({ dropped: 1 }),
  );
  clean('a batch as received', () => batch(G3).send());
  judged('a batch, its seal gone', () =>
    batch(G3)
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('text and call both signed, the text loses its own', () =>
    gem(G3)
      .user(ASK)
      .answer(text('Looking.', 't'), fc('barges', 'a'))
      .results('barges')
      .send(set(1, 0, UNSIGNED))
      .finds({
        dropped: 1,
      }),
  );
  judged('and both', () =>
    gem(G3)
      .user(ASK)
      .answer(text('Looking.', 't'), fc('barges', 'a'))
      .results('barges')
      .send(all(set(1, 0, UNSIGNED), set(1, 1, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  // A user message with a result of the turn's calls does not close it, text beside it or not.
  judged('text beside the result', () =>
    gem(G3)
      .user(ASK)
      .answer(fc('barges', 'a'))
      .user(fr('barges'), 'Be quick.')
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('refused, then repaired', () =>
    one(G3)
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 })
      .fails(
        400,
        'Function call is missing a thought_signature in functionCall parts. Additional data, function call `default_api:barges` , position 2. ',
      )
      .send()
      .reply(text('Three.', 't')),
  );
  judged('refused and sent again as it was', () =>
    one(G3)
      .edit(set(1, 0, UNSIGNED))
      .send()
      .finds({ dropped: 1 })
      .fails(
        400,
        'Unable to submit request because function call `barges` in the 2. content block is missing a `thought_signature`.',
      )
      .send()
      .finds({ dropped: 1 }),
  );
  judged('a 200 that says so', () =>
    one(G3)
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 })
      .receive([], { candidates: [{ finishReason: 'MISSING_THOUGHT_SIGNATURE' }] }),
  );
  for (const name of [
    'models/gemini-3-pro-preview',
    'publishers/google/models/gemini-3.5-flash',
    'gemini-flash-latest',
    'gemini-5-neon',
  ])
    judged(`a model called ${name}`, () =>
      one(name)
        .send(set(1, 0, UNSIGNED))
        .finds({ dropped: 1 }),
    );
  judged('through a gateway', () =>
    one(G3, {}, { endpoint: 'gateway-g' })
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  // The same call made twice: place tells one from the other.
  clean('polling, as received', () => one(G3).answer(fc('barges', 'b')).results('barges').send());
  judged('polling, the second seal gone', () =>
    one(G3)
      .answer(fc('barges', 'b'))
      .results('barges')
      .send(set(3, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('polling, the first seal gone', () =>
    one(G3)
      .answer(fc('barges', 'b'))
      .results('barges')
      .send(set(1, 0, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('three faults at once', () =>
    batch(G3)
      .answer(fc('tide', 'b'))
      .results('tide')
      .answer(fc('wind', 'c'))
      .results('wind')
      .send(all(set(1, 1, SKIP), set(3, 0, UNSIGNED), set(5, 0, { thoughtSignature: seal('c').slice(0, 14) })))
      .finds({ fabricated: 1, dropped: 1, edited: 1 }),
  );
});

describe('server tools and other parts', () => {
  const server = (): Talk =>
    gem(G35)
      .user(ASK)
      .answer(
        { toolCall: { id: 'x1', toolType: 'GOOGLE_SEARCH_WEB' }, ...S('a') },
        { toolResponse: { id: 'x1' }, ...S('b') },
        text('Three.', 't'),
      )
      .user('Sure?');
  clean('as received', () => server().send());
  judged('filtered out', () =>
    server()
      .send(cut(3 - 2, 0, 1))
      .finds({ dropped: 2 }),
  );
  judged('their seals gone', () =>
    server()
      .send(all(set(1, 0, UNSIGNED), set(1, 1, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  const code = (): Talk =>
    gem(G35)
      .user(ASK)
      .answer(
        { executableCode: { language: 'PYTHON', code: 'print(1)' }, ...S('a') },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' }, ...S('b') },
        text('One.'),
      )
      .user('Sure?');
  clean('code, as received', () => code().send());
  judged('code, seals gone', () =>
    code()
      .send(all(set(1, 0, UNSIGNED), set(1, 1, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  const drawn = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
  const image = (meta?: Item): Talk =>
    gem('gemini-3-pro-image-preview', {}, meta)
      .user('Draw a lock.')
      .answer(text('Here.', 'a'), { ...drawn, ...S('b') })
      .user('In blue.');
  judged('the seal of an image gone: the stricter page holds', () =>
    image()
      .send(set(1, 1, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('the seal of an image gone on Vertex AI', () =>
    image({ endpoint: 'us-central1-aiplatform.googleapis.com' })
      .send(set(1, 1, UNSIGNED))
      .notes({ dropped: 1 }),
  );
  clean('an image, as received', () => image().send());
});

describe('placeholders and invented seals', () => {
  for (const value of [
    'skip_thought_signature_validator',
    'context_engineering_is_the_way_to_go',
    Buffer.from('skip_thought_signature_validator').toString('base64'),
  ]) {
    judged(`${value.slice(0, 12)} on a signed call`, () =>
      one(G3)
        .send(set(1, 0, { thoughtSignature: value }))
        .finds({ dropped: 1, fabricated: 1 }),
    );
    judged(`${value.slice(0, 12)} on an unsigned sibling`, () =>
      batch(G35)
        .send(set(1, 2, { thoughtSignature: value }))
        .finds({ fabricated: 1 }),
    );
    judged(`${value.slice(0, 12)} on every call of a batch`, () =>
      batch(G3)
        .send(put(1, (parts) => parts.map((part) => ({ ...part, thoughtSignature: value }))))
        .finds({ dropped: 1, fabricated: 3 }),
    );
  }
  judged('an unrelated value', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: 'RXJZQ0NyTUNBZEh0aW05a09vT2tyUGlD' }))
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('at the next step again', () =>
    one(G3)
      .edit(set(1, 0, SKIP))
      .send()
      .finds({ dropped: 1, fabricated: 1 })
      .reply(fc('tide', 'b'))
      .results('tide')
      .send()
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('on a call of a closed turn of 3', () =>
    closed(G3)
      .send(set(1, 0, SKIP))
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('invented on a text that had none', () =>
    gem(G3)
      .user(ASK)
      .answer(text('Three.'))
      .user('Sure?')
      .send(set(1, 0, SKIP))
      .finds({ fabricated: 1 }),
  );
});

describe('edited seals', () => {
  judged('cut', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: seal('a').slice(0, 16) }))
      .finds({ edited: 1 }),
  );
  judged('cut, of a text in a closed turn', () =>
    closed(G35)
      .send(set(3, 0, { thoughtSignature: seal('t').slice(0, 16) }))
      .finds({ edited: 1 }),
  );
  judged('encoded once more', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: Buffer.from(seal('a')).toString('base64') }))
      .finds({ edited: 1 }),
  );
  judged('decoded', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: Buffer.from(seal('a'), 'base64').toString() }))
      .finds({ edited: 1 }),
  );
  judged('a space at its end', () =>
    one(G3)
      .send(set(1, 0, { thoughtSignature: `${seal('a')}\n` }))
      .finds({ edited: 1 }),
  );
  judged('a call taken out of a signed batch', () =>
    batch(G3)
      .send(all(cut(1, 2), cut(2, 2)))
      .finds({ edited: 1 }),
  );
  judged('two calls taken out: once per answer', () =>
    batch(G3)
      .send(all(cut(1, 1, 2), cut(2, 1, 2)))
      .finds({ edited: 1 }),
  );
  judged('the signed call taken out', () =>
    batch(G3)
      .send(all(cut(1, 0), cut(2, 0)))
      .finds({ dropped: 1 }),
  );
});

describe('places', () => {
  judged('moved to a sibling', () =>
    batch(G3)
      .send(all(set(1, 0, UNSIGNED), set(1, 1, S('a'))))
      .finds({ misplaced: 1 }),
  );
  judged('moved from the text to the call', () =>
    gem(G35)
      .user(ASK)
      .answer(text('Looking.', 'a'), fc('barges'))
      .results('barges')
      .send(all(set(1, 0, UNSIGNED), set(1, 1, S('a'))))
      .finds({ misplaced: 1 }),
  );
  judged('moved from the call to the text', () =>
    gem(G3)
      .user(ASK)
      .answer(text('Looking.'), fc('barges', 'a'))
      .results('barges')
      .send(all(set(1, 0, S('a')), set(1, 1, UNSIGNED)))
      .finds({ misplaced: 1 }),
  );
  judged('two steps with their seals exchanged', () =>
    two(G3)
      .send(all(set(1, 0, S('b')), set(3, 0, S('a'))))
      .finds({ misplaced: 2 }),
  );
  judged('copied to one sibling', () =>
    batch(G3)
      .send(set(1, 1, S('a')))
      .finds({ duplicated: 1 }),
  );
  judged('copied to both siblings', () =>
    batch(G3)
      .send(all(set(1, 1, S('a')), set(1, 2, S('a'))))
      .finds({ duplicated: 2 }),
  );
  judged('copied to the result', () =>
    one(G3)
      .send(set(2, 0, S('a')))
      .finds({ duplicated: 1 }),
  );
  judged('the whole content twice', () =>
    one(G3)
      .send((history) => [...history, ...history.slice(1, 2)])
      .finds({ duplicated: 1 }),
  );
  judged('the whole exchange twice', () =>
    one(G3)
      .send((history) => [...history, ...history.slice(1, 3)])
      .finds({ duplicated: 1 }),
  );
  judged('two steps in the wrong order', () =>
    two(G3)
      .send(
        swap(1, 4, ([first, second, third, fourth]) =>
          [third, fourth, first, second].filter((item) => item !== undefined),
        ),
      )
      .finds({ reordered: 1 }),
  );
  judged('the signed call last in its batch', () =>
    batch(G3)
      .send(put(1, ([first, ...others]) => [...others, ...(first ? [first] : [])]))
      .finds({ reordered: 1 }),
  );
});

describe('boundaries', () => {
  judged('a batch cut in three', () =>
    batch(G3)
      .send(
        swap(1, 2, () => [
          model(fc('oslo', 'a')),
          user(fr('oslo')),
          model(fc('rome')),
          user(fr('rome')),
          model(fc('bonn')),
          user(fr('bonn')),
        ]),
      )
      .finds({ split: 2 }),
  );
  judged('a batch cut in two, results together', () =>
    batch(G3)
      .send(pieces(1, [0], [1, 2]))
      .finds({ split: 1 }),
  );
  judged('cut in two, the seal on both', () =>
    batch(G3)
      .send(
        swap(1, 2, () => [
          model(fc('oslo', 'a')),
          user(fr('oslo')),
          model(fc('rome', 'a'), fc('bonn')),
          user(fr('rome'), fr('bonn')),
        ]),
      )
      .finds({ split: 1, duplicated: 1 }),
  );
  judged('cut in two, and the seal gone', () =>
    batch(G3)
      .send(all(set(1, 0, UNSIGNED), pieces(1, [0], [1, 2])))
      .finds({ split: 1, dropped: 1 }),
  );
  judged('cut in three with placeholders', () =>
    batch(G3)
      .send(
        swap(1, 2, () => [
          model(fc('oslo', 'a')),
          user(fr('oslo')),
          model({ ...fc('rome'), ...SKIP }),
          user(fr('rome')),
          model({ ...fc('bonn'), ...SKIP }),
          user(fr('bonn')),
        ]),
      )
      .finds({ split: 2, fabricated: 2 }),
  );
  judged('each result in a content of its own', () =>
    batch(G3)
      .send(pieces(2, [0], [1], [2]))
      .finds({ split_results: 2 }),
  );
  clean('results in another order', () => batch(G3).send(put(2, (parts) => [...parts].reverse())));
  judged('two steps in one content', () =>
    two(G3)
      .send(swap(1, 4, () => [model(fc('barges', 'a'), fc('tide', 'b')), user(fr('barges'), fr('tide'))]))
      .finds({ merged: 1 }),
  );
  const prose = (name: string): Talk =>
    gem(name).user(ASK).answer(text('Three barges. '), text('Two are late.', 't')).user('Sure?');
  judged('a signed text joined with the unsigned one before', () =>
    prose(G35)
      .send(put(1, () => [text('Three barges. Two are late.', 't')]))
      .finds({ merged: 1 }),
  );
  judged('joined, and no seal survives, on 3.5', () =>
    prose(G35)
      .send(put(1, () => [text('Three barges. Two are late.')]))
      .finds({ dropped: 1 }),
  );
  judged('joined, and no seal survives, on 3.1', () =>
    prose(G31)
      .send(put(1, () => [text('Three barges. Two are late.')]))
      .notes({ dropped: 1 }),
  );
  judged('two signed texts joined under the second seal', () =>
    gem(G35)
      .user(ASK)
      .answer(text('Three barges. ', 'a'), text('Two are late.', 'b'))
      .user('Sure?')
      .send(put(1, () => [text('Three barges. Two are late.', 'b')]))
      .finds({ merged: 1, dropped: 1 }),
  );
  clean('unsigned texts joined', () =>
    gem(G35)
      .user(ASK)
      .answer(text('Three '), text('barges. '), text('Two are late.', 't'))
      .user('Sure?')
      .send(put(1, (parts) => [text('Three barges. '), ...parts.slice(2)])),
  );
});

describe('the empty carrier', () => {
  const carrier = (name: string): Talk =>
    gem(name).user(ASK).answer(text('Three barges.'), text('', 't')).user('And tomorrow?');
  for (const name of [G31, G35]) clean(`${name}, as received`, () => carrier(name).send());
  judged('skipped on 3.5', () => carrier(G35).send(cut(1, 1)).finds({ dropped: 1 }));
  judged('skipped on 4', () => carrier('gemini-4-argon').send(cut(1, 1)).finds({ dropped: 1 }));
  judged('skipped on 3.1', () => carrier(G31).send(cut(1, 1)).notes({ dropped: 1 }));
  judged('skipped on 3', () => carrier(G3).send(cut(1, 1)).notes({ dropped: 1 }));
  judged('kept without its seal', () =>
    carrier(G35)
      .send(set(1, 1, UNSIGNED))
      .finds({ dropped: 1 }),
  );
  judged('skipped, and again a turn later', () =>
    carrier(G35)
      .edit(cut(1, 1))
      .send()
      .finds({ dropped: 1 })
      .reply(text('None.', 'u'))
      .user('Why?')
      .send()
      .finds({ dropped: 1 }),
  );
});

describe('closed turns', () => {
  for (const name of [G35, 'gemini-3.6-flash', 'gemini-3.7-flash', 'gemini-3.8-flash', 'gemini-4-argon'])
    judged(`${name} reads them`, () =>
      closed(name)
        .send(set(1, 0, UNSIGNED))
        .finds({ dropped: 1 }),
    );
  for (const name of [G3, 'gemini-3-flash-preview', G31, G25])
    judged(`${name} is not known to`, () =>
      closed(name)
        .send(set(1, 0, UNSIGNED))
        .notes({ dropped: 1 }),
    );
  judged('both seals, 3.5', () =>
    closed(G35)
      .send(all(set(1, 0, UNSIGNED), set(3, 0, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  judged('an old one in an open cycle of 3.1: the cycle of the unit counts', () =>
    closed(G31)
      .answer(fc('tide', 'b'))
      .results('tide')
      .send(set(1, 0, UNSIGNED))
      .notes({ dropped: 1 }),
  );
  judged('an old one and one of the open cycle, 3.1', () =>
    closed(G31)
      .answer(fc('tide', 'b'))
      .results('tide')
      .send(all(set(1, 0, UNSIGNED), set(5, 0, UNSIGNED)))
      .finds({ dropped: 2 }),
  );
  judged('only the final text kept of a turn', () => closed(G35).send(gone(1, 2)).notes({ trimmed: 1 }));
  judged('the first turn left out by a window', () =>
    closed(G35)
      .answer(text('None.', 'u'))
      .user('Why?')
      .send(gone(0, 1, 2, 3))
      .notes({ trimmed: 2 }),
  );
  judged('the exchange that a chat takes for invalid', () =>
    gem(G35)
      .user(ASK)
      .answer(text('Three.', 'a'))
      .user('Sure?')
      .answer(text('Yes.', 'b'))
      .user('And tomorrow?')
      .send(gone(0, 1))
      .notes({ trimmed: 1 }),
  );
  judged('a step of the open cycle left out with its result', () => two(G3).send(gone(1, 2)).notes({ trimmed: 1 }));
});

// What a history of `response.text` keeps: the calls and results are gone, the short texts are there without their seals.
describe('only what was said', () => {
  const said = (history: readonly Item[]): readonly Item[] =>
    history.flatMap(({ role, parts }) => {
      const texts = (parts as readonly Item[]).flatMap((part) =>
        typeof part.text === 'string' ? [text(part.text)] : [],
      );
      return texts.length === 0 ? [] : [{ role, parts: texts }];
    });
  judged('of one turn, 3.5', () => closed(G35).send(said).finds({ dropped: 1, trimmed: 1 }));
  judged('of one turn, 3.1', () => closed(G31).send(said).notes({ dropped: 1, trimmed: 1 }));
  judged('of two turns', () =>
    closed(G35)
      .answer(fc('tide', 'b'))
      .results('tide')
      .answer(text('None.', 'u'))
      .user('Why?')
      .send(said)
      .finds({ dropped: 2, trimmed: 2 }),
  );
  judged('of two turns that said the same', () =>
    closed(G35)
      .answer(fc('tide', 'b'))
      .results('tide')
      .answer(text('Three barges.', 'u'))
      .user('Why?')
      .send(said)
      .finds({ dropped: 2, trimmed: 2 }),
  );
});

describe('only what was said, by somebody else', () => {
  const shown = [user(ASK), model(text('Three barges.')), user('A title for this?')];
  clean('a helper of another model with its own instruction', () =>
    closed(G35)
      .send()
      .on(closed(G35).form, { model: 'gemini-3.1-flash-lite', systemInstruction: { parts: [{ text: 'Titles.' }] } })
      .add(...shown)
      .send(),
  );
  clean('a branch from an answer that the run has gone on from', () =>
    closed(G35)
      .answer(text('None.', 'u'))
      .on(closed(G35).form, { model: G35 })
      .add(...shown)
      .send(),
  );
});

describe('what arrived without a seal', () => {
  const bare = (name: string): Talk => gem(name).user(ASK).answer(fc('barges')).results('barges');
  for (const name of [G3, G35, 'gemini-3.8-flash'])
    judged(`${name}: where it is carried`, () =>
      bare(name)
        .send()
        .finds({ unsigned_on_arrival: 1 })
        .reply(fc('tide', 'b'))
        .results('tide')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    );
  judged('3.1, its turn closed', () =>
    bare(G31)
      .send()
      .finds({ unsigned_on_arrival: 1 })
      .reply(text('Three.', 't'))
      .user('And tomorrow?')
      .send()
      .notes({ unsigned_on_arrival: 1 }),
  );
  judged('3.5, its turn closed', () =>
    bare(G35)
      .send()
      .finds({ unsigned_on_arrival: 1 })
      .reply(text('Three.', 't'))
      .user('And tomorrow?')
      .send()
      .finds({ unsigned_on_arrival: 1 }),
  );
  clean('an unsigned text answer', () => gem(G3).user(ASK).answer(text('Three.')).user('Sure?').send());
});

describe('clean', () => {
  clean('thought summaries kept', () =>
    gem(G3).user(ASK).answer({ text: 'Look at the list.', thought: true }, fc('barges', 'a')).results('barges').send(),
  );
  clean('thought summaries left out', () =>
    gem(G3)
      .user(ASK)
      .answer({ text: 'Look at the list.', thought: true }, fc('barges', 'a'))
      .results('barges')
      .send(cut(1, 0)),
  );
  clean('ids added to calls', () =>
    one(G3).send(
      all(
        put(1, (parts) =>
          parts.map((part) => ({ ...part, functionCall: { ...(part.functionCall as object), id: 'call-1' } })),
        ),
        put(2, (parts) =>
          parts.map((part) => ({ ...part, functionResponse: { ...(part.functionResponse as object), id: 'call-1' } })),
        ),
      ),
    ),
  );
  clean('arguments in another order', () =>
    gem(G3)
      .user(ASK)
      .answer(fc('barges', 'a', { lock: 4, day: 'today' }))
      .results('barges')
      .send(set(1, 0, { functionCall: { args: { day: 'today', lock: 4 }, name: 'barges' } })),
  );
  clean('members in another order', () =>
    one(G3).send(put(1, () => [{ ...S('a'), functionCall: { name: 'barges', args: { key: 'barges' } } }])),
  );
  clean('sent twice', () => one(G3).send().send());
  clean('a network error, then sent again', () => one(G3).send().fails(503, 'The model is overloaded.').send());
  clean('system text and tools changed: nothing here checks a prefix', () =>
    one(G35, { systemInstruction: { parts: [{ text: 'Be brief.' }] } }).send(undefined, {
      systemInstruction: { parts: [{ text: 'Be long.' }] },
      tools: [{ functionDeclarations: [{ name: 'tide' }] }],
    }),
  );
  clean('a helper call in between', () => {
    const talk = one(G3);
    talk.on(talk.form, { model: 'gemini-3.1-flash-lite' }).user(`Title for: ${ASK}`).answer(text('Barges', 'h'));
    return talk.send();
  });
  clean('another conversation with the same words in between', () => {
    const talk = one(G3);
    talk
      .on(talk.form, { model: G3 })
      .user(ASK)
      .answer(fc('barges', 'z'))
      .results('barges')
      .send()
      .reply(text('Four.', 'y'));
    return talk.send();
  });
  clean('a fork from the first step', () => {
    const talk = one(G3);
    const other = talk.fork();
    talk.answer(fc('tide', 'b')).results('tide').send();
    return other.answer(fc('wind', 'c')).results('wind').send();
  });
  clean('an answer thrown away and asked for again', () =>
    gem(G35)
      .user(ASK)
      .send()
      .receive([text('Two.', 'x')])
      .answer(text('Three.', 'a'))
      .user('Sure?')
      .send(),
  );
  clean('everything summed up in one message', () =>
    closed(G35).send(() => [user('So far: three barges. Now: and tomorrow?')]),
  );
  clean('a history that begins mid-way', () =>
    gem(G3)
      .add(user(ASK), model(fc('barges', 'unseen')), user(fr('barges')))
      .send(),
  );
  clean('a continuation of the same step', () =>
    gem(G35)
      .user(ASK)
      .send()
      .receive([text('Three bar')], {
        candidates: [
          {
            content: { role: 'model', parts: [text('Three bar')] },
            finishReason: 'CONTINUATION',
            continuationToken: 'k1',
          },
        ],
      })
      .send(undefined, { continuationToken: 'k1' })
      .reply(text('ges.', 't')),
  );
  clean('an answer without content, asked again', () =>
    gem(G3)
      .user(ASK)
      .send()
      .receive([], { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(x' }] })
      .answer(fc('barges', 'a'))
      .results('barges')
      .send(),
  );
  clean('served by the model after', () =>
    gem(G35)
      .user(ASK)
      .send()
      .receive([fc('barges', 'a')], { modelVersion: 'gemini-3.6-flash' })
      .add(model(fc('barges', 'a')))
      .results('barges')
      .send(),
  );
  clean('contents as a string', () =>
    gem(G3)
      .with({ contents: undefined })
      .send(() => [user(ASK)])
      .reply(text('Three.', 't'))
      .edit((history) => [user(ASK), ...history])
      .user('Sure?')
      .send(),
  );
});

describe('thinking switched', () => {
  const off = { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
  judged('off by a budget of 0 in a cycle of 2.5 flash', () =>
    one(G25).send(undefined, off).finds({ mode_toggled: 1 }),
  );
  judged('off, and the seal gone', () =>
    one(G25)
      .send(set(1, 0, UNSIGNED), off)
      .finds({ mode_toggled: 1, dropped: 1 }),
  );
  judged('the parameter gone, whose default is off', () =>
    one('gemini-2.5-flash-lite', { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } })
      .send(undefined, { generationConfig: {} })
      .finds({ mode_toggled: 1 }),
  );
  clean('between two turns', () => closed(G25).send(undefined, off));
  clean('the parameter gone, whose default is on', () =>
    one(G25, { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } }).send(undefined, {
      generationConfig: {},
    }),
  );
  clean('another budget', () =>
    one(G25, { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } }).send(undefined, {
      generationConfig: { thinkingConfig: { thinkingBudget: 512 } },
    }),
  );
  clean('another level', () =>
    one(G3, { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } }).send(undefined, {
      generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } },
    }),
  );
  clean('summaries no longer asked for', () =>
    one(G3, { generationConfig: { thinkingConfig: { includeThoughts: true } } }).send(undefined, {
      generationConfig: { thinkingConfig: { includeThoughts: false } },
    }),
  );
  judged('as the SDK takes it', () =>
    one(G25, { config: { thinkingConfig: { thinkingBudget: 1024 } } })
      .send(undefined, { config: { thinkingConfig: { thinkingBudget: 0 } } })
      .finds({ mode_toggled: 1 }),
  );
});
