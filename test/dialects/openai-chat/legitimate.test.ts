import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, put, set, setAll, splice, strip, without } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import {
  assistant,
  call,
  calls,
  details,
  encrypted,
  type Message,
  rc,
  reasoning,
  result,
  says,
  sealedText,
  signed,
  thought,
  user,
} from './messages.ts';
import { talk } from './talk.ts';

/** Differences that a plain diff would flag, and that are no fault. */

const DEEPSEEK = 'deepseek-v4-pro';

describe('by rule', () => {
  it('a new question where the host clears older thinking', () => check(closedLoop('glm-5.2', rc).send(strip)));

  it('a request without tools on DeepSeek', () =>
    check(
      talk(DEEPSEEK, { tools: undefined })
        .user('What is 17 times 23?')
        .answer(rc('a'), says('It is 391.'))
        .user('Twice?')
        .send(strip),
    ));

  it('the second of two parallel calls has no signature', () =>
    check(
      talk('gemini-3-flash-preview')
        .user('Clocks in Lima and Cairo?')
        .answer({ tool_calls: [signed('c1', 'a'), call('c2')] })
        .results('c1', 'c2')
        .send(),
    ));

  it('an id missing from an element, its data equal', () =>
    check(
      talk('openai/gpt-5.6')
        .user('Go.')
        .answer(details({ ...encrypted('a'), id: 'rs_7' }), calls('c1'))
        .results('c1')
        .send(set(1, details(encrypted('a')))),
    ));

  it('a format left out that is the default', () =>
    check(
      talk('anthropic/claude-opus-4.5')
        .user('Go.')
        .answer(details(sealedText('a')), calls('c1'))
        .results('c1')
        .send(set(1, details(JSON.parse(JSON.stringify({ ...sealedText('a'), format: undefined }))))),
    ));

  it('the string beside a list left out', () =>
    check(
      talk('anthropic/claude-opus-4.5')
        .user('Go.')
        .answer(reasoning('a'), details(sealedText('a')), calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning'))),
    ));

  it('reasoning was never delivered', () =>
    check(
      talk('anthropic/claude-opus-4.5', { reasoning: { enabled: true, exclude: true } })
        .user('Go.')
        .carrying({
          usage: { prompt_tokens: 90, completion_tokens: 900, completion_tokens_details: { reasoning_tokens: 800 } },
        })
        .answer(calls('c1'))
        .results('c1')
        .send(),
    ));

  it('null and an empty list are nothing', () =>
    check(
      talk(DEEPSEEK)
        .user('Go.')
        .answer({ reasoning_content: null, reasoning_details: [] }, calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning_content', 'reasoning_details'))),
    ));
});

describe('by form', () => {
  it('arguments in another formatting, keys of calls in another order', () =>
    check(
      openLoop(DEEPSEEK, rc).send(
        put(1, (message) => ({
          ...message,
          tool_calls: [{ function: { arguments: '{\n  "key" : "c1"\n}', name: 'lookup' }, type: 'function', id: 'c1' }],
        })),
      ),
    ));

  it('null for no content, a string for one part', () =>
    check(
      openLoop(DEEPSEEK, rc).send(
        all(set(1, { content: '' }), set(2, { content: [{ type: 'text', text: 'output of c1' }] })),
      ),
    ));

  it('text trimmed', () =>
    check(
      talk(DEEPSEEK)
        .user('Go.')
        .answer(rc('a'), says('  Two crates are late.\n\n'))
        .user('Thanks.')
        .send(set(1, { content: 'Two crates are late.' })),
    ));

  it("members that only the client's own bookkeeping has", () =>
    check(openLoop(DEEPSEEK, rc).send(setAll({ parsed: null, refusal: null, annotations: [] }))));

  it('an unknown member of the call is gone', () =>
    check(
      talk('google/gemini-2.5-flash')
        .user('Go.')
        .answer({ tool_calls: [{ ...call('c1'), index: 0 }] })
        .results('c1')
        .send(set(1, calls('c1'))),
    ));
});

describe('by identity', () => {
  it('another conversation on the same wire', () => {
    const one = openLoop(DEEPSEEK, rc);
    one.fork({}, () => [user('A new task.')]).send();
    check(one.send());
  });

  it('messages that the application wrote itself', () =>
    check(
      talk(DEEPSEEK)
        .append(user('2 and 2?'), assistant({ reasoning_content: 'Plain addition.', content: '4' }), user('3 and 3?'))
        .send(),
    ));

  it('history that was imported, without any reasoning', () =>
    check(
      talk(DEEPSEEK)
        .append(user('Start.'), assistant(calls('c9')), result('c9'))
        .send(),
    ));

  it('a retry after an overload', () =>
    check(openLoop(DEEPSEEK, rc).send().fails(529, 'Overloaded').answer(rc('c'), says('Two.')).user('Thanks.').send()));

  it('the same question twice, the second answer kept', () => {
    const client = openLoop(DEEPSEEK, rc).send();
    client.receive(assistant({ ...rc('x'), ...calls('c7') }));
    check(client.answer(rc('c'), says('Two.')).user('Thanks.').send());
  });

  it('a branch from an earlier message', () => {
    const client = openLoop(DEEPSEEK, rc).answer(rc('c'), says('Two crates are late.')).user('And the third?');
    client.answer(rc('d'), says('No.'));
    check(client.fork({}, (history) => [...history.slice(0, 6), user('And the fourth?')]).send());
  });

  it('a helper that names the conversation', () => {
    const client = closedLoop(DEEPSEEK, rc);
    client
      .fork({ tools: undefined, model: 'deepseek-flash', thinking: { type: 'disabled' } }, (history) => [
        { role: 'system', content: 'Give the conversation a title.' },
        ...strip(history),
      ])
      .send();
    check(client.send());
  });

  it('a helper that says how far it is, in the middle of a loop, without thinking', () => {
    const client = openLoop(DEEPSEEK, rc);
    client
      .fork({ tools: undefined, thinking: { type: 'disabled' } }, (history) => [
        { role: 'system', content: 'One line of progress.' },
        ...strip(history),
      ])
      .send();
    check(client.send());
  });

  it('two runs that give the same ids to their calls', () => {
    const one = talk(DEEPSEEK).user('The north depot?');
    const other = one.fork({}, () => [user('The south depot?')]);
    one.answer(rc('n'), { tool_calls: [call('call_0', { depot: 'n' })] }).results('call_0');
    other.answer(rc('s'), { tool_calls: [call('call_0', { depot: 's' })] }).results('call_0');
    one.send();
    other.send(set(1, without('reasoning_content'))).finds({ dropped: 1 });
    check(one);
  });

  it('two runs with the very same calls', () => {
    const one = talk(DEEPSEEK).user('The north depot?');
    const other = one.fork({}, () => [user('The south depot?')]);
    one.answer(rc('n'), { tool_calls: [call('call_0', {})] }).results('call_0');
    other.answer({ tool_calls: [call('call_0', {})] }).results('call_0');
    other.send();
    check(one.send(set(1, without('reasoning_content'))).finds({ dropped: 1 }));
  });
});

describe('by arrival', () => {
  it('a stream that was cut inside the reasoning, its piece left out', () => {
    const client = talk(DEEPSEEK).user('Go.').to({ aborted: true }).send();
    client.receive(assistant({ reasoning_content: 'Half a tho' }), { aborted: true });
    check(
      client
        .to({ aborted: undefined })
        .append(assistant(says('(interrupted)')), user('Again.'))
        .send(),
    );
  });

  it('the limit of tokens inside the reasoning', () => {
    const client = talk(DEEPSEEK).user('Go.').send();
    const message = assistant(rc('a'));
    client.steps.push({
      api: 'openai.chat',
      response: { model: DEEPSEEK, choices: [{ index: 0, finish_reason: 'length', message }] },
    });
    check(client.append(assistant(says('…')), user('Go on.')).send());
  });

  it('an error in a successful response', () => {
    const client = talk('anthropic/claude-opus-4.5').user('Go.').send();
    client.steps.push({ api: 'openai.chat', response: { error: { code: 502, message: 'Upstream error' } } });
    check(
      client
        .answer(details(sealedText('a')), says('Done.'))
        .user('Thanks.')
        .send(),
    );
  });
});

describe('by scope', () => {
  it('another maker, its predecessor’s reasoning removed', () =>
    check(openLoop('kimi-k3', rc).with({ model: 'gpt-5.5' }).send(strip)));

  it('another size of the same maker reads plain text', () =>
    check(openLoop('deepseek-v4-flash', rc).with({ model: DEEPSEEK }).send()));

  it('the same weights at another host', () =>
    check(
      openLoop('deepseek/deepseek-v4-pro', reasoning, { endpoint: 'openrouter.ai' })
        .to({ endpoint: 'api.deepseek.com' })
        .with({ model: DEEPSEEK })
        .send((history) =>
          history.map((message) =>
            message.reasoning === undefined
              ? message
              : { ...message, reasoning: undefined, reasoning_content: message.reasoning },
          ),
        ),
    ));

  it('reasoning in the content, where it came there', () =>
    check(
      talk('qwen3.6-27b', { endpoint: 'localhost:8000' })
        .user('Go.')
        .answer(says(`<think>\n${thought('a')}\n</think>\n\n`), calls('c1'))
        .results('c1')
        .send(),
    ));

  it('a window over messages that never had any', () =>
    check(
      talk('gpt-4.1')
        .user('One?')
        .answer(says('One it is.'))
        .user('Two?')
        .answer(says('Two it is.'))
        .user('Three?')
        .send(splice(0, 2)),
    ));
});

describe('a gateway, seen on both sides', () => {
  const GEMINI = 'gemini-3-flash-preview';
  /** The gateway keeps the seal to itself: the client sees none. */
  const bothSides = (edit = (history: readonly Message[]) => history) => {
    const client = talk(GEMINI).to({ leg: 'client' }).user('Go.').send();
    const egress = client.fork().to({ leg: 'gateway' }).send();
    egress.receive(assistant({ tool_calls: [signed('c1', 'a')] }), { answers: 1 });
    client.receive(assistant(calls('c1')), { answers: 0 });
    client
      .append(assistant(calls('c1')))
      .results('c1')
      .send()
      .finds({ unsigned_on_arrival: 1 });
    egress
      .append(assistant({ tool_calls: [signed('c1', 'a')] }))
      .results('c1')
      .send(edit);
    return egress;
  };

  it('the gateway puts the seal back', () => check(bothSides()));
  it('it does not', () => check(bothSides(strip).finds({ dropped: 1 })));
});
