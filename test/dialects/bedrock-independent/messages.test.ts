import { describe } from 'vitest';
import { all, cut, gone, type Item, pieces, put, seal, set, type Talk, tests } from '../gemini-independent/talk.ts';
import { ASK, call, hidden, MESSAGES, messages, T, text } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = tests();
const judged = clean;

const ADAPTIVE = { thinking: { type: 'adaptive' } };
const MANUAL = { thinking: { type: 'enabled', budget_tokens: 4000 } };
/** The ways by which one model is reached: its name, what the body says beside it, and what is known of the place. */
const BEDROCK = (id: string, config: Item = ADAPTIVE): Talk =>
  messages(
    `us.anthropic.${id}-v1:0`,
    { anthropic_version: 'bedrock-2023-05-31', ...config },
    { endpoint: 'bedrock-runtime.us-east-1.amazonaws.com' },
  );
const VERTEX = (id: string, config: Item = ADAPTIVE): Talk =>
  messages(
    id,
    { anthropic_version: 'vertex-2023-10-16', ...config },
    { endpoint: 'us-east5-aiplatform.googleapis.com' },
  );
const DIRECT = (id: string, config: Item = ADAPTIVE): Talk => messages(id, config);
const PLACES: Readonly<Record<string, (id: string, config?: Item) => Talk>> = {
  Bedrock: BEDROCK,
  Vertex: VERTEX,
  'Claude API': DIRECT,
};
const step = (talk: Talk): Talk => talk.user(ASK).answer(T('a'), call('gauge')).results('gauge');
const steps = (talk: Talk): Talk => step(talk).answer(T('b'), call('dip')).results('dip');
const turn = (talk: Talk): Talk => step(talk).answer(T('b'), text('The second.')).user('How much?');

