import { describe } from 'vitest';
import {
  all,
  cut,
  gone,
  type Item,
  pieces,
  put,
  seal,
  set,
  swap,
  type Talk,
  tests,
} from '../gemini-independent/talk.ts';
import {
  ADAPTIVE,
  ASK,
  bot,
  CONVERSE,
  call,
  converse,
  MESSAGES,
  messages,
  plain,
  R,
  redacted,
  result,
  SPELLINGS,
  say,
  T,
  text,
  use,
  user,
} from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = tests(SPELLINGS);
const judged = clean;

const OPUS = 'anthropic.claude-opus-4-6-v1';
const OPUS48 = 'global.anthropic.claude-opus-4-8-v1:0';
const SONNET45 = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const FABLE = 'anthropic.claude-fable-5-1-v1:0';
const MANUAL = { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 4000 } } };
const one = (id = OPUS, config: Item = ADAPTIVE, meta?: Item): Talk =>
  converse(id, config, meta).user(ASK).answer(R('a'), use('gauge')).results('gauge');
const two = (id = OPUS, config: Item = ADAPTIVE): Talk => one(id, config).answer(R('b'), use('dip')).results('dip');
const closed = (id = OPUS, config: Item = ADAPTIVE): Talk =>
  one(id, config).answer(R('b'), say('The second.')).user('How much?');
const reasoning = (fields: Item): Item => ({ reasoningContent: { reasoningText: fields } });

