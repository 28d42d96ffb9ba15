import { describe, it } from 'vitest';
import { chat, check, type Talk } from './talk.ts';
import { all, bot, calls, type Item, LOOKUP, says, seal, signed, thought, tool, toolCall, user } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;

const ASK = 'Which ferry takes lorries on Sunday?';
const R = (name: string): Item => ({ reasoning_content: thought(name) });
const gone = { reasoning_content: undefined };
/** One step of a loop, its result added. */
const loop = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
  chat(model, config, meta).user(ASK).answer(calls(fields, 'c1')).results('c1');
/** A finished turn of one call and an answer, and a new question. */
const turns = (model: string, first: Item, second: Item, config: Item = {}, meta?: Item): Talk =>
  loop(model, first, config, meta).answer(says('The late one.', second)).user('And on Monday?');

// 3.1, docs since about 2026-09.
describe('DeepSeek', () => {
  const V4 = 'deepseek-v4-pro';
  const TOOLS = { tools: LOOKUP };
  clean('as received', () => turns(V4, R('a'), R('b'), TOOLS).send());
  judged('gone in the loop', () => loop(V4, R('a'), TOOLS).send(bot(0, gone)).finds({ dropped: 1 }));
  // With `tools`: on every earlier assistant message, also those without calls.
  judged('gone in a closed turn', () =>
    turns(V4, R('a'), R('b'), TOOLS)
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
  judged('gone from a plain answer', () =>
    chat(V4, TOOLS)
      .user(ASK)
      .answer(says('The late one.', R('a')))
      .user('And on Monday?')
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
  // Without `tools`: ignored; section 7 says no client drop.
  clean('gone, and no tools', () =>
    chat(V4)
      .user(ASK)
      .answer(says('The late one.', R('a')))
      .user('And on Monday?')
      .send(bot(0, gone)),
  );
  // Carried where ignored: a note.
  judged('sent, and no tools', () =>
    chat(V4)
      .user(ASK)
      .answer(says('The late one.', R('a')))
      .user('And on Monday?')
      .send()
      .notes({ carried: 1 }),
  );
  // Section 7: an empty string in place of an empty or absent value.
  clean('"" where nothing arrived', () => loop(V4, {}, TOOLS).send(bot(0, { reasoning_content: '' })));
  // Identity: an empty, blank or constant value where text was issued is dropped, and what stands there fabricated.
  for (const filler of ['', ' ', '(reasoning omitted)'])
    judged(`"${filler}" where text arrived`, () =>
      loop(V4, R('a'), TOOLS)
        .answer(calls(R('b'), 'c2'))
        .results('c2')
        .send(all(bot(0, { reasoning_content: filler }), bot(1, { reasoning_content: filler })))
        .finds({ dropped: 2, fabricated: 2 }),
    );
  // Partly changed is edited; also the last fragment that an SDK's stream helper leaves (C4).
  judged('the end cut off', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, { reasoning_content: thought('a').slice(0, 75) }))
      .finds({ edited: 1 }),
  );
  judged('the last fragment only', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, { reasoning_content: thought('a').slice(20) }))
      .finds({ edited: 1 }),
  );
  judged('trimmed and a word changed', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, { reasoning_content: thought('a').replace('sheet', 'page') }))
      .finds({ edited: 1 }),
  );
  // A rename is edited where the host documents no alias.
  judged('renamed', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, { reasoning_content: undefined, reasoning: thought('a') }))
      .finds({ edited: 1 }),
  );
  // C9: reasoning as visible text.
  judged('in the content, in tags', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, { reasoning_content: undefined, content: `<think>${thought('a')}</think>` }))
      .finds({ converted_to_text: 1 }),
  );
  judged('in the content, without', () =>
    chat(V4, TOOLS)
      .user(ASK)
      .answer(says('The late one.', R('a')))
      .user('And on Monday?')
      .send(bot(0, { reasoning_content: undefined, content: `${thought('a')}\n\nThe late one.` }))
      .finds({ converted_to_text: 1 }),
  );
  judged('thinking switched off in the loop', () =>
    loop(V4, R('a'), TOOLS)
      .send(undefined, { thinking: { type: 'disabled' } })
      .finds({ mode_toggled: 1 }),
  );
  judged('switched off and gone', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, gone), { thinking: { type: 'disabled' } })
      .finds({ mode_toggled: 1, dropped: 1 }),
  );
  // On by default, so leaving the parameter out is no toggle.
  clean('the parameter left out', () =>
    loop(V4, R('a'), { ...TOOLS, thinking: { type: 'enabled' } }).send(undefined, { thinking: undefined }),
  );
  clean('off from the start', () => loop(V4, {}, { ...TOOLS, thinking: { type: 'disabled' } }).send());
  // The refused request has the finding, the repaired retry has none.
  judged('refused, then repaired', () =>
    loop(V4, R('a'), TOOLS)
      .send(bot(0, gone))
      .finds({ dropped: 1 })
      .fails(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.')
      .send(),
  );
  // Section 7: written by the user or app, never issued.
  clean('few-shot messages', () =>
    chat(V4, TOOLS).add(user('Ferry A?'), says('Yes.'), user('Ferry B?'), says('No.')).user(ASK).send(),
  );
  clean('a history that begins mid-way', () =>
    chat(V4, TOOLS)
      .add(user(ASK), calls({ reasoning_content: thought('unseen') }, 'c1'), tool('c1'))
      .send(),
  );
  // A placeholder where this target never issued reasoning: a note.
  for (const filler of [' ', '.'])
    judged(`history of another model, padded with "${filler}"`, () =>
      loop('gpt-5.5', {})
        .with({ model: V4, ...TOOLS })
        .send(bot(0, { reasoning_content: filler }))
        .notes({ fabricated: 1 }),
    );
  // Section 7: an empty string where the value was absent is no client drop, and nothing is claimed by it.
  clean('history of another model, padded with ""', () =>
    loop('gpt-5.5', {})
      .with({ model: V4, ...TOOLS })
      .send(bot(0, { reasoning_content: '' })),
  );
  // Plain reasoning text of another vendor presented as the target's own.
  judged('from Kimi, as its own', () =>
    loop('kimi-k2.6', R('a'))
      .with({ model: V4, ...TOOLS })
      .send()
      .finds({ foreign: 1 }),
  );
  clean('from Kimi, left out', () =>
    loop('kimi-k2.6', R('a'))
      .with({ model: V4, ...TOOLS })
      .send(bot(0, gone)),
  );
  // B013's shape: one answer cut up, its reasoning on both pieces.
  judged('parallel calls in two messages, reasoning on both', () =>
    chat(V4, TOOLS)
      .user(ASK)
      .answer(calls(R('a'), 'c1', 'c2'))
      .send(() => [user(ASK), calls(R('a'), 'c1'), tool('c1'), calls(R('a'), 'c2'), tool('c2')])
      .finds({ duplicated: 1, split: 1 }),
  );
  judged('… on the first only', () =>
    chat(V4, TOOLS)
      .user(ASK)
      .answer(calls(R('a'), 'c1', 'c2'))
      .send(() => [user(ASK), calls(R('a'), 'c1'), tool('c1'), calls({}, 'c2'), tool('c2')])
      .finds({ split: 1 }),
  );
  // trimmed: gone with its whole message and results.
  judged('a step trimmed', () =>
    loop(V4, R('a'), TOOLS)
      .answer(calls(R('b'), 'c2'))
      .results('c2')
      .send((items) => [...items.slice(0, 1), ...items.slice(3)])
      .notes({ trimmed: 1 }),
  );
  judged('a loss counts at each step', () =>
    loop(V4, R('a'), TOOLS)
      .edit(bot(0, gone))
      .send()
      .finds({ dropped: 1 })
      .reply(calls(R('b'), 'c2'))
      .results('c2')
      .edit(bot(1, gone))
      .send()
      .finds({ dropped: 2 }),
  );
  judged('swapped between two messages', () =>
    loop(V4, R('a'), TOOLS)
      .answer(calls(R('b'), 'c2'))
      .results('c2')
      .send(bot(1, R('a')))
      .finds({ duplicated: 1, dropped: 1 }),
  );
});

