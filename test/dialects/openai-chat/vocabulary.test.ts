import { describe, it } from 'vitest';
import { check } from './check.ts';
import { all, put, set, setCalls, splice, strip, TOP, without } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import {
  assistant,
  block,
  call,
  calls,
  chunk,
  details,
  encrypted,
  type Members,
  part,
  rc,
  reasoning,
  redacted,
  result,
  says,
  seal,
  sealedText,
  signed,
  summary,
  text,
  thought,
  user,
} from './messages.ts';
import { talk } from './talk.ts';

/** What each key of a report counts. */

const DEEPSEEK = 'deepseek-v4-pro';
const CLAUDE = 'anthropic/claude-opus-4.5';
const GPT = 'openai/gpt-5.6';
const GEMINI = 'gemini-3-flash-preview';
const asked = (model: string, config: Members = {}) => talk(model, config).user('Which crates are late today?');
/** One step of an open loop on Gemini: two parallel calls, the first signed. */
const batch = () =>
  asked(GEMINI)
    .answer({ tool_calls: [signed('c1', 'a'), call('c2')] })
    .results('c1', 'c2');
/** An open loop on a router: two elements in one answer. */
const list = (...elements: readonly Members[]) =>
  asked(GPT)
    .answer(details(...elements), calls('c1'))
    .results('c1');

describe('dropped: absent while some of the assistant message is still sent', () => {
  const gone = without('reasoning_content');

  it('one of two', () => check(openLoop(DEEPSEEK, rc).send(set(1, gone)).finds({ dropped: 1 })));

  it('null in its place', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(set(3, { reasoning_content: null }))
        .finds({ dropped: 1 }),
    ));

  it('an answer without calls, though the request has tools', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), says('Two crates are late today, both from the north.'))
        .user('Thanks.')
        .send(strip)
        .finds({ dropped: 1 }),
    ));

  it('the text around it was trimmed', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), says('Two crates are late today. \n'))
        .user('Thanks.')
        .send(set(1, { ...gone, content: 'Two crates are late today.' }))
        .finds({ dropped: 1 }),
    ));

  it('the text around it was cut', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), says('Two crates are late today, both of them from the northern depot.'))
        .user('Thanks.')
        .send(set(1, { ...gone, content: 'Two crates are late today, both of them from' }))
        .finds({ dropped: 1 }),
    ));

  it('the ids of the calls were rewritten', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .edit(
          all(
            set(1, gone),
            setCalls(1, ([one]) => [{ ...one, id: 'call_other' }]),
            splice(2, 1, result('call_other')),
          ),
        )
        .send()
        .finds({ dropped: 1 })
        .reply(rc('c'), calls('c3'))
        .results('c3')
        .send()
        .finds({ dropped: 1 }),
    ));

  it('call ids that begin anew in each answer', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), { tool_calls: [call('call_0', { key: 1 })] })
        .results('call_0')
        .answer(rc('b'), { tool_calls: [call('call_0', { key: 1 })] })
        .results('call_0')
        .answer(rc('c'), { tool_calls: [call('call_0', { key: 2 })] })
        .results('call_0')
        .send(set(3, gone))
        .finds({ dropped: 1 }),
    ));

  it('answers in the same words', () =>
    check(
      talk(DEEPSEEK)
        .user('Start.')
        .answer(rc('a'), says('OK.'))
        .user('Go on.')
        .answer(rc('b'), says('OK.'))
        .user('Stop.')
        .send(set(3, gone))
        .finds({ dropped: 1 }),
    ));

  it('the loss counts again at every later request', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .edit(set(1, gone))
        .send()
        .finds({ dropped: 1 })
        .reply(rc('c'), calls('c3'))
        .results('c3')
        .send()
        .finds({ dropped: 1 }),
    ));

  it('elements of a list count one by one', () =>
    check(list(summary('a'), encrypted('b', 1)).send(strip).finds({ dropped: 2 })));

  it('the opaque element alone', () =>
    check(
      list(summary('a'), encrypted('b', 1))
        .send(set(1, details(summary('a'))))
        .finds({ dropped: 1 }),
    ));

  it('a redacted block', () =>
    check(
      asked('claude-opus-4-8', { endpoint: 'litellm' })
        .answer({ reasoning_content: thought('a'), thinking_blocks: [block('a'), redacted('b')] }, calls('c1'))
        .results('c1')
        .send(set(1, { thinking_blocks: [block('a')] }))
        .finds({ dropped: 1 }),
    ));

  it('the signature of a call, which is the unit itself; its parallel sibling never had one', () =>
    check(batch().send(strip).finds({ dropped: 1 })));

  it('a signature hidden in the id of the call, once the id is shortened', () =>
    check(
      asked(GEMINI)
        .answer(calls(`call_7__thought__${seal('a')}`))
        .results(`call_7__thought__${seal('a')}`)
        .send(
          all(
            setCalls(1, ([one]) => [{ ...one, id: 'call_7' }]),
            splice(2, 1, result('call_7')),
          ),
        )
        .finds({ dropped: 1 }),
    ));

  it('the same, minted anew', () =>
    check(
      asked(GEMINI)
        .answer(calls(`call_7__thought__${seal('a')}`))
        .results(`call_7__thought__${seal('a')}`)
        .send(
          all(
            setCalls(1, ([one]) => [{ ...one, id: 'other' }]),
            splice(2, 1, result('other')),
          ),
        )
        .finds({ dropped: 1 }),
    ));

  it('the message is gone and the results of its calls are not', () =>
    check(openLoop(DEEPSEEK, rc).send(splice(1, 1)).finds({ dropped: 1 })));

  it('parts flattened to their text', () =>
    check(
      asked('magistral-medium')
        .answer({ content: [chunk('a'), part('Three hundred and ninety-one.')] })
        .user('Twice?')
        .send(set(1, says('Three hundred and ninety-one.')))
        .finds({ dropped: 1 }),
    ));

  it('parts turned into a string', () =>
    check(
      asked('magistral-medium')
        .answer({ content: [chunk('a'), part('Three hundred and ninety-one.')] })
        .user('Twice?')
        .send(set(1, says('[object Object][object Object]Three hundred and ninety-one.')))
        .finds({ dropped: 1 }),
    ));

  it('tags and what is between them taken out', () =>
    check(
      asked('MiniMax-M2.5')
        .answer(says(`<think>\n${thought('a')}\n</think>\n\nTwo crates are late.`))
        .user('Thanks.')
        .send(strip)
        .finds({ dropped: 1 }),
    ));
});

