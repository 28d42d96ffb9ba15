import { describe, expect, it } from 'vitest';
import { classifyError } from '../../../src/dialects/gemini-generate/errors.ts';
import { check, last } from './check.ts';
import { set, stripAll, unsign } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { KEEPS, STRICT } from './models.ts';
import { call, carrier, model, result, sc, seal, tx, user } from './parts.ts';
import { talk } from './talk.ts';

const body = (message: string): string => JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
const missing = (name: string, position: number): string =>
  body(
    `Function call is missing a thought_signature in functionCall parts. Additional data, function call \`default_api:${name}\` , position ${position}.`,
  );

describe('classes', () => {
  it.each([
    [missing('fn_a', 2), 'missing_thought_signature'],
    ['Function call FC1 in the 2. content block is missing a `thought_signature`.', 'missing_thought_signature'],
    [
      'Unable to submit request because function call `fn_a` in the 2. content block is missing a `thought_signature`.',
      'missing_thought_signature',
    ],
    ['contents[1].parts[0]: Tool call part is missing thought_signature', 'missing_thought_signature'],
    ['Corrupted thought signature.', 'signature_invalid'],
    ['Invalid thought signature.', 'signature_invalid'],
    ['Thought signature is not valid', 'signature_invalid'],
    [
      'Invalid value at \'contents[1].parts[0].thought_signature\' (TYPE_BYTES), Base64 decoding failed for "x"',
      'signature_invalid',
    ],
    [
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      'function_response_mismatch',
    ],
    ['Unable to submit request because it must include at least one parts field', 'content_empty'],
    ['Budget 0 is invalid. This model only works in thinking mode.', 'config_disabled'],
    ['The model does not support setting thinking_budget to 0.', 'config_disabled'],
    ['Request contains an invalid argument.', 'unclassified'],
  ])('%s', (message, rejection) => {
    expect(classifyError({ status: 400, message })?.rejection).toBe(rejection);
    expect(classifyError({ status: 400, message: body(message) })?.rejection).toBe(rejection);
  });
  it.each([429, 500, 503])('%i is no refusal', (status) =>
    expect(classifyError({ status, message: body('Try again.') })).toBeUndefined(),
  );
  it('names the call and its place', () => {
    expect(classifyError({ status: 400, message: missing('fn_a', 2) })).toMatchObject({ call: 'fn_a', position: 2 });
    const vertex = 'function call `fn_b` in the 7. content block is missing a `thought_signature`';
    expect(classifyError({ status: 400, message: vertex })).toMatchObject({ call: 'fn_b', position: 7 });
  });
});

describe('a refusal for a missing signature', () => {
  it('adds nothing to a loss that is known', () =>
    check(openLoop(STRICT).send(unsign('a')).finds({ dropped: 1 }).fails(400, missing('fn_a', 2))));
  it('nor to a batch that was cut up, where none was lost', () =>
    check(
      talk(STRICT)
        .user('Both.')
        .answer(sc('a'), call('x'))
        .results('a', 'x')
        .send((history) => [
          ...history.slice(0, 1),
          model(sc('a')),
          user(result('a')),
          model(call('x')),
          user(result('x')),
        ])
        .finds({ split: 1 })
        .fails(400, missing('fn_x', 4)),
    ));
  it('of a seal that was sent means that a hop has taken it off', () => {
    const one = openLoop(STRICT).send().finds({ dropped: 1 }).fails(400, missing('fn_a', 2));
    check(one);
    expect(last(one).findings).toEqual([
      expect.objectContaining({
        source: 'server',
        reason: 'missing_signature',
        path: 'contents.1.parts.0',
        certainty: 'certain',
      }),
    ]);
    expect(last(one)).toMatchObject({
      rejection: 'missing_thought_signature',
      blocks: { expected: 2, returned: 1, dropped: 1 },
    });
  });
  it('without a name it is the newest', () =>
    expect(last(openLoop(STRICT).send().fails(400, 'x is missing a `thought_signature`')).findings[0]?.path).toBe(
      'contents.3.parts.0',
    ));
  it('of a call from elsewhere blames nobody', () =>
    check(
      talk(STRICT)
        .append(user('Go.'), model(call('old')))
        .results('old')
        .send()
        .fails(400, missing('fn_old', 2)),
    ));
  it('in a finished turn a note becomes a finding', () =>
    check(closedLoop(STRICT).send(unsign('a')).finds({ dropped: 1 }).fails(400, missing('fn_a', 2))));
});