describe('Claude, the open cycle', () => {
  for (const id of [OPUS, OPUS48, FABLE, 'eu.anthropic.claude-sonnet-5-v1:0', 'anthropic.claude-haiku-5-5'])
    clean(`${id}, as received`, () => two(id).answer(R('c'), say('The second.')).user('How much?').send());
  clean('manual, as received', () => two(SONNET45, MANUAL).send());
  for (const id of [OPUS, OPUS48, 'anthropic.claude-sonnet-4-6', 'anthropic.claude-opus-5'])
    judged(`${id}, gone, and gone at the next step`, () =>
      one(id)
        .edit(cut(1, 0))
        .send()
        .finds({ dropped: 1 })
        .reply(R('b'), use('dip'))
        .results('dip')
        .send()
        .finds({ dropped: 1 }),
    );
  judged('manual, gone, refused, repaired', () =>
    one(SONNET45, MANUAL)
      .send(cut(1, 0))
      .finds({ dropped: 1 })
      .fails(
        400,
        'The model returned the following errors: messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
      )
      .send(),
  );
  judged('both steps', () =>
    two()
      .send(all(cut(1, 0), cut(3, 0)))
      .finds({ dropped: 2 }),
  );
  judged('read from the wrong level', () =>
    one()
      .send(set(1, 0, { reasoningContent: { text: 'Pump a ran hot.', signature: seal('a') } }))
      .finds({ edited: 1 }),
  );
  judged('whitespace trimmed', () =>
    converse(OPUS)
      .user(ASK)
      .answer(R('a', 'Check the oil.\n\n'), use('gauge'))
      .results('gauge')
      .send(put(1, ([, ...rest]) => [R('a', 'Check the oil.'), ...rest]))
      .finds({ edited: 1 }),
  );
  judged('signature gone', () =>
    one()
      .send(set(1, 0, plain('Pump a ran hot.')))
      .finds({ edited: 1 }),
  );
  judged('signature empty', () =>
    one()
      .send(set(1, 0, reasoning({ text: 'Pump a ran hot.', signature: '' })))
      .finds({ edited: 1 })
      .fails(400, 'The model returned the following errors: messages.1.content.0.thinking.signature: Field required'),
  );
  judged('signature cut', () =>
    one()
      .send(set(1, 0, reasoning({ text: 'Pump a ran hot.', signature: seal('a').slice(0, 16) })))
      .finds({ edited: 1 }),
  );
  judged('signature of nobody', () =>
    one()
      .send(set(1, 0, reasoning({ text: 'Pump a ran hot.', signature: 'RXJZQ0NyTUNBZEh0aW05a09vT2tyUGlD' })))
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('text member gone', () =>
    one()
      .send(set(1, 0, reasoning({ signature: seal('a') })))
      .finds({ edited: 1 }),
  );
  judged('as text in tags', () =>
    one()
      .send(put(1, (parts) => [say('<think>Pump a ran hot.</think>'), ...parts.slice(1)]))
      .finds({ converted_to_text: 1 }),
  );
  // Omitted display: empty text under a signature is a whole block.
  const omitted = (): Talk => converse(OPUS48).user(ASK).answer(R('a', ''), use('gauge')).results('gauge');
  clean('empty text, as received', () => omitted().send());
  judged('empty text, filtered out', () => omitted().send(cut(1, 0)).finds({ dropped: 1 }));
  clean('empty text, filled in', () => omitted().send(put(1, ([, ...rest]) => [R('a', 'Something.'), ...rest])));
  judged('text emptied', () =>
    one()
      .send(put(1, ([, ...rest]) => [R('a', ''), ...rest]))
      .finds({ edited: 1 }),
  );
  const several = (): Talk => converse(OPUS).user(ASK).answer(R('a'), R('b'), use('gauge')).results('gauge');
  judged('one of two blocks', () => several().send(cut(1, 1)).finds({ dropped: 1 }));
  judged('two blocks exchanged', () =>
    several()
      .send(put(1, ([first, second, last]) => [second, first, last].filter((part) => part !== undefined)))
      .finds({ reordered: 1 }),
  );
  judged('two blocks joined under the first seal', () =>
    several()
      .send(
        put(1, (parts) => [
          reasoning({ text: 'Pump a ran hot.Pump b ran hot.', signature: seal('a') }),
          ...parts.slice(2),
        ]),
      )
      .finds({ merged: 1, dropped: 1 }),
  );
  judged('after the call', () =>
    one()
      .send(put(1, (parts) => [...parts].reverse()))
      .finds({ reordered: 1 }),
  );
  judged('twice', () =>
    one()
      .send(put(1, ([first, ...rest]) => (first ? [first, first, ...rest] : rest)))
      .finds({ duplicated: 1 }),
  );
  judged('invented in front of a call that had none', () =>
    converse(OPUS)
      .user(ASK)
      .answer(use('gauge'))
      .results('gauge')
      .send(put(1, (parts) => [R('x'), ...parts]))
      .finds({ fabricated: 1 }),
  );
});

describe('Claude, redacted', () => {
  const hidden = (): Talk => converse(OPUS).user(ASK).answer(R('a'), redacted('r'), use('gauge')).results('gauge');
  const bytes = Buffer.from(seal('r'), 'base64');
  clean('as received', () => hidden().send());
  judged('filtered out', () => hidden().send(cut(1, 1)).finds({ dropped: 1 }));
  for (const [title, value] of [
    ['a Buffer that went through JSON', JSON.parse(JSON.stringify(bytes))],
    ['an object of numbered bytes', JSON.parse(JSON.stringify(new Uint8Array(bytes)))],
    ['encoded twice', Buffer.from(seal('r')).toString('base64')],
    ['cut', seal('r').slice(0, 16)],
  ])
    judged(`${title}`, () =>
      hidden()
        .send(set(1, 1, { reasoningContent: { redactedContent: value } }))
        .finds({ edited: 1 }),
    );
  // Recorded at the SDK: bytes on both sides, written down the same way.
  clean('bytes of the SDK on both sides', () => {
    const block = { reasoningContent: { redactedContent: new Uint8Array(bytes) } };
    return converse(OPUS).user(ASK).answer(block, use('gauge')).results('gauge').send();
  });
});

describe('Claude, boundaries and results', () => {
  const batch = (): Talk => converse(OPUS).user(ASK).answer(R('a'), use('oil'), use('heat')).results('oil', 'heat');
  clean('a batch as received', () => batch().send());
  judged('results in two messages', () =>
    batch()
      .send(pieces(2, [0], [1]))
      .finds({ split_results: 1 }),
  );
  judged('an answer in two messages', () =>
    batch()
      .send(pieces(1, [0, 1], [2]))
      .finds({ split: 1 }),
  );
  judged('the parent copied for each call', () =>
    batch()
      .send(
        swap(1, 2, () => [
          bot(R('a'), use('oil')),
          user(result('oil')),
          bot(R('a'), use('heat')),
          user(result('heat')),
        ]),
      )
      .finds({ split: 1, duplicated: 1 }),
  );
  judged('cut in two and the reasoning gone', () =>
    batch()
      .send(swap(1, 2, () => [bot(use('oil')), user(result('oil')), bot(use('heat')), user(result('heat'))]))
      .finds({ split: 1, dropped: 1 }),
  );
  judged('a call taken out of the batch', () =>
    batch()
      .send(all(cut(1, 2), cut(2, 1)))
      .finds({ edited: 1 }),
  );
  judged('two steps in one message', () =>
    two()
      .send(swap(1, 4, () => [bot(R('a'), use('gauge'), R('b'), use('dip')), user(result('gauge'), result('dip'))]))
      .finds({ merged: 1 }),
  );
});

describe('Claude, closed turns', () => {
  for (const id of [OPUS, OPUS48, 'anthropic.claude-sonnet-4-6', 'anthropic.claude-opus-4-5-20251101-v1:0'])
    judged(`${id} keeps them`, () => closed(id).send(cut(1, 0)).finds({ dropped: 1 }));
  for (const id of [SONNET45, 'anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic.claude-3-7-sonnet-20250219-v1:0'])
    judged(`${id} strips them itself`, () => closed(id, MANUAL).send(cut(1, 0)).notes({ dropped: 1 }));
  judged('the first turn left out', () =>
    closed()
      .answer(R('c'), say('A litre.'))
      .user('Sure?')
      .send(gone(0, 1, 2, 3))
      .notes({ trimmed: 2 }),
  );
  judged('a step left out with its result', () => two().send(gone(1, 2)).notes({ trimmed: 1 }));
  clean('all summed up', () => closed().send(() => [user('So far: the second pump. Now: how much?')]));
  clean('a helper call in between', () => {
    const talk = one();
    talk.on(CONVERSE, { modelId: 'us.amazon.nova-2-lite-v1:0' }).user(`Title: ${ASK}`).answer(say('Pumps'));
    return talk.send();
  });
  clean('sent twice', () => one().send().send());
  clean('throttled, then sent again', () =>
    one().send().fails(429, 'Too many requests, please wait before trying again.').send(),
  );
});

describe('Claude, thinking switched', () => {
  judged('the field gone in a cycle of 4.6, whose default is off', () =>
    one().send(undefined, { additionalModelRequestFields: undefined }).finds({ mode_toggled: 1 }),
  );
  judged('the field and the reasoning gone', () =>
    one().send(cut(1, 0), { additionalModelRequestFields: undefined }).finds({ mode_toggled: 1, dropped: 1 }),
  );
  judged('disabled', () =>
    one()
      .send(undefined, { additionalModelRequestFields: { thinking: { type: 'disabled' } } })
      .finds({ mode_toggled: 1 }),
  );
  clean('the field gone where the default is on', () =>
    one('anthropic.claude-sonnet-5').send(undefined, { additionalModelRequestFields: undefined }),
  );
  clean('effort changed', () => one().send(undefined, { outputConfig: { effort: 'low' } }));
  clean('off from the start', () => converse(OPUS, {}).user(ASK).answer(use('gauge')).results('gauge').send());
});

describe('Claude, what stands before a block', () => {
  const spec = (name: string): Item => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } });
  const tools = (...names: readonly string[]): Item => ({ toolConfig: { tools: names.map(spec) } });
  const fable = (config: Item = {}): Talk =>
    two(FABLE, { ...ADAPTIVE, system: [{ text: 'Be brief.' }], ...tools('gauge', 'dip'), ...config });
  clean('as received', () => fable().send());
  judged('system text', () =>
    fable()
      .send(undefined, { system: [{ text: 'Be long.' }] })
      .finds({ prefix_broken: 2 }),
  );
  judged('a tool added', () =>
    fable()
      .send(undefined, tools('gauge', 'dip', 'drain'))
      .finds({ prefix_broken: 2 }),
  );
  judged('an earlier result', () =>
    fable()
      .send(put(2, () => [{ toolResult: { toolUseId: 'tooluse_gauge', content: [{ text: 'cleared' }] } }]))
      .finds({ prefix_broken: 1 }),
  );
  clean('tools in another order', () => fable().send(undefined, tools('dip', 'gauge')));
  clean('a cache point added', () => fable().send(put(2, (parts) => [...parts, { cachePoint: { type: 'default' } }])));
  clean('not on 4.8', () =>
    two(OPUS48, { ...ADAPTIVE, system: [{ text: 'Be brief.' }] }).send(undefined, { system: [{ text: 'Be long.' }] }),
  );
  judged('refused for it', () =>
    fable()
      .send(undefined, { system: [{ text: 'Be long.' }] })
      .finds({ prefix_broken: 2 })
      .fails(
        400,
        'The model returned the following errors: messages.1.content.0: The block is bound to a different conversation',
      ),
  );
  judged('a block left out in the middle', () =>
    fable().answer(R('c'), use('drain')).results('drain').send(cut(3, 0)).finds({ dropped: 1, prefix_broken: 1 }),
  );
  const BINDING = {
    additionalModelRequestFields: {
      anthropic_beta: ['thinking-binding-controls-2026-08-01'],
      thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
    },
    additionalModelResponseFieldPaths: ['/input_transformations'],
  };
  const dropped = (reason: string, ...paths: readonly string[]): Item => ({
    additionalModelResponseFields: {
      input_transformations: paths.map((path) => ({ type: 'thinking_dropped', path, reason })),
    },
  });
  judged('dropped, as the provider lists it', () =>
    fable(BINDING)
      .send(undefined, { system: [{ text: 'Be long.' }] })
      .finds({ prefix_broken: 1 })
      .receive([say('The second.')], dropped('prefix_binding_mismatch', 'messages.1.content.0')),
  );
  for (const reason of ['organization_binding_mismatch', 'model_binding_mismatch', 'end_user_binding_mismatch'])
    judged(`listed as ${reason}`, () =>
      one(OPUS48, BINDING)
        .send()
        .finds({ foreign: 1 })
        .receive([say('The second.')], dropped(reason, 'messages.1.content.0')),
    );
});