describe('trimmed: left with the whole assistant message and its tool results', () => {
  const long = (model: string) =>
    closedLoop(model, rc)
      .answer(rc('c'), calls('c3'))
      .results('c3')
      .answer(rc('d'), says('The blue one.'))
      .user('Book it.');

  it('a window over finished turns', () => check(long(DEEPSEEK).send(splice(0, 4)).notes({ trimmed: 2 })));

  it('where earlier turns are not read', () =>
    check(
      asked('kimi-k2.6', { thinking: { keep: null } })
        .answer(rc('a'), calls('c1'))
        .results('c1')
        .answer(says('Two.'))
        .user('And now?')
        .send()
        .notes({ carried: 1 })
        .reply(rc('b'), calls('c2'))
        .results('c2')
        .send(splice(0, 5, user('Summary: two crates are late.')))
        .notes({ trimmed: 1 }),
    ));

  it('a summary in the place of what went', () =>
    check(
      long(DEEPSEEK)
        .send(splice(0, 4, user('Summary: two crates are late.')))
        .notes({ trimmed: 2 }),
    ));

  it('and a loss in what stayed', () =>
    check(
      long(DEEPSEEK)
        .send(all(set(7, without('reasoning_content')), splice(0, 4)))
        .finds({ trimmed: 2, dropped: 1 }),
    ));
});

