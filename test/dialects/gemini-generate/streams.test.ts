import { describe, expect, it } from 'vitest';
import { check, judge } from './check.ts';
import { content, set, unsign } from './edits.ts';
import { KEEPS, STRICT } from './models.ts';
import { BYPASS, call, carrier, model, type Part, result, sc, seal, signed, thought, tx, user } from './parts.ts';
import { type Talk, talk } from './talk.ts';

/** Streams as they arrive, and what a correct assembler makes of them. */

const chunk = (...parts: readonly Part[]) => ({ candidates: [{ content: { role: 'model', parts } }] });
const ended = (finishReason = 'STOP', more = {}) => ({ candidates: [{ finishReason, ...more }] });

/** A question, an answer in these chunks, and what the client sends next. */
const streamed = (
  chunks: readonly object[],
  kept: readonly Part[],
  name = STRICT,
  meta?: Record<string, unknown>,
): Talk =>
  talk(name)
    .user('Go on.')
    .send()
    .record({ stream: chunks }, meta)
    .append(model(...kept));

describe('parts of chunks', () => {
  it('an empty text at the end carries a seal of its own', () => {
    const chunks = [chunk(tx('Short waves')), chunk(tx(' scatter more.')), chunk(carrier('t')), ended()];
    check(
      streamed(chunks, [tx('Short waves scatter more.'), carrier('t')], KEEPS)
        .user('And?')
        .send(),
    );
    check(
      streamed(chunks, [tx('Short waves scatter more.')], KEEPS)
        .user('And?')
        .send()
        .finds({ dropped: 1 }),
    );
  });
  it('in the very chunk that ends the answer', () => {
    const last = { candidates: [{ content: { parts: [carrier('t')] }, finishReason: 'STOP' }] };
    check(
      streamed([chunk(tx('Done.')), last], [tx('Done.')], KEEPS)
        .user('And?')
        .send()
        .finds({ dropped: 1 }),
    );
  });
  it('calls in chunks of their own are one batch', () => {
    const chunks = [chunk(thought('Both, then.')), chunk(sc('a')), chunk(call('x')), ended()];
    check(
      streamed(chunks, [sc('a'), call('x')])
        .results('a', 'x')
        .send(),
    );
    check(
      streamed(chunks, [call('a'), call('x')])
        .results('a', 'x')
        .send()
        .finds({ dropped: 1 }),
    );
  });
  it('a chunk without content, role or candidate', () =>
    check(
      streamed(
        [
          { usageMetadata: { trafficType: 'ON_DEMAND' } },
          { candidates: [{ content: { parts: [sc('a')] } }] },
          { candidates: [{ content: {} }] },
          ended(),
        ],
        [sc('a')],
      )
        .results('a')
        .send(),
    ));
  it('every candidate is an answer of its own', () => {
    const both = {
      candidates: [sc('a'), sc('b')].map((part, index) => ({ index, content: model(part), finishReason: 'STOP' })),
    };
    check(
      talk(STRICT)
        .user('Go on.')
        .send()
        .record(both)
        .append(model(sc('b')))
        .results('b')
        .send(unsign('b'))
        .finds({ dropped: 1 }),
    );
  });
});