// 3.2
describe('Kimi', () => {
  judged('gone in the loop', () => loop('kimi-k2.6', R('a')).send(bot(0, gone)).finds({ dropped: 1 }));
  judged('gone in the loop, k2.5', () => loop('kimi-k2.5', R('a')).send(bot(0, gone)).finds({ dropped: 1 }));
  // Section 7: Kimi with `keep` null clears older thinking.
  clean('gone in a closed turn, keep null', () =>
    turns('kimi-k2.6', R('a'), R('b')).send(all(bot(0, gone), bot(1, gone))),
  );
  judged('gone in a closed turn, keep all', () =>
    turns('kimi-k2.6', R('a'), R('b'), { thinking: { type: 'enabled', keep: 'all' } })
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
  for (const model of ['kimi-k3', 'kimi-k2.7-code'])
    judged(`gone in a closed turn, ${model}`, () =>
      turns(model, R('a'), R('b')).send(bot(1, gone)).finds({ dropped: 1 }),
    );
  // C17: returned on older turns while `keep` is null: ignored, a note.
  judged('sent in a closed turn, keep null', () => turns('kimi-k2.6', R('a'), R('b')).send().notes({ carried: 2 }));
  clean('sent in a closed turn, keep all', () =>
    turns('kimi-k2.6', R('a'), R('b'), { thinking: { type: 'enabled', keep: 'all' } }).send(),
  );
  judged('switched off in the loop', () =>
    loop('kimi-k2.6', R('a'))
      .send(undefined, { thinking: { type: 'disabled' } })
      .finds({ mode_toggled: 1 }),
  );
  judged('one of two steps', () =>
    loop('kimi-k2.6', R('a'))
      .answer(calls(R('b'), 'c2'))
      .results('c2')
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
});

// 3.3, 3.4, 3.6, 3.9
describe('MiMo, GLM, Qwen, Fireworks', () => {
  judged('MiMo: a message with calls, closed', () =>
    turns('mimo-v2.5', R('a'), {}).send(bot(0, gone)).finds({ dropped: 1 }),
  );
  judged('GLM: in the loop', () => loop('glm-5.1', R('a')).send(bot(0, gone)).finds({ dropped: 1 }));
  clean('GLM: closed, standard API', () => turns('glm-5.1', R('a'), R('b')).send(all(bot(0, gone), bot(1, gone))));
  judged('GLM: closed, kept by setting', () =>
    turns('glm-5.1', R('a'), R('b'), { thinking: { type: 'enabled', clear_thinking: false } })
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
  judged('GLM: closed, Coding Plan', () =>
    turns('glm-5.1', R('a'), R('b'), {}, { endpoint: 'https://api.z.ai/api/coding/paas/v4' })
      .send(bot(1, gone))
      .finds({ dropped: 1 }),
  );
  judged('GLM: switched off in the loop', () =>
    loop('glm-5.1', R('a'))
      .send(undefined, { thinking: { type: 'disabled' } })
      .finds({ mode_toggled: 1 }),
  );
  // UNVERIFIED whether the current loop is read: counts as able to read.
  judged('Qwen: in the loop', () => loop('qwen3.6-plus', R('a')).send(bot(0, gone)).finds({ dropped: 1 }));
  clean('Qwen: closed', () => turns('qwen3.6-plus', R('a'), R('b')).send(all(bot(0, gone), bot(1, gone))));
  judged('Qwen: closed, preserved', () =>
    turns('qwen3.6-plus', R('a'), R('b'), { preserve_thinking: true })
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
  // Ignored by default even if sent.
  judged('Qwen: closed and sent', () => turns('qwen3.6-plus', R('a'), R('b')).send().notes({ carried: 2 }));
  const FIREWORKS = { endpoint: 'https://api.fireworks.ai/inference/v1' };
  clean('Fireworks: closed, interleaved', () =>
    turns('glm-5.1', R('a'), R('b'), { reasoning_history: 'interleaved' }, FIREWORKS).send(
      all(bot(0, gone), bot(1, gone)),
    ),
  );
  judged('Fireworks: closed, preserved', () =>
    turns('glm-5.1', R('a'), R('b'), { reasoning_history: 'preserved' }, FIREWORKS)
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
});

// 3.5
describe('MiniMax', () => {
  const M2 = 'MiniMax-M2.5';
  const think = (name: string, rest = ''): Item => ({ content: `<think>\n${thought(name)}\n</think>\n\n${rest}` });
  clean('as received', () => loop(M2, think('a', 'One moment.')).send());
  judged('tags and text stripped', () =>
    loop(M2, think('a', 'One moment.'))
      .send(bot(0, { content: 'One moment.' }))
      .finds({ dropped: 1 }),
  );
  // "always, whole message": preserved across user messages.
  judged('stripped in a closed turn', () =>
    chat(M2)
      .user(ASK)
      .answer(says(think('a', 'The late one.').content))
      .user('And on Monday?')
      .send(bot(0, { content: 'The late one.' }))
      .finds({ dropped: 1 }),
  );
  judged('tags off, text kept', () =>
    loop(M2, think('a', 'One moment.'))
      .send(bot(0, { content: `${thought('a')}\n\nOne moment.` }))
      .finds({ converted_to_text: 1 }),
  );
  judged('text shortened inside the tags', () =>
    loop(M2, think('a', 'One moment.'))
      .send(bot(0, { content: `<think>\n${thought('a').slice(0, 75)}\n</think>\n\nOne moment.` }))
      .finds({ edited: 1 }),
  );
  const DETAILS = { reasoning_details: [{ type: 'reasoning.text', text: thought('a') }] };
  const SPLIT = { reasoning_split: true };
  clean('details as received', () => loop(M2, DETAILS, SPLIT).send());
  judged('details gone', () =>
    loop(M2, DETAILS, SPLIT)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('details gone in a closed turn', () =>
    turns(M2, DETAILS, {}, SPLIT)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
});

// 3.9, 3.15
describe('hosts that refuse the field', () => {
  const GROQ = { endpoint: 'https://api.groq.com/openai/v1' };
  const reasoning = (name: string): Item => ({ reasoning: thought(name) });
  // Refused, open or closed; in a closed cycle the key is carried, a changed name is not edited as well.
  judged('Groq: renamed in a closed turn', () =>
    turns('openai/gpt-oss-120b', reasoning('a'), reasoning('b'), {}, GROQ)
      .send(
        all(
          bot(0, { reasoning: undefined, reasoning_content: thought('a') }),
          bot(1, { reasoning: undefined, reasoning_content: thought('b') }),
        ),
      )
      .finds({ carried: 2 })
      .fails(400, "'messages.1' : property 'reasoning_content' is unsupported"),
  );
  judged('Groq: renamed in the loop', () =>
    loop('openai/gpt-oss-120b', reasoning('a'), {}, GROQ)
      .send(bot(0, { reasoning: undefined, reasoning_content: thought('a') }))
      .finds({ edited: 1 })
      .fails(400, "'messages.1' : property 'reasoning_content' is unsupported"),
  );
  // `reasoning` back: UNVERIFIED, counts as able to read.
  clean('Groq: as received', () => loop('openai/gpt-oss-120b', reasoning('a'), {}, GROQ).send());
  judged('Groq: gone in the loop', () =>
    loop('openai/gpt-oss-120b', reasoning('a'), {}, GROQ)
      .send(bot(0, { reasoning: undefined }))
      .finds({ dropped: 1 }),
  );
});

describe('OpenAI and xAI chat, which have no field', () => {
  // Section 8: structural, not a client bug.
  clean('a loop without a carrier', () => loop('gpt-5.5', {}).send());
  clean('Grok', () => loop('grok-4.7', {}).send());
  // Ignored by the target: carried, a note.
  judged('closed and sent', () => turns('gpt-5.5', R('a'), R('b')).send().notes({ carried: 2 }));
});

// 3.10
describe('Mistral', () => {
  const list = (name: string, text?: string): Item => ({
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: thought(name) }], closed: true },
      ...(text === undefined ? [] : [{ type: 'text', text }]),
    ],
  });
  const M = 'mistral-medium-latest';
  const once = (): Talk =>
    chat(M, { reasoning_effort: 'high' })
      .user(ASK)
      .answer(says(list('a', 'The late one.').content))
      .user('And on Monday?');
  clean('as received', () => once().send());
  // Preserved across user messages.
  judged('thinking chunks gone', () =>
    once()
      .send(bot(0, { content: 'The late one.' }))
      .finds({ dropped: 1 }),
  );
  judged('list cut to its text chunks', () =>
    once()
      .send(bot(0, { content: [{ type: 'text', text: 'The late one.' }] }))
      .finds({ dropped: 1 }),
  );
  judged('flattened with its words', () =>
    once()
      .send(bot(0, { content: `${thought('a')}The late one.` }))
      .finds({ converted_to_text: 1 }),
  );
  judged('in tags', () =>
    once()
      .send(bot(0, { content: `<think>${thought('a')}</think>The late one.` }))
      .finds({ converted_to_text: 1 }),
  );
  // C10
  judged('[object Object]', () =>
    loop(M, list('a', 'One moment.'), { reasoning_effort: 'high' })
      .send(bot(0, { content: '[object Object],[object Object]' }))
      .finds({ dropped: 1 }),
  );
});

// 3.11
describe('self-hosted', () => {
  const VLLM = { endpoint: 'vllm' };
  const HOME = { endpoint: 'http://127.0.0.1:8080/v1' };
  clean('vLLM: as received', () => loop('Qwen/Qwen3.6-35B', { reasoning: thought('a') }, {}, VLLM).send());
  judged('vLLM: renamed', () =>
    loop('Qwen/Qwen3.6-35B', { reasoning: thought('a') }, {}, VLLM)
      .send(bot(0, { reasoning: undefined, reasoning_content: thought('a') }))
      .finds({ edited: 1 }),
  );
  // Clean where both names were delivered.
  for (const [title, fields] of [
    ['reasoning', { reasoning_content: undefined }],
    ['reasoning_content', { reasoning: undefined }],
  ] as const)
    clean(`vLLM: both names arrived, ${title} goes back`, () =>
      loop('Qwen/Qwen3.6-35B', { reasoning: thought('a'), reasoning_content: thought('a') }, {}, VLLM).send(
        bot(0, fields),
      ),
    );
  judged('vLLM: gone in the loop', () =>
    loop('Qwen/Qwen3.6-35B', { reasoning: thought('a') }, {}, VLLM)
      .send(bot(0, { reasoning: undefined }))
      .finds({ dropped: 1 }),
  );
  // Section 7: most open-weight templates clear older thinking.
  clean('vLLM: gone in a closed turn', () =>
    turns('Qwen/Qwen3.6-35B', { reasoning: thought('a') }, { reasoning: thought('b') }, {}, VLLM).send(
      all(bot(0, { reasoning: undefined }), bot(1, { reasoning: undefined })),
    ),
  );
  judged('llama.cpp: renamed', () =>
    loop('qwen3.6-35b-q4', R('a'), {}, HOME)
      .send(bot(0, { reasoning_content: undefined, reasoning: thought('a') }))
      .finds({ edited: 1 }),
  );
});

// 3.8
describe('OpenRouter', () => {
  const CLAUDE = 'anthropic/claude-sonnet-4.5';
  const text = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    signature: seal(name),
    format: 'anthropic-claude-v1',
    index,
  });
  const sealedData = (name: string, format: string, index = 0): Item => ({
    type: 'reasoning.encrypted',
    data: seal(name),
    id: `rs_${name}`,
    format,
    index,
  });
  const details = (...list: Item[]): Item => ({ reasoning_details: list });
  const THINK = { reasoning: { enabled: true } };
  const two = (): Talk => loop(CLAUDE, details(text('a', 0), text('b', 1)), THINK);
  clean('as received', () => two().send());
  judged('all gone', () =>
    two()
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 2 }),
  );
  // Elements of a list count one by one.
  judged('one of two gone', () =>
    two()
      .send(bot(0, details(text('b', 1))))
      .finds({ dropped: 1 }),
  );
  judged('swapped', () =>
    two()
      .send(bot(0, details(text('b', 1), text('a', 0))))
      .finds({ reordered: 1 }),
  );
  // Present without its seal: edited.
  judged('signature off', () =>
    two()
      .send(bot(0, details({ ...text('a', 0), signature: undefined }, text('b', 1))))
      .finds({ edited: 1 }),
  );
  judged('text changed under its signature', () =>
    two()
      .send(bot(0, details({ ...text('a', 0), text: 'Something else.' }, text('b', 1))))
      .finds({ edited: 1 }),
  );
  judged('signature cut', () =>
    two()
      .send(bot(0, details({ ...text('a', 0), signature: seal('a').slice(0, 150) }, text('b', 1))))
      .finds({ edited: 1 }),
  );
  judged('an unrelated signature', () =>
    two()
      .send(bot(0, details({ ...text('a', 0), text: 'Something else.', signature: seal('nobody') }, text('b', 1))))
      .finds({ fabricated: 1, dropped: 1 }),
  );
  // A unit sent in several elements is one edited.
  judged('fragments not joined', () =>
    loop(CLAUDE, details(text('a')), THINK)
      .send(
        bot(
          0,
          details(
            { ...text('a'), text: thought('a').slice(0, 30), signature: undefined },
            { ...text('a'), text: thought('a').slice(30), signature: undefined },
            { ...text('a'), text: undefined },
          ),
        ),
      )
      .finds({ edited: 1 }),
  );
  const GPT = 'openai/gpt-5.5';
  const OPENAI = 'openai-responses-v1';
  clean('encrypted, as received', () => loop(GPT, details(sealedData('a', OPENAI)), THINK).send());
  // Section 7: `id` missing, data equal.
  clean('encrypted, id left out', () =>
    loop(GPT, details(sealedData('a', OPENAI)), THINK).send(
      bot(0, details({ ...sealedData('a', OPENAI), id: undefined })),
    ),
  );
  // A different id is edited, a missing one never.
  judged('encrypted, id rewritten', () =>
    loop(GPT, details(sealedData('a', OPENAI)), THINK)
      .send(bot(0, details({ ...sealedData('a', OPENAI), id: 'rs_other' })))
      .finds({ edited: 1 }),
  );
  judged('encrypted, gone', () =>
    loop(GPT, details(sealedData('a', OPENAI)), THINK)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  // Summary beside payload: two elements, two units.
  judged('summary kept, payload gone', () =>
    loop(
      GPT,
      details({ type: 'reasoning.summary', summary: thought('a'), format: OPENAI, index: 0 }, sealedData('a', OPENAI)),
      THINK,
    )
      .send(bot(0, details({ type: 'reasoning.summary', summary: thought('a'), format: OPENAI, index: 0 })))
      .finds({ dropped: 1 }),
  );
  // The alias is documented.
  clean('reasoning as reasoning_content', () =>
    loop('z-ai/glm-5.1', { reasoning: thought('a') }, THINK).send(
      bot(0, { reasoning: undefined, reasoning_content: thought('a') }),
    ),
  );
  const GEMINI = 'google-gemini-v1';
  judged('Gemini in the loop', () =>
    loop('google/gemini-3-pro-preview', details(sealedData('a', GEMINI)), THINK)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  // Section 7: Gemini, older turns; README: Gemini 3.5 and later still reads them.
  clean('Gemini 3 in a closed turn', () =>
    turns('google/gemini-3-pro-preview', details(sealedData('a', GEMINI)), {}, THINK).send(
      bot(0, { reasoning_details: undefined }),
    ),
  );
  judged('Gemini 3.5 in a closed turn', () =>
    turns('google/gemini-3.5-flash', details(sealedData('a', GEMINI)), {}, THINK)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  // Elements of one model replayed to another.
  judged('switch, sent', () =>
    loop(CLAUDE, details(text('a')), THINK)
      .with({ model: GPT })
      .send()
      .finds({ foreign: 1 }),
  );
  clean('switch, left out', () =>
    loop(CLAUDE, details(text('a')), THINK)
      .with({ model: GPT })
      .send(bot(0, { reasoning_details: undefined })),
  );
  // Claude's seals are read by the Claude API, Bedrock and Vertex alike.
  clean('another upstream of the same seals answers', () =>
    chat(CLAUDE, THINK)
      .user(ASK)
      .send()
      .receive({ provider: 'Anthropic' }, calls(details(text('a')), 'c1'))
      .add(calls(details(text('a')), 'c1'), tool('c1'))
      .send()
      .receive({ provider: 'Amazon Bedrock' }, says('The late one.')),
  );
  // Section 8: another upstream in the answer, or in the error, to the next request: foreign, source server.
  const routed = (): Talk =>
    chat(GPT, THINK)
      .user(ASK)
      .send()
      .receive({ provider: 'OpenAI' }, calls(details(sealedData('a', OPENAI)), 'c1'))
      .add(calls(details(sealedData('a', OPENAI)), 'c1'), tool('c1'));
  judged('another upstream answers', () =>
    routed().send().finds({ foreign: 1 }).receive({ provider: 'Azure' }, says('The late one.')),
  );
  judged('another upstream refuses', () => {
    const talk = routed().send().finds({ foreign: 1 });
    const message = 'The encrypted content gAAA… could not be verified.';
    talk.wire.steps.push({ api: 'openai.chat', error: { status: 400, message, provider: 'Azure' } });
    return talk;
  });
  clean('the named upstream fails for another reason', () => {
    const talk = routed().send();
    const message = 'Provider returned error: overloaded';
    talk.wire.steps.push({ api: 'openai.chat', error: { status: 502, message, provider: 'OpenAI' } });
    return talk.send();
  });
  clean('the same upstream answers', () =>
    chat(CLAUDE, THINK)
      .user(ASK)
      .send()
      .receive({ provider: 'Anthropic' }, calls(details(text('a')), 'c1'))
      .add(calls(details(text('a')), 'c1'), tool('c1'))
      .send()
      .receive({ provider: 'Anthropic' }, says('The late one.')),
  );
  // Known to seal, arrived without: a finding of the server, on each request that carries it.
  judged('arrived without its signature', () =>
    loop(CLAUDE, details({ ...text('a'), signature: undefined }), THINK)
      .send()
      .finds({ unsigned_on_arrival: 1 }),
  );
  judged('reasoning switched off in the loop', () =>
    loop(CLAUDE, details(text('a')), THINK)
      .send(undefined, { reasoning: { enabled: false } })
      .finds({ mode_toggled: 1 }),
  );
  // Never delivered.
  clean('hidden', () => loop(CLAUDE, {}, { reasoning: { enabled: true, exclude: true } }).send());
  judged('in the content, in tags', () =>
    loop(CLAUDE, details(text('a')), THINK)
      .send(bot(0, { reasoning_details: undefined, content: `<thinking>${thought('a')}</thinking>` }))
      .finds({ converted_to_text: 1 }),
  );
});

// 3.12
describe("Gemini's OpenAI endpoint", () => {
  const G = 'gemini-3-pro-preview';
  const one = (model = G): Talk =>
    chat(model)
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))));
  const pair = (): Talk =>
    chat(G)
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a'))), 'c2'))
      .results('c1', 'c2');
  const redo = (...list: (string | Item)[]) => bot(0, calls({}, ...list));
  clean('as received', () => one().results('c1').send());
  // Only the first call of a parallel batch is signed.
  clean('parallel, as received', () => pair().send());
  judged('signature gone', () => one().results('c1').send(redo('c1')).finds({ dropped: 1 }));
  judged('signature gone from the batch', () => pair().send(redo('c1', 'c2')).finds({ dropped: 1 }));
  judged('cut', () =>
    one()
      .results('c1')
      .send(redo(toolCall('c1', signed(seal('a').slice(0, 150)))))
      .finds({ edited: 1 }),
  );
  // The right seal at another part.
  judged('on the other call', () =>
    pair()
      .send(redo('c1', toolCall('c2', signed(seal('a')))))
      .finds({ misplaced: 1 }),
  );
  judged('on both', () =>
    pair()
      .send(redo(toolCall('c1', signed(seal('a'))), toolCall('c2', signed(seal('a')))))
      .finds({ duplicated: 1 }),
  );
  const SKIP = 'skip_thought_signature_validator';
  judged('placeholder on the sibling', () =>
    pair()
      .send(redo(toolCall('c1', signed(seal('a'))), toolCall('c2', signed(SKIP))))
      .finds({ fabricated: 1 }),
  );
  // C5: on a call that had been signed the reasoning is gone.
  judged('placeholder on the signed call', () =>
    one()
      .results('c1')
      .send(redo(toolCall('c1', signed(SKIP))))
      .finds({ fabricated: 1, dropped: 1 }),
  );
  judged('placeholder on a call of another vendor', () =>
    loop('deepseek-chat', {})
      .with({ model: G })
      .send(redo(toolCall('c1', signed(SKIP))))
      .notes({ fabricated: 1 }),
  );
  judged('an invented signature', () =>
    one()
      .results('c1')
      .send(redo(toolCall('c1', signed(seal('nobody')))))
      .finds({ fabricated: 1, dropped: 1 }),
  );
  judged('batch in two messages', () =>
    pair()
      .send(() => [user(ASK), calls({}, toolCall('c1', signed(seal('a')))), tool('c1'), calls({}, 'c2'), tool('c2')])
      .finds({ split: 1 }),
  );
  const second = (): Talk =>
    one()
      .results('c1')
      .answer(calls({}, toolCall('c2', signed(seal('b')))))
      .results('c2');
  judged('two steps in one message', () =>
    second()
      .send(() => [
        user(ASK),
        calls({}, toolCall('c1', signed(seal('a'))), toolCall('c2', signed(seal('b')))),
        tool('c1'),
        tool('c2'),
      ])
      .finds({ merged: 1 }),
  );
  // "a unit that lost its seal in the join is dropped as well".
  judged('… the second without its signature', () =>
    second()
      .send(() => [user(ASK), calls({}, toolCall('c1', signed(seal('a'))), 'c2'), tool('c1'), tool('c2')])
      .finds({ merged: 1, dropped: 1 }),
  );
  judged('the first of two steps', () => second().send(redo('c1')).finds({ dropped: 1 }));
  // Older turns are not validated; 3.5 and later still reads them.
  const closed = (model: string): Talk => one(model).results('c1').answer(says('The late one.')).user('And on Monday?');
  clean('closed turn, Gemini 3', () => closed('gemini-3-pro-preview').send(redo('c1')));
  judged('closed turn, Gemini 3.5', () => closed('gemini-3.5-flash').send(redo('c1')).finds({ dropped: 1 }));
  clean('closed turn, as received', () => closed('gemini-3.5-flash').send());
  // Seals in other places: the id of the call, another vendor key, provider-specific fields.
  const LONG = `call_c1__thought__${seal('a')}`;
  judged('id shortened', () =>
    chat(G)
      .user(ASK)
      .answer(calls({}, toolCall('c1', { id: LONG })))
      .send(() => [user(ASK), calls({}, 'c1'), tool('c1')])
      .finds({ dropped: 1 }),
  );
  clean('id kept', () =>
    chat(G)
      .user(ASK)
      .answer(calls({}, toolCall('c1', { id: LONG })))
      .add({ ...tool('c1'), tool_call_id: LONG })
      .send(),
  );
  judged('provider-specific field gone', () =>
    chat(G, {}, { endpoint: 'https://litellm.example' })
      .user(ASK)
      .answer(calls({}, toolCall('c1', { provider_specific_fields: { thought_signature: seal('a') } })))
      .results('c1')
      .send(redo('c1'))
      .finds({ dropped: 1 }),
  );
});

