import { describe, expect, it } from 'vitest';
import { check, judge } from './check.ts';
import { all, content, drop, put, scatter, set, splice } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { ADVISORY, KEEPS, STRICT } from './models.ts';
import { call, carrier, model, result, sc, signed, thought, tx, user } from './parts.ts';
import { talk } from './talk.ts';

/** Differences that no rule forbids. */

describe('by rule', () => {
  const thinking = () =>
    talk(STRICT)
      .user('Plan it.')
      .answer(thought('First the harbour.'), thought('Then the depot.'), sc('a'), call('x'))
      .results('a', 'x');
  it('summaries of thoughts left out', () => check(thinking().send(drop('First the harbour.', 'Then the depot.'))));
  it('or kept', () => check(thinking().send()));
  it('parallel siblings without a seal', () => check(thinking().send().reply(sc('b')).results('b').send()));
  it('text joined where nothing is signed', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(tx('Short waves '), tx('scatter more.'), carrier('t'))
        .user('And sunsets?')
        .send(content(1, () => [tx('Short waves scatter more.'), carrier('t')])),
    ));
  it('ids of calls added, changed or left out on both sides', () => {
    const withId = (id: string) => (part: Record<string, unknown>) => ({
      ...part,
      functionCall: { ...(part.functionCall as object), id },
    });
    check(
      openLoop(STRICT).send(
        all(
          put('a', withId('made-up')),
          splice(2, 1, user(result('a', 'output of a', 'made-up'))),
          put('b', withId('too')),
        ),
      ),
    );
    const given = () =>
      talk(STRICT)
        .user('Go on.')
        .answer(sc('a', { k: 1 }, 'c-1'))
        .append(user(result('a', 'ok', 'c-1')));
    check(given().send());
    check(given().send(all(put('a', withId('other')), splice(2, 1, user(result('a', 'ok', 'other'))))));
  });
  it('arguments written anew', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(sc('a', { from: 1, to: { x: 1.5, y: null } }))
        .results('a')
        .send(set('a', { functionCall: { args: { to: { y: null, x: 1.5 }, from: 1 }, name: 'fn_a' } })),
    ));
  it('no arguments, empty or absent', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(sc('a', {}))
        .results('a')
        .send(set('a', { functionCall: { name: 'fn_a' } })),
    ));
  it('members of other releases on a part', () =>
    check(openLoop(STRICT).send(set('a', { partMetadata: { source: 'a store' }, thought: false }))));
  it('roles as older clients spell them', () =>
    check(
      openLoop(STRICT).send((history) => history.map((one) => (one.role === 'user' ? { parts: one.parts } : one))),
    ));
});

describe('by identity', () => {
  it('the same question asked again after an answer that never came', () =>
    check(
      talk(STRICT).user('Go on.').send().fails(503, 'The model is overloaded').answer(sc('a')).results('a').send(),
    ));
  it('an answer thrown away and asked for anew', () =>
    check(talk(STRICT).user('Go on.').send().receive(sc('a')).answer(sc('b')).results('b').send()));
  it('a question in the place of the last one', () =>
    check(
      closedLoop(KEEPS)
        .answer(tx('The blue one.'), carrier('c'))
        .edit(splice(4, 2, user('Which is the oldest?')))
        .send(),
    ));
  it('two forks of one history, side by side', () => {
    const one = openLoop(STRICT);
    const other = one.fork();
    one.send();
    other.send();
    one.record({ candidates: [{ content: model(sc('c')), finishReason: 'STOP' }] }, { answers: 4 });
    other.record({ candidates: [{ content: model(sc('d')), finishReason: 'STOP' }] }, { answers: 5 });
    one
      .append(model(sc('c')))
      .results('c')
      .send();
    other
      .append(model(sc('d')))
      .results('d')
      .send();
    check(one);
  });
  it('a helper that reads the conversation without its seals', () =>
    check(
      closedLoop(KEEPS)
        .send(
          (history) =>
            history.map((one) => ({
              ...one,
              parts: one.parts.map(({ thoughtSignature: _s, ...rest }) => rest).filter(({ text }) => text !== ''),
            })),
          {
            systemInstruction: { parts: [{ text: 'Give it a title.' }] },
            model: 'gemini-2.5-flash-lite',
          },
        )
        .receive(tx('Crates')),
    ));
  it('a helper in the middle of a loop that says how far it is, without thinking', () => {
    const one = openLoop(ADVISORY, { tools: [{ functionDeclarations: [{ name: 'lookup' }] }] });
    const aside = {
      systemInstruction: { parts: [{ text: 'One line of progress.' }] },
      tools: undefined,
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    };
    one
      .fork(aside, (history) =>
        history.map((each) => ({ ...each, parts: each.parts.map(({ thoughtSignature: _, ...rest }) => rest) })),
      )
      .send();
    check(one.send());
  });
  it('two conversations with the same calls, which have no ids', () => {
    const poll = (name: string) =>
      talk(STRICT)
        .user(`Watch ${name}.`)
        .answer(signed(`${name}1`, call('poll', {})));
    const one = poll('one').append(user(result('poll')));
    const other = one
      .fork({}, () => [user('Watch other.')])
      .answer(signed('other1', call('poll', {})))
      .append(user(result('poll')));
    one.answer(signed('one2', call('poll', {}))).append(user(result('poll')));
    other.answer(signed('other2', call('poll', {}))).append(user(result('poll')));
    one.send();
    other.send(set('other1', { thoughtSignature: undefined })).finds({ dropped: 1 });
    check(one);
  });
  it('a call that others make too, in a history from elsewhere', () =>
    check(
      openLoop(STRICT)
        .fork({}, () => [user('Something else.'), model(call('a')), user(result('a'))])
        .send(),
    ));
});