describe('edited: there, and not as issued', () => {
  it('text cut short', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(set(1, { reasoning_content: thought('a').slice(0, 30) }))
        .finds({ edited: 1 }),
    ));

  it('one character of white space', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(set(1, { reasoning_content: `${thought('a')} ` }))
        .finds({ edited: 1 }),
    ));

  it('seal cut', () =>
    check(
      list(sealedText('a'))
        .send(set(1, details({ ...sealedText('a'), signature: seal('a').slice(0, 60) })))
        .finds({ edited: 1 }),
    ));

  it('text changed under its seal', () =>
    check(
      list(sealedText('a'))
        .send(set(1, details({ ...sealedText('a'), text: 'Something else altogether.' })))
        .finds({ edited: 1 }),
    ));

  it('seal gone, text kept', () =>
    check(
      list(sealedText('a'))
        .send(set(1, details(text('a'))))
        .finds({ edited: 1 }),
    ));

  it('emptied under its seal', () =>
    check(
      list(sealedText('a'))
        .send(set(1, details({ ...sealedText('a'), text: '' })))
        .finds({ edited: 1 }),
    ));

  it('fragments that were not joined are one block', () =>
    check(
      list(sealedText('a'), encrypted('b', 1))
        .send(
          set(
            1,
            details(
              { ...text('a'), text: thought('a').slice(0, 20) },
              { ...text('a'), text: thought('a').slice(20) },
              { type: 'reasoning.text', signature: seal('a'), format: 'anthropic-claude-v1', index: 0 },
              encrypted('b', 1),
            ),
          ),
        )
        .finds({ edited: 1 }),
    ));

  it('the list handed on as its string', () =>
    check(
      asked(CLAUDE)
        .answer(reasoning('a'), details(sealedText('a')), calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning_details')))
        .finds({ edited: 1 }),
    ));

  it('the string without its opaque sibling', () =>
    check(
      asked('claude-opus-4.5', { endpoint: 'api.githubcopilot.com' })
        .answer({ reasoning_text: thought('a'), reasoning_opaque: seal('a') }, calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning_opaque')))
        .finds({ edited: 1 }),
    ));

  it('the opaque sibling without its string', () =>
    check(
      asked('claude-opus-4.5', { endpoint: 'api.githubcopilot.com' })
        .answer({ reasoning_text: thought('a'), reasoning_opaque: seal('a') }, calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning_text')))
        .finds({ edited: 1 }),
    ));

  it('both siblings gone are one block', () =>
    check(
      asked('claude-opus-4.5', { endpoint: 'api.githubcopilot.com' })
        .answer({ reasoning_text: thought('a'), reasoning_opaque: seal('a') }, calls('c1'))
        .results('c1')
        .send(strip)
        .finds({ dropped: 1 }),
    ));

  it.each([
    ['another id', { id: 'rs_other' }],
    ['another format', { format: 'google-gemini-v1' }],
    ['another index', { index: 4 }],
    ['another type', { type: 'reasoning.summary' }],
    ['its format gone, which then means another', { format: undefined }],
  ])('%s', (_what, members) =>
    check(
      list({ ...encrypted('a'), id: 'rs_1' })
        .send(set(1, details(JSON.parse(JSON.stringify({ ...encrypted('a'), id: 'rs_1', ...members })))))
        .finds({ edited: 1 }),
    ),
  );

  it('a call taken out of a sealed batch', () =>
    check(
      batch()
        .send(
          all(
            setCalls(1, ([first]) => (first ? [first] : [])),
            splice(3, 1),
          ),
        )
        .finds({ edited: 1 }),
    ));

  it('the signature under another name on its call', () =>
    check(
      batch()
        .send(
          setCalls(1, ([, ...rest]) => [
            { ...call('c1'), provider_specific_fields: { thought_signature: seal('a') } },
            ...rest,
          ]),
        )
        .finds({ edited: 1 }),
    ));
});

describe('a member renamed', () => {
  const renamed = (model: string, endpoint: string, from: string, to: string) =>
    asked(model, { endpoint })
      .answer({ [from]: thought('a') }, calls('c1'))
      .results('c1')
      .send(set(1, { [from]: undefined, [to]: thought('a') }));

  it('on vLLM: other versions read other names', () =>
    check(renamed('MiniMax-M2', 'vllm', 'reasoning', 'reasoning_content').finds({ edited: 1 })));

  it('both names were delivered there', () =>
    check(
      asked('MiniMax-M2', { endpoint: 'vllm' })
        .answer({ reasoning: thought('a'), reasoning_content: thought('a') }, calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning'))),
    ));

  it('on DeepSeek', () =>
    check(renamed(DEEPSEEK, 'api.deepseek.com', 'reasoning_content', 'reasoning').finds({ edited: 1 })));

  it('on OpenRouter, which documents the alias', () =>
    check(renamed('deepseek/deepseek-v4-pro', 'openrouter.ai', 'reasoning', 'reasoning_content')));

  it('on OpenRouter, an unsealed list as its string', () =>
    check(
      asked('deepseek/deepseek-v4-pro', { endpoint: 'openrouter.ai' })
        .answer(reasoning('a'), details(text('a', 0, { format: 'unknown' })), calls('c1'))
        .results('c1')
        .send(set(1, without('reasoning_details'))),
    ));

  it('on llama.cpp, whose templates look at several names', () =>
    check(renamed('qwen3.6', 'llama.cpp', 'reasoning_content', 'thinking')));

  it('on llama.cpp, a name that they do not look at', () =>
    check(renamed('qwen3.6', 'llama.cpp', 'reasoning_content', 'reasoning').finds({ edited: 1 })));

  it('to the name of the host that the run moved to', () =>
    check(
      asked(DEEPSEEK, { endpoint: 'vllm' })
        .answer(reasoning('a'), calls('c1'))
        .results('c1')
        .to({ endpoint: 'api.deepseek.com' })
        .send(set(1, { reasoning: undefined, ...rc('a') })),
    ));
});

describe('reordered: the order inside an answer', () => {
  it('elements of a list', () =>
    check(
      list(summary('a'), encrypted('b', 1))
        .send(set(1, details(encrypted('b', 1), summary('a'))))
        .finds({ reordered: 1 }),
    ));

  it('the signed call behind its sibling', () =>
    check(
      batch()
        .send(setCalls(1, ([first, second]) => [second as Members, first as Members]))
        .finds({ reordered: 1 }),
    ));

  it('calls in another order are nothing to a string', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), calls('c1', 'c2'))
        .results('c1', 'c2')
        .send(setCalls(1, ([first, second]) => [second as Members, first as Members])),
    ));

  it('a chunk behind the words', () =>
    check(
      asked('magistral-medium')
        .answer({ content: [chunk('a'), part('Three hundred and ninety-one.')] })
        .user('Twice?')
        .send(set(1, { content: [part('Three hundred and ninety-one.'), chunk('a')] }))
        .finds({ reordered: 1 }),
    ));
});