describe('model switches', () => {
  const turn = (from: string, to: string): Talk => closed(from).with({ modelId: to });
  judged('Fable 5.1 to Opus 4.8', () => turn(FABLE, OPUS48).send().finds({ foreign: 2 }));
  clean('Fable 5.1 to Opus 4.8, left out', () => turn(FABLE, OPUS48).send(all(cut(1, 0), cut(3, 0))));
  clean('Opus 4.8 to Fable 5.1', () => turn(OPUS48, FABLE).send());
  judged('Opus 4.8 to Haiku 5.5', () => turn(OPUS48, 'anthropic.claude-haiku-5-5').send().finds({ foreign: 2 }));
  clean('Opus 4.6 to Opus 4.8: no table says no', () => turn(OPUS, OPUS48).send());
  clean('the same model by another profile', () =>
    one(OPUS48).with({ modelId: 'us.anthropic.claude-opus-4-8-v1:0' }).send(),
  );
  judged('Claude to Nova', () => turn(OPUS, 'amazon.nova-2-lite-v1:0').send().finds({ foreign: 2 }));
  clean('Claude to Nova, left out', () => turn(OPUS, 'amazon.nova-2-lite-v1:0').send(all(cut(1, 0), cut(3, 0))));
  judged('DeepSeek to Claude, unsigned', () =>
    converse('us.deepseek.r1-v1:0', {})
      .user(ASK)
      .answer(plain('Look at two.'), say('The second.'))
      .user('How much?')
      .with({ modelId: OPUS, ...ADAPTIVE })
      .send()
      .finds({ foreign: 1 }),
  );
  clean('DeepSeek to Claude, left out', () =>
    converse('us.deepseek.r1-v1:0', {})
      .user(ASK)
      .answer(plain('Look at two.'), say('The second.'))
      .user('How much?')
      .with({ modelId: OPUS, ...ADAPTIVE })
      .send(cut(1, 0)),
  );
  // Signatures are portable between the platforms.
  const moved = (): Talk => one(OPUS48).on(MESSAGES, { model: 'claude-opus-4-8', thinking: { type: 'adaptive' } });
  const blocks = (...content: readonly Item[]) => [
    { role: 'user', content: [text(ASK)] },
    { role: 'assistant', content },
    { role: 'user', content: [MESSAGES.result('gauge')] },
  ];
  clean('Converse to Messages', () =>
    moved()
      .add(...blocks(T('a'), call('gauge')))
      .send(),
  );
  judged('Converse to Messages, gone', () =>
    moved()
      .add(...blocks(call('gauge')))
      .send()
      .finds({ dropped: 1 }),
  );
  clean('Messages to Converse', () =>
    messages('claude-opus-4-8')
      .user(ASK)
      .answer(T('a'), call('gauge'))
      .results('gauge')
      .on(CONVERSE, { modelId: OPUS48, ...ADAPTIVE })
      .add(user(ASK), bot(R('a'), use('gauge')), user(result('gauge')))
      .send(),
  );
  judged('Messages to Converse, gone', () =>
    messages('claude-opus-4-8')
      .user(ASK)
      .answer(T('a'), call('gauge'))
      .results('gauge')
      .on(CONVERSE, { modelId: OPUS48, ...ADAPTIVE })
      .add(user(ASK), bot(use('gauge')), user(result('gauge')))
      .send()
      .finds({ dropped: 1 }),
  );
});