describe('by place', () => {
  it('what stands in a context cache is not sent', () =>
    check(
      closedLoop(KEEPS)
        .answer(tx('The blue one.'), carrier('c'))
        .user('Book it.')
        .send(splice(0, 4), { cachedContent: 'cachedContents/1' }),
    ));
  it('and nobody says that the beginning has changed', () => {
    const one = closedLoop(KEEPS, { systemInstruction: { parts: [tx('Be brief.')] } }).send(undefined, {
      systemInstruction: undefined,
      cachedContent: 'cachedContents/1',
    });
    expect([...judge(one.steps).values()].at(-1)?.prefixChanged).toBe('none');
  });
  it('contents as the SDK takes them: a string, a part, a list of parts', () => {
    const sent = (contents: unknown) => [{ api: 'gemini.generateContent', request: { model: STRICT, contents } }];
    for (const contents of ['Go on.', tx('Go on.'), [tx('Go'), 'on.'], user('Go on.')]) {
      expect(judge(sent(contents)).get(0)).toMatchObject({ verdict: 'clean', cycle: { state: 'closed' } });
    }
  });
  it('and the first answer is known by them', () => {
    const first = { api: 'gemini.generateContent', request: { model: STRICT, contents: 'Go on.' } };
    const rest = talk(STRICT)
      .user('Go on.')
      .answer(sc('a'))
      .results('a')
      .send(set('a', { thoughtSignature: undefined }));
    const judged = judge([first, ...rest.steps.slice(1)]);
    expect(judged.get(2)?.blocks).toMatchObject({ expected: 1, dropped: 1 });
  });
});

describe('by arrival', () => {
  it('an answer cut before its end may be left out, with or without its seal', () => {
    const cut = () =>
      talk(STRICT)
        .user('Go on.')
        .send()
        .record(
          { stream: [{ candidates: [{ content: model(sc('a')) }] }], candidates: [{ content: model(sc('a')) }] },
          { aborted: true },
        );
    check(cut().send());
    check(
      cut()
        .append(model(sc('a')))
        .results('a')
        .send(),
    );
    check(
      cut()
        .append(model(call('a')))
        .results('a')
        .send(),
    );
  });
  it('what came whole before the cut is owed once it is sent', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .send()
        .record(
          {
            stream: [sc('a'), call('x')].map((part) => ({ candidates: [{ content: model(part) }] })),
            candidates: [{ content: model(sc('a'), call('x')) }],
          },
          { aborted: true },
        )
        .append(model(call('a'), call('x')))
        .results('a', 'x')
        .send()
        .finds({ dropped: 1 }),
    ));
  it.each(['MALFORMED_FUNCTION_CALL', 'SAFETY', 'UNEXPECTED_TOOL_CALL'])(
    'an answer that is to be thrown away: %s',
    (why) =>
      check(
        talk(STRICT)
          .user('Go on.')
          .send()
          .ending(why)
          .receive(signed('t', tx('Let me look at the map of the depot.')))
          .answer(sc('a'))
          .results('a')
          .send(),
      ),
  );
  it('thoughts ate the budget: nothing to send back', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .send()
        .ending('MAX_TOKENS')
        .carrying({ usageMetadata: { promptTokenCount: 10, thoughtsTokenCount: 1000 } })
        .receive()
        .answer(sc('a'))
        .results('a')
        .send(),
    ));
});