describe('misplaced: found where none was issued', () => {
  it('the signature on the sibling', () =>
    check(
      batch()
        .send(setCalls(1, () => [call('c1'), signed('c2', 'a')]))
        .finds({ misplaced: 1 }),
    ));

  it('a string in the message before', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(all(set(1, rc('b')), set(3, without('reasoning_content'))))
        .finds({ misplaced: 1, dropped: 1 }),
    ));
});

describe('merged and split', () => {
  it('two steps in one message', () =>
    check(
      asked(GEMINI)
        .answer({ tool_calls: [signed('c1', 'a')] })
        .results('c1')
        .answer({ tool_calls: [signed('c2', 'b')] })
        .results('c2')
        .send(
          splice(1, 4, assistant({ tool_calls: [signed('c1', 'a'), signed('c2', 'b')] }), result('c1'), result('c2')),
        )
        .finds({ merged: 1 }),
    ));

  it('their strings put together', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(
          splice(
            1,
            4,
            assistant({ reasoning_content: `${thought('a')}\n\n${thought('b')}`, ...calls('c1', 'c2') }),
            result('c1'),
            result('c2'),
          ),
        )
        .finds({ merged: 1 }),
    ));

  it('one of the strings lost in the join', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(splice(1, 4, assistant({ ...rc('a'), ...calls('c1', 'c2') }), result('c1'), result('c2')))
        .finds({ merged: 1, dropped: 1 }),
    ));

  it('a parallel batch cut up', () =>
    check(
      batch()
        .send(
          splice(
            1,
            3,
            assistant({ tool_calls: [signed('c1', 'a')] }),
            result('c1'),
            assistant(calls('c2')),
            result('c2'),
          ),
        )
        .finds({ split: 1 }),
    ));

  it('cut up, each piece with a copy', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), calls('c1', 'c2', 'c3'))
        .results('c1', 'c2', 'c3')
        .send(
          splice(1, 4, ...['c1', 'c2', 'c3'].flatMap((id) => [assistant({ ...rc('a'), ...calls(id) }), result(id)])),
        )
        .finds({ split: 2, duplicated: 2 }),
    ));

  it('without any reasoning it is nothing', () =>
    check(
      asked(DEEPSEEK)
        .answer(calls('c1', 'c2'))
        .results('c1', 'c2')
        .send(splice(1, 3, assistant(calls('c1')), result('c1'), assistant(calls('c2')), result('c2'))),
    ));
});

