import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, content, drop, move, put, set, splice, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { call, carrier, type Part, sc, seal, signed, thought, tx, user } from './parts.ts';
import { talk } from './talk.ts';

/** What one seal is, and when it is the same one. */

const batch = () => talk(STRICT).user('Both.').answer(sc('a'), call('x')).results('a', 'x');
const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' } };

describe('the seal is the unit, wherever it stands', () => {
  it('nothing is said of a loop that echoes everything', () => check(openLoop(STRICT).send()));

  it.each([
    ['a call', sc('u', { a: 1 })],
    ['a text', signed('u', tx('The whole answer.'))],
    ['an empty text', carrier('u')],
    ['nothing but the seal', { thoughtSignature: seal('u') }],
    ['a picture', signed('u', picture)],
    ['code that ran', signed('u', { executableCode: { language: 'PYTHON', code: 'print(1)' } })],
    ['a call of a server tool', signed('u', { toolCall: { id: 't', toolType: 'GOOGLE_SEARCH_WEB', args: {} } })],
  ])('on %s: dropped where it is gone', (_what, part) =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(tx('Let me see what there is.'), part, call('x'))
        .results('x')
        .send(set('u', { thoughtSignature: undefined }))
        .finds({ dropped: 1 }),
    ),
  );

  it('each for itself', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(signed('t', tx('Let me look.')), sc('a'), call('x'))
        .results('a', 'x')
        .send(stripAll)
        .finds({ dropped: 2 }),
    ));

  it('an empty seal is none', () =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: '' }))
        .finds({ dropped: 1 }),
    ));

  it('gone with its part it is dropped as well', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(signed('t', tx('Let me look.')), sc('a'))
        .results('a')
        .send(drop('t'))
        .finds({ dropped: 1 }),
    ));

  it('an unsigned sibling owes nothing', () => check(batch().send(unsign('a')).finds({ dropped: 1 })));

  it('counts again at each later request, and each step for itself', () =>
    check(
      openLoop(STRICT)
        .edit(unsign('a'))
        .send()
        .finds({ dropped: 1 })
        .reply(sc('c'))
        .results('c')
        .send()
        .finds({ dropped: 1 })
        .reply(sc('d'))
        .results('d')
        .send(unsign('c'))
        .finds({ dropped: 2 }),
    ));
});

describe('identity', () => {
  it.each([
    ['cut', (value: string) => value.slice(0, 60)],
    ['the second half', (value: string) => value.slice(70)],
    ['a few characters changed', (value: string) => `${value.slice(0, 40)}xyz${value.slice(43)}`],
    ['encoded once more', (value: string) => Buffer.from(value).toString('base64')],
    ['in hexadecimal', (value: string) => Buffer.from(value, 'base64').toString('hex')],
    ['in the alphabet of URLs', (value: string) => Buffer.from(value, 'base64').toString('base64url')],
  ])('a value made from the issued one is edited: %s', (_how, change) =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: change(seal('a')) }))
        .finds({ edited: 1 }),
    ),
  );

  it.each([
    ['a list of numbers', [...Buffer.from(seal('a'), 'base64')]],
    ['a Buffer as JSON writes it', Buffer.from(seal('a'), 'base64').toJSON()],
    ['a typed array as JSON writes it', { ...Buffer.from(seal('a'), 'base64') }],
  ])('bytes in the place of the string are edited: %s', (_how, thoughtSignature) =>
    check(openLoop(STRICT).send(set('a', { thoughtSignature })).finds({ edited: 1 })),
  );

  it('an unrelated value is fabricated, and the issued one dropped', () =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: seal('of nobody') }))
        .finds({ fabricated: 1, dropped: 1 }),
    ));

  it("another part's seal is a copy, and the one that it replaced dropped", () =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: seal('b') }))
        .finds({ duplicated: 1, dropped: 1 }),
    ));

  it('two seals exchanged are both misplaced', () => {
    const other: Record<string, string> = { [seal('a')]: seal('b'), [seal('b')]: seal('a') };
    const swap = (part: Part): Part =>
      'thoughtSignature' in part ? { ...part, thoughtSignature: other[String(part.thoughtSignature)] } : part;
    check(
      openLoop(STRICT)
        .send((history) => history.map((one) => ({ ...one, parts: one.parts.map(swap) })))
        .finds({ misplaced: 2 }),
    );
  });

  it.each([
    ['under another name', { signature: seal('a') }],
    ['inside an object of its own', { extra_content: { google: { thought_signature: seal('a') } } }],
  ])('the seal beside its part, %s, is edited', (_how, members) =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: undefined, ...members }))
        .finds({ edited: 1 }),
    ),
  );

  it('inside the call it is not where the API looks', () =>
    check(
      openLoop(STRICT)
        .send(
          set('a', {
            thoughtSignature: undefined,
            functionCall: { ...(call('a').functionCall as object), thoughtSignature: seal('a') },
          }),
        )
        .finds({ edited: 1 }),
    ));

  it('a carrier sent without its text member is refused now and then', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(tx('Done with it.'), carrier('u'))
        .user('And?')
        .send(set('u', { text: undefined }))
        .finds({ edited: 1 }),
    ));

  it('but not where it arrived like that', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(tx('Done with it.'), { thoughtSignature: seal('u') })
        .user('And?')
        .send(),
    ));

  it('what a signed part says is no part of the unit', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(signed('t', tx('The whole answer, at some length.')))
        .user('And?')
        .answer(sc('a', { path: 'src/index.ts', mode: null }))
        .results('a')
        .send(
          all(
            put('t', (part) => ({ ...part, text: 'The whole answer.' })),
            set('a', { functionCall: { name: 'fn_a', args: { path: 'src/index.ts' } } }),
          ),
        ),
    ));

  it('a signed summary of thoughts is, as the reasoning that it is', () =>
    check(
      talk(ADVISORY)
        .user('Go on.')
        .answer(signed('t', thought('First the harbour, then the depot.')), call('x'))
        .results('x')
        .send(set('t', { text: 'First the harbour.' }))
        .finds({ edited: 1 }),
    ));

  it('a signed summary left out with the other thoughts is dropped', () =>
    check(
      talk(ADVISORY)
        .user('Go on.')
        .answer(signed('t', thought('First the harbour, then the depot.')), call('x'))
        .results('x')
        .send(drop('t'))
        .finds({ dropped: 1 }),
    ));
});