describe('a refusal for a bad signature', () => {
  const refuse = 'Corrupted thought signature.';
  it('adds nothing to an edit', () =>
    check(
      openLoop(STRICT)
        .send(set('a', { thoughtSignature: seal('a').slice(0, 60) }))
        .finds({ edited: 1 })
        .fails(400, refuse),
    ));
  it('of seals as they were issued means that the target cannot read them', () =>
    check(openLoop(STRICT).send().finds({ foreign: 2 }).fails(400, refuse)));
  it('unless others went along that nobody here knows', () =>
    check(
      talk(STRICT)
        .append(user('Go.'), model(sc('old')))
        .results('old')
        .answer(sc('a'))
        .results('a')
        .send()
        .fails(400, refuse),
    ));
  it('confirms what could only be guessed', () => {
    const one = openLoop('gemini-2.5-pro').send(undefined, { model: STRICT }).fails(400, refuse);
    expect(last(one).findings).toEqual([expect.objectContaining({ kind: 'foreign', count: 2, certainty: 'certain' })]);
  });
});

describe('refusals for other causes say nothing about the seals', () => {
  it.each([
    [400, body('Request contains an invalid argument.')],
    [
      400,
      body('Please ensure that the number of function response parts is equal to the number of function call parts'),
    ],
    [429, body('Quota exceeded.')],
    [503, body('The model is overloaded.')],
  ])('%i', (status, message) => check(openLoop(STRICT).send().fails(status, message)));
});

describe('success, and nothing in it', () => {
  it('MISSING_THOUGHT_SIGNATURE names its cause', () => {
    const one = openLoop(STRICT).send(unsign('a')).finds({ dropped: 1 }).ending('MISSING_THOUGHT_SIGNATURE').receive();
    check(one);
    expect(last(one)).toMatchObject({ rejection: 'missing_thought_signature', assertion: 'skip' });
    const taken = openLoop(STRICT).send().finds({ dropped: 1 }).ending('MISSING_THOUGHT_SIGNATURE').receive();
    check(taken);
    expect(last(taken).findings[0]).toMatchObject({ source: 'server', reason: 'missing_signature' });
  });
  it('an empty reply to a result that does not fit its call', () => {
    const one = () =>
      talk(STRICT)
        .user('Go on.')
        .answer(sc('a', {}, 'c-1'));
    for (const answer of [result('a', 'ok'), result('a', 'ok', 'c-9'), result('b', 'ok', 'c-1')]) {
      const told = one().append(user(answer)).send().receive();
      check(told);
      expect(last(told).rejection).toBe('function_response_mismatch');
    }
    expect(
      last(
        one()
          .append(user(result('a', 'ok', 'c-1')))
          .send()
          .receive(tx('')),
      ).rejection,
    ).toBeUndefined();
    expect(
      last(
        one()
          .append(user(result('a', 'ok')))
          .send()
          .receive(tx('Done.')),
      ).rejection,
    ).toBeUndefined();
  });
});

describe('stripped and tried again', () => {
  it('the seals are dropped, and the try belongs to the run', () => {
    const one = openLoop(KEEPS)
      .target({ auth_fingerprint: 'one' })
      .send()
      .finds({ foreign: 2 })
      .fails(400, 'Invalid thought signature.')
      .send(stripAll)
      .finds({ dropped: 2 })
      .reply(tx('Done.'), carrier('t'));
    check(one);
  });
});