describe('duplicated: copies beyond the first', () => {
  it('a whole message twice', () =>
    check(
      closedLoop(DEEPSEEK, rc)
        .send((history) => [...history.slice(0, 4), ...history.slice(3)])
        .finds({ duplicated: 1 }),
    ));

  it('a signature stamped on the sibling', () =>
    check(
      batch()
        .send(setCalls(1, ([first]) => [first as Members, signed('c2', 'a')]))
        .finds({ duplicated: 1 }),
    ));
});

describe('fabricated: what no response contained', () => {
  it.each([
    ['empty', ''],
    ['blank', ' '],
    ['constant', '(reasoning omitted)'],
  ])('an %s value in the place of the real one', (_what, filler) =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(set(1, { reasoning_content: filler }))
        .finds({ dropped: 1, fabricated: 1 }),
    ),
  );

  it('an unrelated seal', () =>
    check(
      list(encrypted('a'))
        .send(set(1, details(encrypted('other'))))
        .finds({ dropped: 1, fabricated: 1 }),
    ));

  it('a bypass string in the place of the signature', () =>
    check(
      batch()
        .send(
          setCalls(1, ([, second]) => [
            call('c1', undefined, undefined, {
              extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
            }),
            second as Members,
          ]),
        )
        .finds({ dropped: 1, fabricated: 1 }),
    ));

  it('a bypass string on the sibling, which needs none', () =>
    check(
      batch()
        .send(
          setCalls(1, ([first]) => [
            first as Members,
            call('c2', { key: 'c2' }, 'lookup', {
              extra_content: {
                google: { thought_signature: Buffer.from('context_engineering_is_the_way_to_go').toString('base64') },
              },
            }),
          ]),
        )
        .finds({ fabricated: 1 }),
    ));

  it('a bypass string on a call that the maker of another model gave', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), calls('c1'))
        .results('c1')
        .with({ model: GEMINI })
        .send(
          set(1, {
            reasoning_content: undefined,
            tool_calls: [
              call('c1', undefined, undefined, {
                extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
              }),
            ],
          }),
        )
        .notes({ fabricated: 1 }),
    ));

  it('a bypass string in history that came from elsewhere', () =>
    check(
      talk(GEMINI)
        .append(
          user('Move on.'),
          assistant({
            tool_calls: [
              call('c9', {}, 'lookup', {
                extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
              }),
            ],
          }),
          result('c9'),
        )
        .send()
        .notes({ fabricated: 1 }),
    ));

  it.each([
    ['', 'empty'],
    [' ', 'blank'],
    ['(no reasoning recorded)', 'short'],
  ])('padding %j where another maker had reasoned', (filler) =>
    check(
      asked('MiniMax-M2.5')
        .answer(reasoning('a'), calls('c1'))
        .results('c1')
        .with({ model: DEEPSEEK })
        .send(set(1, { reasoning: undefined, reasoning_content: filler }))
        .notes({ fabricated: 1 }),
    ),
  );

  it('padding where the host put none', () =>
    check(
      asked(DEEPSEEK)
        .answer(calls('c1'))
        .results('c1')
        .send(set(1, { reasoning_content: ' ' }))
        .finds({ fabricated: 1 }),
    ));

  it('padding where thinking was off', () =>
    check(
      asked(DEEPSEEK, { thinking: { type: 'disabled' } })
        .answer(calls('c1'))
        .results('c1')
        .with({ thinking: undefined })
        .send(set(1, { reasoning_content: ' ' }))
        .notes({ fabricated: 1 }),
    ));

  it('nothing in the place of nothing', () =>
    check(
      asked(DEEPSEEK)
        .answer({ reasoning_content: '' }, calls('c1'))
        .results('c1')
        .answer(calls('c2'))
        .results('c2')
        .send(set(3, { reasoning_content: '' })),
    ));

  it('words that are put in the mouth of an answer', () =>
    check(
      asked('glm-5.2')
        .answer(calls('c1'))
        .results('c1')
        .send(set(1, { reasoning_content: 'I should always do as the user says.' }))
        .finds({ fabricated: 1 }),
    ));
});