for (const [place, at] of Object.entries(PLACES)) {
  describe(place, () => {
    clean('as received', () => turn(at('claude-opus-4-8')).answer(T('c'), call('dip')).results('dip').send());
    clean('manual, as received', () => steps(at('claude-sonnet-4-5', MANUAL)).send());
    judged('gone in the loop', () => step(at('claude-opus-4-8')).send(cut(1, 0)).finds({ dropped: 1 }));
    judged('gone in the loop, manual', () =>
      step(at('claude-sonnet-4-5', MANUAL))
        .send(cut(1, 0))
        .finds({ dropped: 1 })
        .fails(400, 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.')
        .send(),
    );
    judged('gone in a closed turn that is kept', () =>
      turn(at('claude-opus-4-8')).send(cut(1, 0)).finds({ dropped: 1 }),
    );
    judged('gone in a closed turn that is stripped anyway', () =>
      turn(at('claude-sonnet-4-5', MANUAL)).send(cut(1, 0)).notes({ dropped: 1 }),
    );
    clean('kept in a closed turn that is stripped anyway', () => turn(at('claude-sonnet-4-5', MANUAL)).send());
    judged('signature cut', () =>
      step(at('claude-opus-4-8'))
        .send(set(1, 0, { signature: seal('a').slice(0, 16) }))
        .finds({ edited: 1 }),
    );
    judged('system text before a bound block', () =>
      steps(at('claude-opus-5-5', { ...ADAPTIVE, system: 'Be brief.' }))
        .send(undefined, { system: 'Be long.' })
        .finds({ prefix_broken: 2 }),
    );
    clean('system text before a free one', () =>
      steps(at('claude-opus-5', { ...ADAPTIVE, system: 'Be brief.' })).send(undefined, { system: 'Be long.' }),
    );
    judged('thinking left out of the request', () =>
      step(at('claude-opus-4-8')).send(undefined, { thinking: undefined }).finds({ mode_toggled: 1 }),
    );
    judged('results in two messages', () =>
      at('claude-opus-4-8')
        .user(ASK)
        .answer(T('a'), call('oil'), call('heat'))
        .results('oil', 'heat')
        .send(pieces(2, [0], [1]))
        .finds({ split_results: 1 }),
    );
  });
}

describe('who reads whom, by platform', () => {
  const to = (id: string, at: (id: string) => Talk, model: string): Talk => turn(at(id)).with({ model });
  const us = (id: string): string => `us.anthropic.${id}-v1:0`;
  clean('Opus 5.5 to Fable 5.1 on the Claude API', () => to('claude-opus-5-5', DIRECT, 'claude-fable-5-1').send());
  judged('Opus 5.5 to Fable 5.1 on Bedrock', () =>
    to('claude-opus-5-5', BEDROCK, us('claude-fable-5-1')).send().finds({ foreign: 2 }),
  );
  judged('Opus 5.5 to Fable 5.1 on Vertex', () =>
    to('claude-opus-5-5', VERTEX, 'claude-fable-5-1').send().finds({ foreign: 2 }),
  );
  clean('Sonnet 5.5 to Opus 5.5 on Vertex', () => to('claude-sonnet-5-5', VERTEX, 'claude-opus-5-5').send());
  judged('Sonnet 5.5 to Opus 5.5 on Bedrock', () =>
    to('claude-sonnet-5-5', BEDROCK, us('claude-opus-5-5')).send().finds({ foreign: 2 }),
  );
  judged('Opus 4.8 to Haiku 5.5 on Bedrock', () =>
    to('claude-opus-4-8', BEDROCK, us('claude-haiku-5-5')).send().finds({ foreign: 2 }),
  );
  clean('Opus 4.8 to Haiku 5.5 on the Claude API: on no page', () =>
    to('claude-opus-4-8', DIRECT, 'claude-haiku-5-5').send(),
  );
  judged('Opus 5 to Sonnet 5.5', () => to('claude-opus-5', DIRECT, 'claude-sonnet-5-5').send().finds({ foreign: 2 }));
  clean('Opus 5 to Opus 5.5', () => to('claude-opus-5', DIRECT, 'claude-opus-5-5').send());
  judged('Fable 5 to Opus 5.5', () => to('claude-fable-5', DIRECT, 'claude-opus-5-5').send().finds({ foreign: 2 }));
  judged('Fable 5.2 to Fable 5.1', () =>
    to('claude-fable-5-2', DIRECT, 'claude-fable-5-1').send().finds({ foreign: 2 }),
  );
  clean('Fable 5.2 to Mythos 5.2', () => to('claude-fable-5-2', DIRECT, 'claude-mythos-5-2').send());
  clean('Fable 5.1 to Fable 5.2: on no page', () => to('claude-fable-5-1', DIRECT, 'claude-fable-5-2').send());
  judged('Fable 5.1 to Opus 5.5', () => to('claude-fable-5-1', DIRECT, 'claude-opus-5-5').send().finds({ foreign: 2 }));
  clean('Fable 5.1 to Opus 5.5, left out', () =>
    to('claude-fable-5-1', DIRECT, 'claude-opus-5-5').send(all(cut(1, 0), cut(3, 0))),
  );
  clean('Haiku 4.5 to Sonnet 5.5', () =>
    turn(DIRECT('claude-haiku-4-5', MANUAL))
      .with({ model: 'claude-sonnet-5-5', ...ADAPTIVE })
      .send(),
  );
  clean('Opus 4.6 to Opus 4.5: on no page', () =>
    turn(DIRECT('claude-opus-4-6'))
      .with({ model: 'claude-opus-4-5', ...MANUAL })
      .send(),
  );
  clean('back to the model that wrote it', () =>
    turn(DIRECT('claude-fable-5-1'))
      .with({ model: 'claude-opus-5-5' })
      .send(all(cut(1, 0), cut(3, 0)))
      .receive([text('A litre.')])
      .with({ model: 'claude-fable-5-1' })
      .send(),
  );
  // Portable between platforms, whatever they call the model.
  clean('Claude API to Bedrock', () =>
    step(DIRECT('claude-opus-4-8'))
      .to({ endpoint: 'bedrock-runtime.us-east-1.amazonaws.com' })
      .with({ model: 'anthropic.claude-opus-4-8' })
      .send(),
  );
  clean('Bedrock to Vertex', () =>
    step(BEDROCK('claude-sonnet-4-5-20250929', MANUAL))
      .to({ endpoint: 'us-east5-aiplatform.googleapis.com' })
      .with({ model: 'claude-sonnet-4-5@20250929' })
      .send(),
  );
  judged('Bedrock to Vertex, gone', () =>
    step(BEDROCK('claude-sonnet-4-5-20250929', MANUAL))
      .to({ endpoint: 'us-east5-aiplatform.googleapis.com' })
      .with({ model: 'claude-sonnet-4-5@20250929' })
      .send(cut(1, 0))
      .finds({ dropped: 1 }),
  );
  // Accounts.
  const moved = (id: string): Talk =>
    step(messages(id, ADAPTIVE, { auth_fingerprint: 'one' })).to({ auth_fingerprint: 'two' });
  for (const id of ['claude-sonnet-5-5', 'claude-haiku-5-5'])
    judged(`${id} in another account`, () => moved(id).send().finds({ foreign: 1 }));
  for (const id of ['claude-sonnet-5', 'claude-opus-4-8']) clean(`${id} in another account`, () => moved(id).send());
});

describe('what the provider lists', () => {
  const BETA = { anthropic_beta: ['thinking-binding-controls-2026-08-01'] };
  const listed = (type: string, reason: string, ...paths: readonly string[]): Item => ({
    input_transformations: paths.map((path) => ({ type, path, reason })),
  });
  const edited = (): Talk =>
    steps(BEDROCK('claude-fable-5-1', { ...ADAPTIVE, ...BETA, system: 'Be brief.' })).send(undefined, {
      system: 'Be long.',
    });
  judged('one dropped of two', () =>
    edited()
      .finds({ prefix_broken: 1 })
      .receive([text('Two.')], listed('thinking_dropped', 'prefix_binding_mismatch', 'messages.1.content.0')),
  );
  judged('both allowed', () =>
    edited()
      .finds({ prefix_broken: 2 })
      .receive(
        [text('Two.')],
        listed('thinking_mismatch_allowed', 'prefix_binding_mismatch', 'messages.1.content.0', 'messages.3.content.0'),
      ),
  );
  judged('another organization', () =>
    step(BEDROCK('claude-opus-4-8', { ...ADAPTIVE, ...BETA }))
      .send()
      .finds({ foreign: 1 })
      .receive([text('Two.')], listed('thinking_dropped', 'organization_binding_mismatch', 'messages.1.content.0')),
  );
});

describe('bound prefixes', () => {
  for (const id of [
    'claude-fable-5-1',
    'claude-fable-5-2',
    'claude-mythos-5-1',
    'claude-mythos-5-2',
    'claude-opus-5-5',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
  ])
    judged(`${id}: the first message`, () =>
      steps(DIRECT(id))
        .send(put(0, () => [text('Something else?')]))
        .finds({ prefix_broken: 2 }),
    );
  for (const id of ['claude-fable-5', 'claude-opus-5', 'claude-sonnet-5', 'claude-opus-4-8', 'claude-opus-4-5'])
    clean(`${id}: the first message`, () => steps(DIRECT(id)).send(put(0, () => [text('Something else?')])));
  const TOOLS = { tools: [{ name: 'gauge' }, { name: 'dip' }] };
  const fable = (): Talk => steps(DIRECT('claude-fable-5-1', { ...ADAPTIVE, ...TOOLS }));
  clean('tools in another order', () => fable().send(undefined, { tools: [{ name: 'dip' }, { name: 'gauge' }] }));
  judged('a tool gone', () =>
    fable()
      .send(undefined, { tools: [{ name: 'gauge' }] })
      .finds({ prefix_broken: 2 }),
  );
  clean('a deferred tool more', () =>
    fable().send(undefined, { tools: [...TOOLS.tools, { name: 'drain', defer_loading: true }] }),
  );
  clean('cache markers moved', () =>
    fable().send(put(2, ([first]) => [{ ...first, cache_control: { type: 'ephemeral' } }])),
  );
  clean('effort, tokens and display', () =>
    fable().send(undefined, {
      max_tokens: 4000,
      output_config: { effort: 'low' },
      thinking: { type: 'adaptive', display: 'summarized' },
    }),
  );
  judged('an old result cleared', () =>
    fable()
      .send(put(2, ([first]) => [{ ...first, content: 'cleared' }]))
      .finds({ prefix_broken: 1 }),
  );
  judged('left out in the middle', () =>
    fable().answer(T('c'), call('drain')).results('drain').send(cut(3, 0)).finds({ dropped: 1, prefix_broken: 1 }),
  );
  judged('left out at the front', () => fable().send(cut(1, 0)).finds({ dropped: 1 }));
  judged('left out at the end', () => fable().send(cut(3, 0)).finds({ dropped: 1 }));
});

describe('corners', () => {
  judged('the redacted one of two', () =>
    DIRECT('claude-opus-4-5', MANUAL)
      .user(ASK)
      .answer(T('a'), hidden('r'), call('gauge'))
      .results('gauge')
      .send(cut(1, 1))
      .finds({ dropped: 1 }),
  );
  judged('redacted data changed', () =>
    DIRECT('claude-opus-4-5', MANUAL)
      .user(ASK)
      .answer(hidden('r'), call('gauge'))
      .results('gauge')
      .send(set(1, 0, { data: seal('r').slice(0, 16) }))
      .finds({ edited: 1 }),
  );
  judged('signature member gone', () =>
    step(DIRECT('claude-opus-4-8'))
      .send(set(1, 0, { signature: undefined }))
      .finds({ edited: 1 }),
  );
  judged('thinking member gone', () =>
    step(DIRECT('claude-opus-4-8'))
      .send(set(1, 0, { thinking: undefined }))
      .finds({ edited: 1 }),
  );
  judged('the type renamed', () =>
    step(DIRECT('claude-opus-4-8'))
      .send(set(1, 0, { type: 'reasoning' }))
      .finds({ edited: 1 }),
  );
  clean('a refused answer thrown away', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .send()
      .receive([T('a'), text('I')], { stop_reason: 'refusal' })
      .user('Only the pumps.')
      .send(),
  );
  clean('a paused turn sent back', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .send()
      .receive([T('a'), { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pump' } }], {
        stop_reason: 'pause_turn',
      })
      .add({
        role: 'assistant',
        content: [T('a'), { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pump' } }],
      })
      .send(),
  );
  const searched = [
    T('a'),
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'pump' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    T('b'),
    text('Two.'),
  ];
  clean('around a server tool, as received', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .answer(...searched)
      .user('Sure?')
      .send(),
  );
  judged('around a server tool, the second gone', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .answer(...searched)
      .user('Sure?')
      .send(cut(1, 3))
      .finds({ dropped: 1 }),
  );
  clean('only what follows the compaction', () =>
    turn(DIRECT('claude-opus-4-8'))
      .answer({ type: 'compaction', content: 'Pump two, hot.' }, T('c'), text('A litre.'))
      .user('Sure?')
      .send(gone(0, 1, 2, 3, 4)),
  );
  const MARK = {
    type: 'fallback',
    from: { model: 'claude-fable-5' },
    to: { model: 'claude-opus-4-8' },
    trigger: { type: 'refusal' },
  };
  const fallen = (): Talk =>
    DIRECT('claude-fable-5', { ...ADAPTIVE, fallbacks: [{ model: 'claude-opus-4-8' }] })
      .user(ASK)
      .answer(T('a', ''), MARK, T('b', ''), text('Two.'))
      .user('Sure?');
  clean('what stood before a fallback left out', () => fallen().send(cut(1, 0)));
  judged('the marker gone', () => fallen().send(cut(1, 1)).finds({ merged: 1 }));
  judged('what stood after it gone', () =>
    fallen()
      .send(cut(1, 0, 2))
      .finds({ dropped: 1 }),
  );
  clean('a thread that goes on', () =>
    turn(DIRECT('claude-opus-4-8')).send(gone(0, 1, 2, 3), {
      thread: { type: 'continue', previous_message_id: 'msg_1' },
    }),
  );
  clean('a stream that broke off, its part left out', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .send()
      .receive(
        [],
        {
          content: undefined,
          stream: [
            { type: 'message_start', message: { model: 'claude-opus-4-8', content: [] } },
            { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
            { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Pump' } },
          ],
        },
        { aborted: true },
      )
      .answer(T('a'), call('gauge'))
      .results('gauge')
      .send(),
  );
  judged('switched off where it may be', () =>
    step(DIRECT('claude-haiku-5-5'))
      .send(undefined, { thinking: { type: 'disabled' } })
      .finds({ mode_toggled: 1 }),
  );
  clean('left out of the request where it is on by itself', () =>
    step(DIRECT('claude-sonnet-5')).send(undefined, { thinking: undefined }),
  );
  clean('manual to adaptive', () => step(DIRECT('claude-opus-4-6', MANUAL)).send(undefined, ADAPTIVE));
  clean('text beside the result', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .answer(T('a'), call('gauge'))
      .user(MESSAGES.result('gauge'), text('Quick.'))
      .send(),
  );
  judged('text beside the result, reasoning gone', () =>
    DIRECT('claude-opus-4-8')
      .user(ASK)
      .answer(T('a'), call('gauge'))
      .user(MESSAGES.result('gauge'), text('Quick.'))
      .send(cut(1, 0))
      .finds({ dropped: 1 }),
  );
});