describe('fragments of one seal in several parts are one edited', () => {
  const halves = [seal('a').slice(0, 66), seal('a').slice(66)];
  it('on the call and on an empty text', () =>
    check(
      openLoop(STRICT)
        .send(
          put('a', (part) => [
            { ...part, thoughtSignature: halves[0] },
            { text: '', thoughtSignature: halves[1] },
          ]),
        )
        .finds({ edited: 1 }),
    ));
  it('on the call, then twice on nothing', () =>
    check(
      openLoop(STRICT)
        .send(
          put('a', (part) => [
            { ...part, thoughtSignature: seal('a').slice(0, 50) },
            { text: '', thoughtSignature: seal('a').slice(50, 90) },
            { text: '', thoughtSignature: seal('a').slice(90) },
          ]),
        )
        .finds({ edited: 1 }),
    ));
});

describe('history that was never seen issued is not judged', () => {
  const resumed = () =>
    talk(STRICT)
      .append(user('Go.'), { role: 'model', parts: [sc('old'), call('x')] })
      .results('old', 'x');
  it('a transcript that begins in the middle', () => check(resumed().send().reply(sc('a')).results('a').send()));
  it('without any seal', () => check(resumed().edit(stripAll).send()));
  it('while what was seen issued after that is', () =>
    check(resumed().send().reply(sc('a')).results('a').send(stripAll).finds({ dropped: 1 })));
});

describe('what is there once more is a copy', () => {
  it('on a sibling', () =>
    check(
      batch()
        .send(set('x', { thoughtSignature: seal('a') }))
        .finds({ duplicated: 1 }),
    ));
  it('on two siblings', () =>
    check(
      talk(STRICT)
        .user('All.')
        .answer(sc('a'), call('x'), call('y'))
        .results('a', 'x', 'y')
        .send(all(set('x', { thoughtSignature: seal('a') }), set('y', { thoughtSignature: seal('a') })))
        .finds({ duplicated: 2 }),
    ));
  it('on a later step', () =>
    check(
      openLoop(STRICT)
        .send(content(3, (parts) => [...parts, { text: '', thoughtSignature: seal('a') }]))
        .finds({ duplicated: 1 }),
    ));
  it('on what the user said', () =>
    check(
      openLoop(STRICT)
        .send(content(0, () => [{ text: 'Which crates are late today?', thoughtSignature: seal('a') }]))
        .finds({ duplicated: 1 }),
    ));
  it('with its whole content, as the SDK does when it stops at the limit of remote calls', () =>
    check(
      openLoop(STRICT)
        .edit((history) => [...history, history[3] ?? { parts: [] }])
        .user('Go on.')
        .send()
        .finds({ duplicated: 1 }),
    ));
  it('and a finding behind a turn, too', () =>
    check(
      closedLoop(STRICT)
        .send((history) => splice(2, 0, ...history.slice(1, 2))(history))
        .finds({ duplicated: 1 }),
    ));
});

describe('misplaced: the right seal on another part', () => {
  it('from the first call to its sibling', () => check(batch().send(move('a', 'x')).finds({ misplaced: 1 })));
  it('from the call to the text before it', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(tx('Let me look.'), sc('a'))
        .results('a')
        .send(move('a', 'Let me look.'))
        .finds({ misplaced: 1 }),
    ));
  it('from the call to a part of its own', () =>
    check(
      openLoop(STRICT)
        .send(
          all(
            unsign('a'),
            content(1, (parts) => [...parts, { text: '', thoughtSignature: seal('a') }]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));
  it('from one text to the other', () =>
    check(
      talk(KEEPS)
        .user('Continue the story.')
        .answer(tx('The door creaked.'), signed('t', tx('Nobody came.')))
        .user('Then what?')
        .send(move('t', 'The door creaked.'))
        .finds({ misplaced: 1 }),
    ));
  it('to the user', () =>
    check(
      openLoop(STRICT)
        .send(
          all(
            unsign('a'),
            content(0, (parts) => [{ ...parts[0], thoughtSignature: seal('a') }]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));
  it('to a later step', () =>
    check(
      openLoop(STRICT)
        .send(
          all(
            unsign('a'),
            content(3, (parts) => [...parts, { text: '', thoughtSignature: seal('a') }]),
          ),
        )
        .finds({ misplaced: 1 }),
    ));
});