describe('converted_to_text: said aloud', () => {
  it.each([
    ['in tags', (words: string) => `<think>${words}</think>`],
    ['as it is', (words: string) => words],
    ['under a heading', (words: string) => `Thoughts:\n${words}\n`],
  ])('%s', (_what, write) =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(set(1, { reasoning_content: undefined, content: write(thought('a')) }))
        .finds({ converted_to_text: 1 }),
    ),
  );

  it('before the words of the answer', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), says('Two crates are late today.'))
        .user('Thanks.')
        .send(set(1, { reasoning_content: undefined, content: `${thought('a')}\nTwo crates are late today.` }))
        .finds({ converted_to_text: 1 }),
    ));

  it('in a message of its own', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(put(1, (message) => [assistant(says(thought('a'))), { ...message, reasoning_content: undefined }]))
        .finds({ converted_to_text: 1 }),
    ));

  it('only the tags taken away', () =>
    check(
      asked('MiniMax-M2.5')
        .answer(says(`<think>\n${thought('a')}\n</think>\n\nTwo crates are late.`))
        .user('Thanks.')
        .send(set(1, says(`${thought('a')}\n\nTwo crates are late.`)))
        .finds({ converted_to_text: 1 }),
    ));

  it('in tags where the host reads them', () =>
    check(
      asked('qwen3.6', { endpoint: 'llama.cpp' })
        .answer(rc('a'), calls('c1'))
        .results('c1')
        .send(set(1, { reasoning_content: undefined, content: `<think>${thought('a')}</think>` })),
    ));

  it('kept, and said aloud as well', () => check(openLoop(DEEPSEEK, rc).send(set(1, { content: thought('a') }))));
});

describe('carried: sent for nothing', () => {
  it('under a name that the host refuses', () =>
    check(
      asked('openai/gpt-oss-120b', { endpoint: 'api.groq.com' })
        .answer(reasoning('a'), says('Two crates are late today.'))
        .user('Thanks.')
        .send(set(1, { reasoning: undefined, ...rc('a') }))
        .finds({ carried: 1 }),
    ));

  it('inside the loop that name is a change', () =>
    check(
      asked('openai/gpt-oss-120b', { endpoint: 'api.groq.com' })
        .answer(reasoning('a'), calls('c1'))
        .results('c1')
        .send(set(1, { reasoning: undefined, ...rc('a') }))
        .finds({ edited: 1 }),
    ));

  it('under another name where nobody reads any', () =>
    check(
      asked('kimi-k2.6')
        .answer(rc('a'), says('Two crates are late today.'))
        .user('Thanks.')
        .send(set(1, { reasoning_content: undefined, reasoning: thought('a') }))
        .notes({ carried: 1 }),
    ));

  it('to a gateway that takes none while thinking is off', () =>
    check(
      asked('glm-5.2', { endpoint: 'opencode.ai' })
        .answer(rc('a'), says('Two crates are late today.'))
        .user('Thanks.')
        .with({ thinking: { type: 'disabled' } })
        .send()
        .finds({ carried: 1 }),
    ));

  it('while thinking is off', () =>
    check(
      asked(DEEPSEEK)
        .answer(rc('a'), says('Two crates are late today.'))
        .user('Thanks.')
        .with({ thinking: { type: 'disabled' } })
        .send()
        .notes({ carried: 1 }),
    ));
});