describe('arguments in pieces', () => {
  const fn = (members: object): Part => ({ functionCall: members });
  const pieces = [
    chunk({ ...fn({ name: 'fn_a', willContinue: true }), thoughtSignature: seal('a') }),
    chunk(fn({ partialArgs: [{ jsonPath: '$.city', stringValue: 'Gr', willContinue: true }], willContinue: true })),
    chunk(fn({ partialArgs: [{ jsonPath: '$.city', stringValue: 'az' }], willContinue: true })),
    chunk(fn({ partialArgs: [{ jsonPath: '$.days[0].n', numberValue: 2 }], willContinue: true })),
    chunk(fn({})),
    chunk(call('x')),
    ended(),
  ];
  const whole = sc('a', { city: 'Graz', days: [{ n: 2 }] });
  it('are one call', () => {
    check(
      streamed(pieces, [whole, call('x')])
        .results('a', 'x')
        .send(),
    );
    const judged = [...judge(streamed(pieces, []).steps).values()];
    expect(judged.at(-1)?.toolCalls).toEqual([
      { name: 'fn_a', repeated: false },
      { name: 'fn_x', repeated: false },
    ]);
  });
  it('and its seal is owed', () =>
    check(
      streamed(pieces, [call('a', { city: 'Graz', days: [{ n: 2 }] }), call('x')])
        .results('a', 'x')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('echoed in pieces as they came', () => {
    const raw = pieces.flatMap(({ candidates: [one] }) => (one && 'content' in one ? one.content.parts : []));
    check(streamed(pieces, raw).results('a', 'x').send());
  });
});

describe('one seal in pieces', () => {
  const cut = [seal('a').slice(0, 45), seal('a').slice(45, 90), seal('a').slice(90)] as const;
  it.each([
    ['on the same call again', [call('a', { k: 1 }, 'c'), call('a', { k: 1 }, 'c'), call('a', { k: 1 }, 'c')]],
    ['on a call without a name', [call('a'), { functionCall: {} }, { functionCall: {} }]],
  ])('%s', (_where, parts) => {
    const chunks = [...parts.map((part, i) => chunk({ ...part, thoughtSignature: cut[i] })), ended()];
    const made = (thoughtSignature: string): Part[] => [{ ...(parts[0] as Part), thoughtSignature }];
    check(
      streamed(chunks, made(seal('a')))
        .results('a')
        .send(),
    );
    check(streamed(chunks, made(cut[0])).results('a').send().finds({ edited: 1 }));
    check(streamed(chunks, made(cut[2])).results('a').send().finds({ edited: 1 }));
  });
  it('on empty texts: cut where no seal ends', () => {
    const halves = [seal('t').slice(0, 45), seal('t').slice(45)];
    const chunks = [
      chunk(tx('Done.')),
      ...halves.map((thoughtSignature) => chunk({ text: '', thoughtSignature })),
      ended(),
    ];
    check(
      streamed(chunks, [tx('Done.'), carrier('t')], KEEPS)
        .user('And?')
        .send(),
    );
    check(
      streamed(chunks, [tx('Done.'), { text: '', thoughtSignature: halves[1] }], KEEPS)
        .user('And?')
        .send()
        .finds({ edited: 1 }),
    );
  });
  it('two whole seals in a row are two', () =>
    check(
      streamed(
        [chunk(tx('Done.')), chunk(carrier('s')), chunk(carrier('t')), ended()],
        [tx('Done.'), carrier('t')],
        KEEPS,
      )
        .user('And?')
        .send()
        .finds({ dropped: 1 }),
    ));
});

describe('how it ended', () => {
  it('cut before its finish reason: the last seal may not have come whole', () =>
    check(
      streamed([chunk(sc('a'))], [call('a')], STRICT, { aborted: true })
        .results('a')
        .send(),
    ));
  it('a stream recorded without its last chunk is whole', () =>
    check(
      streamed([chunk(sc('a'))], [call('a')])
        .results('a')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('an answer to nothing but the prompt', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .send()
        .record({ promptFeedback: { blockReason: 'OTHER' } })
        .user('Again.')
        .answer(sc('a')),
    ));
  it('a body that is none says nothing', () => {
    const judged = judge(talk(STRICT).user('Go on.').send().record({ nothing: true }).steps);
    expect(judged.get(0)).toMatchObject({ verdict: 'clean', assertion: 'skip' });
    expect(judged.get(0)?.present).toBeUndefined();
  });
});

describe('usage holds running totals', () => {
  const usage = (usageMetadata: object) => ({ usageMetadata });
  it('the last value of each wins', () => {
    const steps = streamed(
      [
        { ...chunk(tx('a')), ...usage({ promptTokenCount: 100, thoughtsTokenCount: 50 }) },
        { ...chunk(tx('b')), ...usage({ promptTokenCount: 100, candidatesTokenCount: 3, thoughtsTokenCount: 80 }) },
        { ...ended(), ...usage({ promptTokenCount: 100, candidatesTokenCount: 5, cachedContentTokenCount: 60 }) },
      ],
      [signed('t', tx('ab'))],
    )
      .user('And?')
      .send().steps;
    expect(judge(steps).get(0)).toMatchObject({ present: true, expectation: 'expected', assertion: 'pass' });
  });
});

it('what the application gets stays as it was', () => {
  const parts = [
    { functionCall: { name: 'fn_a', args: { list: [1] }, willContinue: true } },
    { functionCall: { partialArgs: [{ jsonPath: '$.list[1]', numberValue: 2 }] } },
  ];
  const chunks = JSON.parse(JSON.stringify([chunk(parts[0] as Part), chunk(parts[1] as Part), ended()]));
  const before = JSON.stringify(chunks);
  judge(
    streamed(chunks, [call('a', { list: [1, 2] })])
      .append(user(result('a')))
      .send(content(1, (all) => all)).steps,
  );
  expect(JSON.stringify(chunks)).toBe(before);
});

it('a placeholder is no piece of a seal', () =>
  check(
    streamed([chunk(sc('a')), ended()], [sc('a')])
      .results('a')
      .send(set('a', { thoughtSignature: BYPASS }))
      .finds({ fabricated: 1, dropped: 1 }),
  ));