describe('only what was said', () => {
  const said = (history: readonly Item[]): readonly Item[] =>
    history.flatMap(({ role, content }) => {
      const texts = (content as readonly Item[]).filter((block) => typeof block.text === 'string');
      return texts.length === 0 ? [] : [{ role, content: texts }];
    });
  const talk = (id: string, config: Item = ADAPTIVE, last = 'A litre.'): Talk =>
    closed(id, config).answer(R('c'), use('dip')).results('dip').answer(R('d'), say(last)).user('Sure?');
  judged('of one turn', () => closed().send(said).finds({ dropped: 1, trimmed: 1 }));
  judged('of two turns', () => talk(OPUS).send(said).finds({ dropped: 2, trimmed: 2 }));
  judged('of two turns that said the same', () =>
    talk(OPUS, ADAPTIVE, 'The second.').send(said).finds({ dropped: 2, trimmed: 2 }),
  );
  judged('of two turns that are stripped anyway', () =>
    talk(SONNET45, MANUAL).send(said).notes({ dropped: 2, trimmed: 2 }),
  );
});

describe('accounts and ids', () => {
  const moved = (): Talk => one(OPUS48, ADAPTIVE, { auth_fingerprint: 'one' }).to({ auth_fingerprint: 'two' });
  judged('another account', () => moved().send().finds({ foreign: 1 }));
  clean('another account, left out', () => moved().send(cut(1, 0)));
  clean('another key of the same account', () =>
    one(OPUS48, ADAPTIVE, { auth_fingerprint: 'one' }).to({ auth_fingerprint: 'one', leg: 'client' }).send(),
  );
  const renamed = (...kept: readonly Item[]): Talk =>
    one().send(
      all(
        put(1, () => [...kept, { toolUse: { toolUseId: 'call_9', name: 'gauge', input: { key: 'gauge' } } }]),
        put(2, () => [{ toolResult: { toolUseId: 'call_9', content: [{ text: 'result of gauge' }] } }]),
      ),
    );
  clean('ids minted anew', () => renamed(R('a')));
  judged('ids minted anew, reasoning gone', () => renamed().finds({ dropped: 1 }));
});