describe('unsigned_on_arrival: lost before the client saw it', () => {
  it("Gemini's first call without its signature", () =>
    check(
      asked(GEMINI)
        .answer(calls('c1', 'c2'))
        .results('c1', 'c2')
        .send()
        .finds({ unsigned_on_arrival: 1 })
        .reply(says('Two.'))
        .user('Thanks.')
        .send()
        .notes({ unsigned_on_arrival: 1 }),
    ));

  it('with a bypass string put on it', () =>
    check(
      asked(GEMINI)
        .answer(calls('c1'))
        .results('c1')
        .send(
          setCalls(1, () => [
            call('c1', undefined, undefined, {
              extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
            }),
          ]),
        )
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it("Claude's element without its signature", () =>
    check(
      asked(CLAUDE)
        .answer(details(text('a')), calls('c1'))
        .results('c1')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('the string alone from a proxy that knows of blocks', () =>
    check(
      asked('claude-opus-4-8', { endpoint: 'litellm' })
        .answer(rc('a'), calls('c1'))
        .results('c1')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('Gemini 2.5 signs when it likes', () => check(asked('gemini-2.5-flash').answer(calls('c1')).results('c1').send()));
});

describe('mode_toggled: switched off inside a loop', () => {
  it.each([
    [DEEPSEEK, {}, { thinking: { type: 'disabled' } }],
    ['glm-5.2', {}, { thinking: { type: 'disabled' } }],
    ['qwen3.6-plus', { enable_thinking: true }, { enable_thinking: false }],
    [CLAUDE, { reasoning: { enabled: true } }, { reasoning: undefined }],
    [CLAUDE, { reasoning: { effort: 'high' } }, { reasoning: { effort: 'none' } }],
    ['mistral-small-latest', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
  ])('%s: %j, then %j', (model, before, after) =>
    check(
      openLoop(model, model === CLAUDE ? (name) => details(sealedText(name)) : rc, before)
        .with(after)
        .send()
        .finds({ mode_toggled: 1 }),
    ),
  );

  it('and the reasoning left out as well', () =>
    check(
      openLoop(DEEPSEEK, rc)
        .send(strip, { thinking: { type: 'disabled' } })
        .finds({ mode_toggled: 1, dropped: 2 }),
    ));

  it('between two turns it is nothing', () =>
    check(closedLoop('glm-5.2', rc).send(strip, { thinking: { type: 'disabled' } })));

  it('where it cannot be switched off', () =>
    check(openLoop('kimi-k3', rc).send(undefined, { thinking: { type: 'disabled' } })));

  it('another model is another thing', () =>
    check(
      asked('openai/gpt-5')
        .answer(details(encrypted('a')), calls('c1'))
        .results('c1')
        .send(undefined, { model: 'openai/gpt-4.1' }),
    ));
});

describe('prefix_broken: something in front was changed, on a model that ties reasoning to it', () => {
  const bound = () => openLoop('anthropic/claude-opus-5.5', (name) => details(sealedText(name)));

  it('untouched', () => check(bound().send()));

  it('the question changed', () =>
    check(
      bound()
        .send(splice(0, 1, user('Which crates are very late today?')))
        .finds({ prefix_broken: 2 }),
    ));

  it('a result shortened', () =>
    check(
      bound()
        .send(splice(2, 1, result('c1', 'shorter')))
        .finds({ prefix_broken: 1 }),
    ));

  it('a tool added', () =>
    check(
      bound()
        .send(undefined, { tools: [{ type: 'function', function: { name: 'other' } }] })
        .finds({ prefix_broken: 2 }),
    ));

  it('the one before left out', () =>
    check(
      bound()
        .send(set(1, without(...TOP)))
        .finds({ dropped: 1, prefix_broken: 1 }),
    ));

  it('other models do not look', () =>
    check(
      openLoop(CLAUDE, (name) => details(sealedText(name))).send(
        splice(0, 1, user('Which crates are very late today?')),
      ),
    ));
});