// 3.14, Copilot
describe('LiteLLM and Copilot', () => {
  const LITELLM = { endpoint: 'https://litellm.example' };
  const blocks = (...names: string[]): Item => ({
    reasoning_content: names.map(thought).join(''),
    thinking_blocks: names.map((name) => ({ type: 'thinking', thinking: thought(name), signature: seal(name) })),
  });
  const CLAUDE = 'claude-sonnet-4-5';
  const THINK = { thinking: { type: 'enabled', budget_tokens: 4000 } };
  clean('as received', () => loop(CLAUDE, blocks('a'), THINK, LITELLM).send());
  // A readable string and its opaque value as sibling fields are one unit.
  judged('both gone', () =>
    loop(CLAUDE, blocks('a'), THINK, LITELLM)
      .send(bot(0, { reasoning_content: undefined, thinking_blocks: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('signature off', () =>
    loop(CLAUDE, blocks('a'), THINK, LITELLM)
      .send(bot(0, { thinking_blocks: [{ type: 'thinking', thinking: thought('a') }] }))
      .finds({ edited: 1 }),
  );
  // 3.14: the parameter removed; the default of the model is off.
  judged('thinking removed in the loop', () =>
    loop(CLAUDE, blocks('a'), THINK, LITELLM).send(undefined, { thinking: undefined }).finds({ mode_toggled: 1 }),
  );
  judged('blocks gone, thinking removed', () =>
    loop(CLAUDE, blocks('a'), THINK, LITELLM)
      .send(bot(0, { reasoning_content: undefined, thinking_blocks: undefined }), { thinking: undefined })
      .finds({ dropped: 1, mode_toggled: 1 }),
  );
  const COPILOT = { endpoint: 'https://api.githubcopilot.com' };
  const both = (name: string): Item => ({ reasoning_text: thought(name), reasoning_opaque: seal(name) });
  clean('Copilot: as received', () => loop('claude-opus-4.5', both('a'), {}, COPILOT).send());
  judged('Copilot: both gone', () =>
    loop('claude-opus-4.5', both('a'), {}, COPILOT)
      .send(bot(0, { reasoning_text: undefined, reasoning_opaque: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('Copilot: opaque value gone', () =>
    loop('claude-opus-4.5', both('a'), {}, COPILOT)
      .send(bot(0, { reasoning_opaque: undefined }))
      .finds({ edited: 1 }),
  );
  judged('Copilot: text emptied', () =>
    loop('claude-opus-4.5', both('a'), {}, COPILOT)
      .send(bot(0, { reasoning_text: '' }))
      .finds({ edited: 1 }),
  );
});

describe('other conversations', () => {
  clean('a helper call in between', () => {
    const talk = loop('kimi-k2.6', R('a'));
    chat('kimi-k2.6', {}, undefined, talk.wire)
      .user(`Title for: ${ASK}`)
      .answer(says('Ferries', R('t')));
    return talk.send();
  });
  clean('two runs in turn, with the same call ids', () => {
    const talk = loop('kimi-k2.6', R('a'));
    const other = chat('kimi-k2.6', {}, undefined, talk.wire)
      .user('Which bus?')
      .answer(calls(R('x'), 'c1'))
      .results('c1');
    talk.answer(calls(R('b'), 'c2')).results('c2');
    other.send();
    return talk.send();
  });
  clean('regenerated from the question', () => loop('kimi-k2.6', R('a')).send((items) => items.slice(0, 1)));
  clean('sent again after a 503', () => loop('kimi-k2.6', R('a')).send().fails(503, 'overloaded').send());
  clean('an answer regenerated: only one branch goes on', () =>
    loop('deepseek-v4-pro', R('a'), { tools: LOOKUP })
      .send()
      .receive({}, says('The early one.', R('x')))
      .send()
      .reply(says('The late one.', R('b')))
      .user('And on Monday?')
      .send(),
  );
});