describe('other families', () => {
  for (const id of ['us.amazon.nova-2-lite-v1:0', 'us.deepseek.r1-v1:0']) {
    const turn = (): Talk =>
      converse(id, {}).user(ASK).answer(plain('Look at two.'), say('The second.')).user('How much?');
    judged(`${id}: refused`, () =>
      turn()
        .send()
        .finds({ carried: 1 })
        .fails(
          400,
          'User messages cannot contain reasoning content. Please remove the reasoning content and try again.',
        ),
    );
    judged(`${id}: carried from two turns`, () =>
      turn().send(cut(1, 0)).reply(plain('And one.'), say('A litre.')).user('Sure?').send().finds({ carried: 2 }),
    );
    clean(`${id}: left out`, () => turn().send(cut(1, 0)));
    clean(`${id}: left out of a loop`, () =>
      converse(id, {}).user(ASK).answer(plain('Look at two.'), use('gauge')).results('gauge').send(cut(1, 0)),
    );
  }
  // Of the rest nobody knows, until one of them says so.
  const kimi = (): Talk =>
    converse('moonshot.kimi-k2-thinking', {}).user(ASK).answer(plain('Look at two.'), use('gauge')).results('gauge');
  clean('Kimi: left out', () => kimi().send(cut(1, 0)));
  judged('Kimi: refused', () =>
    kimi()
      .send()
      .finds({ carried: 1 })
      .fails(400, 'User messages cannot contain reasoning content. Please remove the reasoning content and try again.')
      .send(cut(1, 0)),
  );
  const gpt = (): Talk =>
    converse('openai.gpt-5.2-v1:0', {}).user(ASK).answer(redacted('g'), use('gauge')).results('gauge');
  clean('GPT, as received', () => gpt().send());
  judged('GPT, gone', () => gpt().send(cut(1, 0)).finds({ dropped: 1 }));
  judged('GPT, bytes that went through JSON', () =>
    gpt()
      .send(
        set(1, 0, {
          reasoningContent: { redactedContent: JSON.parse(JSON.stringify(Buffer.from(seal('g'), 'base64'))) },
        }),
      )
      .finds({ edited: 1 }),
  );
  judged('GPT, encoded twice', () =>
    gpt()
      .send(set(1, 0, { reasoningContent: { redactedContent: Buffer.from(seal('g')).toString('base64') } }))
      .finds({ edited: 1 }),
  );
  const ARN = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd1234';
  clean('a profile that hides the family, as received', () => one(ARN).send());
  judged('a profile that hides the family, gone', () => one(ARN).send(cut(1, 0)).finds({ dropped: 1 }));
});

describe('what arrived without a signature', () => {
  const bare = (id: string): Talk => converse(id).user(ASK).answer(plain('Pump a.'), use('gauge')).results('gauge');
  judged('Claude: where it is carried', () => bare(OPUS48).send().finds({ unsigned_on_arrival: 1 }));
  clean('Claude: left out', () => bare(OPUS48).send(cut(1, 0)));
});