describe('automatic continuation', () => {
  const hop = () => talk(KEEPS).user('Tell it all.').send().ending('CONTINUATION').receive(tx('The first half, '));
  const resume = { generationConfig: { continuationToken: 'opaque' } };
  it('a hop is sent without what has come so far', () =>
    check(hop().send(undefined, resume).receive(tx('and the second.'), carrier('t'))));
  it('and the parts of both hops are one content', () =>
    check(
      hop()
        .send(undefined, resume)
        .receive(tx('and the second.'), carrier('t'))
        .append(model(tx('The first half, '), tx('and the second.'), carrier('t')))
        .user('And?')
        .send(),
    ));
  it('signed hops, too', () =>
    check(
      talk(KEEPS)
        .user('Tell it all.')
        .send()
        .ending('CONTINUATION')
        .receive(signed('s', tx('The first half, ')))
        .send(undefined, resume)
        .receive(signed('t', tx('and the second.')))
        .append(model(signed('s', tx('The first half, ')), signed('t', tx('and the second.'))))
        .user('And?')
        .send(),
    ));
  it('what is left out of it is dropped', () =>
    check(
      hop()
        .send(undefined, resume)
        .receive(tx('and the second.'), carrier('t'))
        .append(model(tx('The first half, and the second.')))
        .user('And?')
        .send()
        .finds({ dropped: 1 }),
    ));
  it('hops are steps of one run', () => {
    const judged = [...judge(hop().send(undefined, resume).steps).values()];
    expect(judged[1]?.runId).toBe(judged[0]?.runId);
  });
});

describe('healthy loops of the SDK', () => {
  it('automatic function calling: contents pushed onto one list from hop to hop', () => {
    const contents: unknown[] = [user('Go on.')];
    const steps: { api: string; request?: Record<string, unknown>; response?: Record<string, unknown> }[] = [];
    for (const name of ['a', 'b', 'c']) {
      steps.push({ api: 'gemini.generateContent', request: { model: STRICT, contents: [...contents] } });
      const answer = model(sc(name), call(`${name}x`));
      steps.push({
        api: 'gemini.generateContent',
        response: { candidates: [{ content: answer, finishReason: 'STOP' }] },
      });
      contents.push(answer, user(result(name), result(`${name}x`)));
    }
    for (const judgement of judge(steps).values()) expect(judgement.verdict).toBe('clean');
  });
  it('results of MCP tools, without the id of their call', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(sc('a', {}, 'c-1'))
        .results('a')
        .answer(sc('b', {}, 'c-2'))
        .results('b')
        .send(),
    ));
  it('a chat keeps every chunk of a stream as a content of its own', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(tx('Let me look at '), tx('the map first.'), sc('a'))
        .edit(scatter(1))
        .results('a')
        .answer(tx('It is the '), tx('blue one.'), carrier('t'))
        .edit(scatter(5))
        .user('Sure?')
        .send()
        .reply(tx('Yes.'))
        .user('Good.')
        .send(),
    ));
  it('and a loss in such a chat is found', () =>
    check(
      talk(KEEPS)
        .user('Go on.')
        .answer(tx('It is the '), tx('blue one.'), carrier('t'))
        .edit(scatter(1))
        .user('Sure?')
        .send((history) => history.filter((one) => one.parts[0]?.text !== ''))
        .finds({ dropped: 1 }),
    ));
  it('server tools between thoughts and call', () =>
    check(
      talk(STRICT)
        .user('Go on.')
        .answer(
          signed('s', { toolCall: { id: '1', toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'x' } } }),
          { toolResponse: { id: '1', toolType: 'GOOGLE_SEARCH_WEB', response: { r: 'y' } } },
          signed('a', call('a')),
        )
        .results('a')
        .send(),
    ));
  it('results with text beside them keep the turn open', () =>
    check(
      openLoop(STRICT)
        .user()
        .edit((history) => [...history.slice(0, 4), user(result('b'), 'Mind the time.')])
        .send(drop('a'))
        .finds({ dropped: 1 }),
    ));
  it('a thousand other conversations in between', () => {
    const one = openLoop(ADVISORY);
    for (let i = 0; i < 60; i++) one.fork({}, () => [user(`Other ${i}.`)]).answer(signed(`o${i}`, call('a')));
    check(one.send());
  });
});
