import { describe, it } from 'vitest';
import { check, responses, type Step, type Talk } from './talk.ts';
import {
  ahead,
  all,
  bare,
  dev,
  easy,
  exactly,
  fc,
  type Item,
  out,
  ref,
  rs,
  say,
  seal,
  set,
  stored,
  thought,
  user,
  without,
} from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;
const ASK = 'Which of the six depots is short of salt?';
const step = (model = 'gpt-5.2', config = {}, meta?: Item): Talk =>
  responses(model, config, meta).user(ASK).answer(rs('a'), fc('c1')).results('c1');
const twoSteps = (model = 'gpt-5.2', config = {}): Talk => step(model, config).answer(rs('b'), fc('c2')).results('c2');
const turn = (model = 'gpt-5.2', config = {}, meta?: Item): Talk =>
  responses(model, config, meta).user(ASK).answer(rs('a'), say('m', 'Depot four.')).user('Since when?');
const OUT = all(without('rs_a'), bare('fc_c1'));
const OUTM = all(without('rs_a'), bare('msg_m'));
const E4 =
  'The encrypted content gAAA… could not be verified. Reason: Encrypted content could not be decrypted or parsed.';

describe('as clients and gateways send it', () => {
  // P7 after an interrupted stream whose reasoning item was done.
  judged('cut after the reasoning item, replayed', () => {
    const talk = responses('gpt-5.2').user(ASK).send();
    talk.wire.steps.push({
      api: 'openai.responses',
      meta: { aborted: true },
      response: {
        id: 'resp_1',
        model: 'gpt-5.2',
        status: 'in_progress',
        output: [rs('a')],
        stream: [
          { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5.2', status: 'in_progress', output: [] } },
          { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_a', summary: [] } },
          { type: 'response.output_item.done', output_index: 0, item: rs('a') },
        ],
      },
    });
    return talk.add(rs('a')).user('Go on.').send().finds({ orphaned: 1 });
  });
  // P7: chained from it.
  judged('chained from an incomplete answer of reasoning alone', () => {
    const talk = responses('gpt-5.2', { store: true })
      .user(ASK)
      .send()
      .receive({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, stored('a'));
    return talk.send(exactly(user('Go on.')), { previous_response_id: talk.last }).finds({ orphaned: 1 });
  });
  // Azure: bound to the resource.
  judged('another Azure resource', () =>
    step('gpt-5.2', {}, { endpoint: 'https://east.openai.azure.com' })
      .to({ endpoint: 'https://west.openai.azure.com' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('another Azure label', () =>
    step('gpt-5.2', {}, { endpoint: 'azure-east' }).to({ endpoint: 'azure-west' }).send().finds({ foreign: 1 }),
  );
  judged('a gateway to OpenAI directly', () =>
    step('gpt-5.2', {}, { endpoint: 'https://api.githubcopilot.com' })
      .to({ endpoint: 'https://api.openai.com/v1' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('deployment changed, E4', () =>
    turn('gpt-5.4', {}, { endpoint: 'https://east.openai.azure.com' })
      .with({ model: 'gpt-5.4-mini' })
      .send()
      .finds({ foreign: 1 })
      .fails(400, E4),
  );
  judged('refused with E4, several', () => twoSteps().send().finds({ foreign: 2 }).fails(400, E4));
  // S4: E4 where the client had altered it: edited explains it.
  judged('E4 after an edit', () =>
    step()
      .send(set('rs_a', { encrypted_content: seal('a').slice(0, 150) }))
      .finds({ edited: 1 })
      .fails(400, E4),
  );
  // Hosted call as follower.
  const ws = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'salt' } };
  const hosted = (): Talk =>
    responses('gpt-5.2').user(ASK).answer(rs('a'), ws, rs('b'), say('m', 'Depot four.')).user('Since when?');
  clean('hosted call', () => hosted().send());
  judged('hosted call removed', () => hosted().send(without('ws_1')).finds({ orphaned: 1 }));
  judged('reasoning before a hosted call removed', () =>
    hosted().send(without('rs_a')).finds({ dropped: 1, orphaned: 1 }),
  );
  // Azure: the response's model counts.
  judged('deployment name, all_turns behind it', () =>
    responses('prod-main', {}, { endpoint: 'https://east.openai.azure.com' })
      .user(ASK)
      .send()
      .receive({ model: 'gpt-5.6' }, rs('a'), say('m', 'Depot four.'))
      .add(rs('a'), say('m', 'Depot four.'))
      .user('Since when?')
      .send(OUTM)
      .finds({ dropped: 1 }),
  );
  clean('deployment name, current_turn behind it', () =>
    responses('prod-main', {}, { endpoint: 'https://east.openai.azure.com' })
      .user(ASK)
      .send()
      .receive({ model: 'gpt-5.2' }, rs('a'), say('m', 'Depot four.'))
      .add(rs('a'), say('m', 'Depot four.'))
      .user('Since when?')
      .send(OUTM),
  );
  // Copilot: ids of `added` and `done` differ.
  const twoIds = (id: string): Talk =>
    responses('gpt-5.5', {}, { endpoint: 'https://api.githubcopilot.com' })
      .user(ASK)
      .send()
      .receive({
        output: [{ ...rs('a'), id: 'Zm9vMg==' }, fc('c1')],
        stream: [
          {
            type: 'response.output_item.added',
            output_index: 0,
            item: { type: 'reasoning', id: 'Zm9vMQ==', summary: [] },
          },
          { type: 'response.output_item.done', output_index: 0, item: { ...rs('a'), id: 'Zm9vMg==' } },
          { type: 'response.output_item.done', output_index: 1, item: fc('c1') },
        ],
      })
      .add({ ...rs('a'), id }, fc('c1'), out('c1'));
  clean('id of done', () => twoIds('Zm9vMg==').send());
  judged('id of added', () => twoIds('Zm9vMQ==').send().finds({ edited: 1 }));
  // Conversation and items on top.
  judged('conversation and the history on top', () => {
    const talk = responses('gpt-5.2', { store: true, conversation: 'conv_1' })
      .user(ASK)
      .answer(rs('a'), fc('c1'))
      .results('c1');
    return talk.send().finds({ duplicated: 1 });
  });
  // xAI item as it comes: no id, with status.
  const xai = { type: 'reasoning', summary: [], encrypted_content: seal('x'), status: 'completed' };
  clean('xAI as received', () =>
    responses('grok-4.7')
      .user(ASK)
      .answer(xai, { ...fc('c1'), id: undefined })
      .results('c1')
      .send(),
  );
  judged('xAI text alone', () =>
    responses('grok-4.7')
      .user(ASK)
      .answer(xai, say('m', 'Depot four.'))
      .user('Since when?')
      .send(exactly(user(ASK), easy('Depot four.'), user('Since when?')))
      .finds({ dropped: 1 }),
  );
  judged('xAI cut', () =>
    responses('grok-4.7')
      .user(ASK)
      .answer(xai, fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), { ...xai, encrypted_content: seal('x').slice(0, 150) }, fc('c1'), out('c1')))
      .finds({ edited: 1 }),
  );
  clean('xAI chained', () => {
    const talk = responses('grok-4.7', { store: true }).user(ASK).answer(xai, fc('c1')).results('c1');
    return talk.send(exactly(out('c1')), { previous_response_id: talk.last });
  });
  // Open weights: text items.
  const open = (name: string): Item => ({
    type: 'reasoning',
    id: `rs_${name}`,
    summary: [],
    content: [{ type: 'reasoning_text', text: thought(name) }],
  });
  const HOME = { endpoint: 'http://localhost:8000/v1' };
  clean('open weights as received', () =>
    responses('gpt-oss-120b', {}, HOME).user(ASK).answer(open('a'), fc('c1')).results('c1').send(),
  );
  judged('open weights, gone', () =>
    responses('gpt-oss-120b', {}, HOME)
      .user(ASK)
      .answer(open('a'), fc('c1'))
      .results('c1')
      .send(OUT)
      .finds({ dropped: 1 }),
  );
  judged('open weights, changed', () =>
    responses('gpt-oss-120b', {}, HOME)
      .user(ASK)
      .answer(open('a'), fc('c1'))
      .results('c1')
      .send(set('rs_a', { content: [{ type: 'reasoning_text', text: thought('a').slice(0, 75) }] }))
      .finds({ edited: 1 }),
  );
  // Clustered by type, without ids.
  judged('clustered', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'), rs('b'), fc('c2'))
      .results('c1', 'c2')
      .send(
        exactly(
          user(ASK),
          ...[rs('a'), rs('b'), fc('c1'), fc('c2')].map((item) => ({ ...item, id: undefined })),
          out('c1'),
          out('c2'),
        ),
      )
      .finds({ reordered: 1 }),
  );
  // Gateway legs.
  judged('stripped between the legs', () => {
    const talk = responses('gpt-5.2').user(ASK);
    const steps = talk.wire.steps as Step[];
    const rq = (input: Item[]) => ({ model: 'gpt-5.2', store: false, reasoning: { effort: 'medium' }, input });
    const answer = { id: 'resp_1', model: 'gpt-5.2', status: 'completed', output: [rs('a'), fc('c1')] };
    steps.push(
      { api: 'openai.responses', request: rq([user(ASK)]), meta: { leg: 'client' } },
      { api: 'openai.responses', request: rq([user(ASK)]), meta: { leg: 'gateway' } },
      { api: 'openai.responses', response: answer, meta: { leg: 'gateway', answers: 1 } },
      { api: 'openai.responses', response: answer, meta: { leg: 'client', answers: 0 } },
      { api: 'openai.responses', request: rq([user(ASK), rs('a'), fc('c1'), out('c1')]), meta: { leg: 'client' } },
      {
        api: 'openai.responses',
        request: rq([user(ASK), { ...fc('c1'), id: undefined }, out('c1')]),
        meta: { leg: 'gateway' },
      },
    );
    return talk.finds({ dropped: 1 });
  });
  // Async and approvals etc.
  clean('mcp approval', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), { type: 'mcp_approval_request', id: 'mcpr_1', name: 'x', arguments: '{}', server_label: 's' })
      .add({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true })
      .send(),
  );
  clean('steered', () =>
    responses('gpt-6-sol')
      .user(ASK)
      .send()
      .receive({ status: 'incomplete', incomplete_details: { reason: 'steered' } }, rs('a'), say('m', 'Let me'))
      .add(rs('a'), say('m', 'Let me'))
      .user('Only the north.')
      .send(),
  );
  // A custom tool call.
  const ctc = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_z', name: 'patch', input: '*** Begin' };
  const co = { type: 'custom_tool_call_output', call_id: 'call_z', output: 'done' };
  judged('custom call, reasoning gone', () =>
    responses('gpt-5.5')
      .user(ASK)
      .answer(rs('a'), ctc)
      .add(co)
      .send(all(without('rs_a'), bare('ctc_1')))
      .finds({ dropped: 1 }),
  );
  judged('custom call keeps its id', () =>
    responses('gpt-5.5')
      .user(ASK)
      .answer(rs('a'), ctc)
      .add(co)
      .send(without('rs_a'))
      .finds({ dropped: 1, orphaned: 1 }),
  );
  clean('custom call', () => responses('gpt-5.5').user(ASK).answer(rs('a'), ctc).add(co).send());
  // Reference of the follower, reasoning in full etc.
  clean('stored: reasoning whole, call by reference', () =>
    responses('gpt-5.2', { store: true })
      .user(ASK)
      .answer(rs('a'), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), rs('a'), ref('fc_c1'), out('c1'))),
  );
  judged('stored: reference of the call only', () =>
    responses('gpt-5.2', { store: true })
      .user(ASK)
      .answer(stored('a'), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), ref('fc_c1'), out('c1')))
      .finds({ dropped: 1, orphaned: 1 }),
  );
  judged('stored: reference of the reasoning only', () =>
    responses('gpt-5.2', { store: true })
      .user(ASK)
      .answer(stored('a'), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), ref('rs_a'), { ...fc('c1'), id: undefined }, out('c1')))
      .finds({ orphaned: 1 }),
  );
  // The refused request repaired.
  judged('refused for pairing, both cut, then lost', () =>
    step()
      .send(without('rs_a'))
      .finds({ dropped: 1, orphaned: 1 })
      .fails(400, "Item 'fc_c1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_a'.")
      .send(OUT)
      .finds({ dropped: 1 }),
  );
  judged('orphans twice', () => twoSteps().send(bare('fc_c1', 'fc_c2')).finds({ orphaned: 2 }));
  judged('both steps stripped, ids kept', () =>
    twoSteps().send(without('rs_a', 'rs_b')).finds({ dropped: 2, orphaned: 2 }),
  );
  judged('only ids off all reasoning', () => twoSteps().send(bare('rs_a', 'rs_b')).finds({ orphaned: 2 }));
  judged('all payloads off', () =>
    twoSteps()
      .send(all(set('rs_a', { encrypted_content: undefined }), set('rs_b', { encrypted_content: undefined })))
      .finds({ unsealed: 2 }),
  );
  judged('unsealed in a closed turn is refused', () =>
    turn()
      .send(set('rs_a', { encrypted_content: undefined }))
      .finds({ unsealed: 1 }),
  );
  judged('edited payload in a closed turn is refused', () =>
    turn()
      .send(set('rs_a', { encrypted_content: seal('a').slice(0, 150) }))
      .finds({ edited: 1 }),
  );
  judged('id rewritten in a closed turn', () =>
    turn()
      .send(set('rs_a', { id: 'rs_new' }))
      .finds({ edited: 1 }),
  );
  judged('follower id off in a closed turn', () => turn().send(bare('msg_m')).finds({ orphaned: 1 }));
  judged('duplicated in a closed turn', () =>
    turn()
      .send((i) => [...i, rs('a'), say('m', 'Depot four.')])
      .finds({ duplicated: 1 }),
  );
  // Two accounts in one run: only what the other account produced.
  judged('account, one of two', () =>
    step('gpt-5.2', {}, { auth_fingerprint: 'one' })
      .to({ auth_fingerprint: 'two' })
      .send(OUT)
      .reply(rs('b'), fc('c2'))
      .results('c2')
      .to({ auth_fingerprint: 'one' })
      .send(OUT)
      .finds({ foreign: 1, dropped: 1 }),
  );
  // gpt-6.2, images and developer message.
  judged('an image taken out of the question', () =>
    responses('gpt-6.2-sol')
      .add({
        role: 'user',
        content: [
          { type: 'input_text', text: ASK },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      })
      .answer(rs('a'), fc('c1'))
      .results('c1')
      .send((i) => [{ role: 'user', content: [{ type: 'input_text', text: ASK }] }, ...i.slice(1)])
      .finds({ prefix_broken: 1 }),
  );
  clean('the question as a string or as a part', () =>
    responses('gpt-6.2-sol')
      .user(ASK)
      .answer(rs('a'), fc('c1'))
      .results('c1')
      .send((i) => [{ role: 'user', type: 'message', content: [{ type: 'input_text', text: ASK }] }, ...i.slice(1)]),
  );
  judged('changed developer message, closed turn', () =>
    responses('gpt-6.2-sol')
      .add(dev('Monday.'))
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.'))
      .user('Since when?')
      .send((i) => [dev('Tuesday.'), ...i.slice(1)])
      .finds({ prefix_broken: 1 }),
  );
  judged('prefix and switch off', () =>
    twoSteps('gpt-6-luna')
      .send(undefined, { reasoning: { effort: 'none' } })
      .finds({ mode_toggled: 1 }),
  );
  // A removal the other way: dropped on gpt-6.2 in a closed turn.
  judged('closed, gpt-6.2, gone', () => turn('gpt-6.2-sol').send(OUTM).finds({ dropped: 1 }));
  judged('earlier text shortened under intact items', () =>
    turn('gpt-6.2-sol')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(set('msg_m', { content: [{ type: 'output_text', text: 'Four.', annotations: [] }] }))
      .finds({ prefix_broken: 1 }),
  );
  clean('behind the compaction of responses.compact', () => {
    const cmp = { type: 'compaction', id: 'cmp_1', encrypted_content: seal('cmp') };
    return twoSteps('gpt-5.6').send(exactly(user(ASK), cmp, user('Now order some.')));
  });
  clean('trigger removed later', () => {
    const cmp = { type: 'compaction', id: 'cmp_1', encrypted_content: seal('cmp') };
    return turn('gpt-6.2-sol')
      .send((i) => [...i, { type: 'compaction_trigger' }])
      .receive({}, cmp)
      .add(cmp)
      .user('Next?')
      .send(exactly(cmp, user('Next?')));
  });
});

// Rules: identity is the seal; a loss counts at each step; on models that check (gpt-6.2) what stands before a unit ties it, and a
// unit left out breaks those after it; E4 is told by the error of the request itself; units of a closed turn are owed where read.
describe('in longer runs', () => {
  clean('a string as input', () => {
    const t = responses('gpt-6.2-sol').user(ASK).send(undefined, { input: ASK });
    (t.wire.steps[0] as { request: Item }).request = {
      model: 'gpt-6.2-sol',
      store: false,
      reasoning: { effort: 'medium' },
      input: ASK,
    };
    return t.reply(rs('a'), fc('c1')).results('c1').send();
  });
  judged('behind another answer of the turn, no ids', () =>
    twoSteps()
      .send(
        exactly(
          user(ASK),
          { ...fc('c1'), id: undefined },
          out('c1'),
          { ...rs('a'), id: undefined },
          { ...rs('b'), id: undefined },
          { ...fc('c2'), id: undefined },
          out('c2'),
        ),
      )
      .finds({ misplaced: 1 }),
  );
  judged('E4 in the stream', () => {
    const t = turn().send().finds({ foreign: 1 });
    t.wire.steps.push({
      api: 'openai.responses',
      response: {
        id: 'resp_f',
        model: 'gpt-5.2',
        status: 'failed',
        output: [],
        error: { code: 'invalid_encrypted_content', message: E4 },
        stream: [
          { type: 'response.created', response: { id: 'resp_f', model: 'gpt-5.2', status: 'in_progress', output: [] } },
          {
            type: 'response.failed',
            response: {
              id: 'resp_f',
              model: 'gpt-5.2',
              status: 'failed',
              output: [],
              error: { code: 'invalid_encrypted_content', message: E4 },
            },
          },
        ],
      },
    });
    return t;
  });
  judged('E4 in the body', () => {
    const t = turn().send().finds({ foreign: 1 });
    t.wire.steps.push({
      api: 'openai.responses',
      response: {
        id: 'resp_f',
        model: 'gpt-5.2',
        status: 'failed',
        output: [],
        error: { code: 'invalid_encrypted_content', message: E4 },
      },
    });
    return t;
  });
  clean('answers out of order', () => {
    const t = responses('gpt-5.2').user(ASK).send();
    const o = responses('gpt-5.2', {}, undefined, t.wire).user('And of grit?').send();
    t.wire.steps.push({
      api: 'openai.responses',
      response: { id: 'r2', model: 'gpt-5.2', status: 'completed', output: [rs('g'), fc('g1')] },
      meta: { answers: 1 },
    });
    t.wire.steps.push({
      api: 'openai.responses',
      response: { id: 'r1', model: 'gpt-5.2', status: 'completed', output: [rs('a'), fc('c1')] },
      meta: { answers: 0 },
    });
    t.add(rs('a'), fc('c1'), out('c1')).send();
    o.add(rs('g'), fc('g1'), out('g1')).send();
    return t;
  });
  clean('a first answer that never reached the client', () =>
    step().send().receive({}, rs('x'), fc('c9')).send().reply(rs('b'), fc('c2')).results('c2').send(),
  );
  clean('Grok, another Grok', () => turn('grok-4.7').with({ model: 'grok-4.6' }).send());
  judged('OpenAI, then OpenRouter', () =>
    step('gpt-5.5', {}, { endpoint: 'https://api.openai.com/v1' })
      .with({ model: 'openai/gpt-5.5' })
      .to({ endpoint: 'https://openrouter.ai/api/v1' })
      .send()
      .finds({ foreign: 1 }),
  );
  clean('minimal is not off', () => step().send(undefined, { reasoning: { effort: 'minimal' } }));
  clean('first host unnamed, then named by its own address', () =>
    step('gpt-5.2').to({ endpoint: 'https://api.openai.com/v1' }).send(),
  );
  judged('account, stored', () =>
    responses('gpt-5.2', { store: true }, { auth_fingerprint: 'one' })
      .user(ASK)
      .answer(rs('a'), say('m', 'x y z'))
      .user('Since?')
      .to({ auth_fingerprint: 'two' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('account, three units', () =>
    responses('gpt-5.2', {}, { auth_fingerprint: 'one' })
      .user(ASK)
      .answer(rs('a'), fc('c1'))
      .results('c1')
      .answer(rs('b'), rs('d'), fc('c2'))
      .results('c2')
      .to({ auth_fingerprint: 'two' })
      .send()
      .finds({ foreign: 3 }),
  );
  judged('text of the message rewritten is no unit', () => turn('gpt-5.2').send(bare('msg_m')).finds({ orphaned: 1 }));
  clean('call arguments reformatted', () => step().send(set('fc_c1', { arguments: '{ "key": "c1" }' })));
  judged('three steps, middle one', () =>
    twoSteps()
      .answer(rs('d'), fc('c3'))
      .results('c3')
      .send(all(without('rs_b'), bare('fc_c2')))
      .finds({ dropped: 1 }),
  );
  judged('gpt-6.2: three steps, middle one', () =>
    twoSteps('gpt-6.2-sol')
      .answer(rs('d'), fc('c3'))
      .results('c3')
      .send(all(without('rs_b'), bare('fc_c2')))
      .finds({ dropped: 1, prefix_broken: 1 }),
  );
  judged('gpt-6.2: last two outputs shortened', () =>
    twoSteps('gpt-6.2-sol')
      .answer(rs('d'), fc('c3'))
      .results('c3')
      .send(all(set('out_c1', { output: 'x' }), set('out_c2', { output: 'x' })))
      .finds({ prefix_broken: 2 }),
  );
  judged('gpt-6.2: lasting edit, new units intact', () =>
    twoSteps('gpt-6.2-sol')
      .edit(set('out_c1', { output: '[cleared]' }))
      .send()
      .finds({ prefix_broken: 1 })
      .reply(rs('d'), fc('c3'))
      .results('c3')
      .send()
      .finds({ prefix_broken: 1 }),
  );
  judged('gpt-6.2: tool added between turns', () =>
    turn('gpt-6.2-sol', { tools: [{ type: 'function', name: 'a' }] })
      .send(undefined, {
        tools: [
          { type: 'function', name: 'a' },
          { type: 'function', name: 'b' },
        ],
      })
      .finds({ prefix_broken: 1 }),
  );
  clean('gpt-6.2: additional_tools appended', () =>
    turn('gpt-6.2-sol', { tools: [{ type: 'function', name: 'a' }] }).send((i) => [
      ...i,
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'function', name: 'b' }] },
    ]),
  );
  clean('gpt-6.2: tool_choice', () => turn('gpt-6.2-sol').send(undefined, { tool_choice: 'none' }));
  clean('gpt-6.2: status and id members', () =>
    twoSteps('gpt-6.2-sol').send(all(bare('rs_a', 'fc_c1', 'rs_b', 'fc_c2'), set('fc_c1', { status: undefined }))),
  );
  judged('gpt-6.2: trimmed step', () =>
    twoSteps('gpt-6.2-sol')
      .send(without('rs_a', 'fc_c1', 'out_c1'))
      .finds({ trimmed: 1, prefix_broken: 1 }),
  );
  judged('gpt-6.2: duplicate', () =>
    turn('gpt-6.2-sol')
      .send((i) => [...i, rs('a'), say('m', 'Depot four.')])
      .finds({ duplicated: 1 }),
  );
  judged('gpt-5.6, both turns gone', () =>
    turn('gpt-5.6')
      .answer(rs('b'), say('n', 'Since May.'))
      .user('Why?')
      .send(all(OUTM, without('rs_b'), bare('msg_n')))
      .finds({ dropped: 2 }),
  );
  judged('gpt-5.6, open gone and closed gone', () =>
    turn('gpt-5.6')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(all(OUTM, without('rs_b'), bare('fc_c1')))
      .finds({ dropped: 2 }),
  );
  judged('gpt-5.2, open gone, closed may', () =>
    turn('gpt-5.2')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(all(OUTM, without('rs_b'), bare('fc_c1')))
      .finds({ dropped: 1 }),
  );
});

// Rules: what went with its whole answer is trimmed (a note); items before the compaction item may go, those behind it may not; a
// reasoning item whose follower was taken away is orphaned; an item without its payload is a container: edited.
describe('windows, interruptions, short recordings', () => {
  const cmp = { type: 'compaction', id: 'cmp_1', encrypted_content: seal('cmp') };

  judged('behind the compaction item, gone', () =>
    twoSteps('gpt-5.6')
      .answer(cmp, rs('c'), fc('c3'))
      .results('c3')
      .send(exactly(cmp, { ...fc('c3'), id: undefined }, out('c3')))
      .finds({ dropped: 1 }),
  );
  judged('interrupted: the call removed, its reasoning kept', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'))
      .user('Stop.')
      .send(without('fc_c1'))
      .finds({ orphaned: 1 }),
  );
  clean('interrupted: both removed', () =>
    responses('gpt-5.2').user(ASK).answer(rs('a'), fc('c1')).user('Stop.').send(without('fc_c1', 'rs_a')),
  );
  judged('a window over turns', () =>
    responses('gpt-5.6')
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.'))
      .user('Since when?')
      .answer(rs('b'), say('n', 'Since the first of May.'))
      .user('Why?')
      .send((i) => i.slice(3))
      .notes({ trimmed: 1 }),
  );
  clean('gpt-6.2, another of the family', () => twoSteps('gpt-6.2-sol').with({ model: 'gpt-6.2-luna' }).send());
  clean('no id on the response', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({ id: undefined }, rs('a'), fc('c1'))
      .add(rs('a'), fc('c1'), out('c1'))
      .send(),
  );
  judged('no model on the response', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({ model: undefined }, rs('a'), fc('c1'))
      .add({ ...fc('c1'), id: undefined }, out('c1'))
      .send()
      .finds({ dropped: 1 }),
  );
  judged('stream without envelope', () =>
    responses('gpt-5.2')
      .user(ASK)
      .send()
      .receive({
        output: undefined,
        stream: [
          { type: 'response.output_item.done', output_index: 0, item: rs('a') },
          { type: 'response.output_item.done', output_index: 1, item: fc('c1') },
        ],
      })
      .add({ ...fc('c1'), id: undefined }, out('c1'))
      .send()
      .finds({ dropped: 1 }),
  );
  judged('two messages in one answer, reasoning between lost', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), say('m', 'One moment.'), rs('b'), fc('c1'))
      .results('c1')
      .send(all(without('rs_b'), bare('fc_c1')))
      .finds({ dropped: 1 }),
  );
  judged('ids off everything, payload off too', () =>
    step()
      .send(all(set('rs_a', { encrypted_content: undefined, id: undefined }), bare('fc_c1')))
      .finds({ edited: 1 }),
  );
  judged('answer of the last turn as text, loop of this one whole', () =>
    responses('gpt-5.6')
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.'))
      .user('Order.')
      .answer(rs('b'), fc('c1'))
      .results('c1')
      .send(exactly(user(ASK), easy('Depot four.'), user('Order.'), rs('b'), fc('c1'), out('c1')))
      .finds({ dropped: 1 }),
  );
});

// Rules: what a chain holds is not expected again, and sent again it is duplicated; a call removed from a batch is edited once an
// answer; lost visible text does not count; a lost phase or summary is a note.
describe('chains, batches, labels', () => {
  // Short, as bug reports are rebuilt: texts of a word, no ids on anything.
  clean('short, equal answers', () =>
    responses('gpt-5.2')
      .user('1')
      .answer(rs('a'), say('m', 'ok'))
      .user('1')
      .answer(rs('b'), say('n', 'ok'))
      .user('1')
      .send(),
  );
  judged('short, equal answers, payload of the second cut', () =>
    responses('gpt-5.2')
      .user('1')
      .answer(rs('a'), say('m', 'ok'))
      .user('1')
      .answer(rs('b'), say('n', 'ok'))
      .user('1')
      .send(set('rs_b', { encrypted_content: seal('b').slice(0, 150) }))
      .finds({ edited: 1 }),
  );
  judged('short, all_turns, second gone', () =>
    responses('gpt-5.6')
      .user('1')
      .answer(rs('a'), say('m', 'ok'))
      .user('1')
      .answer(rs('b'), say('n', 'ok'))
      .user('1')
      .send(all(without('rs_b'), bare('msg_n')))
      .finds({ dropped: 1 }),
  );
  judged('short, all_turns, first gone', () =>
    responses('gpt-5.6')
      .user('1')
      .answer(rs('a'), say('m', 'ok'))
      .user('1')
      .answer(rs('b'), say('n', 'ok'))
      .user('1')
      .send(all(without('rs_a'), bare('msg_m')))
      .finds({ dropped: 1 }),
  );
  // Chain and prefix.
  clean('gpt-6.2 chained, tools the same', () => {
    const t = step('gpt-6.2-sol', { store: true, tools: [{ type: 'function', name: 'lookup' }] });
    return t.send(exactly(out('c1')), { previous_response_id: t.last });
  });
  judged('gpt-6.2 chained, tools changed', () => {
    const t = step('gpt-6.2-sol', { store: true, tools: [{ type: 'function', name: 'lookup' }] });
    return t.send(exactly(out('c1')), { previous_response_id: t.last, tools: [] }).finds({ prefix_broken: 1 });
  });
  judged('chained, effort none in the loop', () => {
    const t = step('gpt-5.2', { store: true });
    return t
      .send(exactly(out('c1')), { previous_response_id: t.last, reasoning: { effort: 'none' } })
      .finds({ mode_toggled: 1 });
  });
  judged('chained, one of two resent', () => {
    const t = step('gpt-5.2', { store: true });
    t.send(exactly(out('c1')), { previous_response_id: t.last }).reply(rs('b'), fc('c2'));
    return t.send(exactly(rs('b'), fc('c2'), out('c2')), { previous_response_id: t.last }).finds({ duplicated: 1 });
  });
  judged('chained, all resent', () => {
    const t = step('gpt-5.2', { store: true });
    t.send(exactly(out('c1')), { previous_response_id: t.last })
      .reply(rs('b'), fc('c2'))
      .results('c2');
    return t.send(undefined, { previous_response_id: t.last }).finds({ duplicated: 2 });
  });
  clean('chained to the first, second resent whole', () => {
    const t = step('gpt-5.2', { store: true });
    const first = t.last;
    t.send(exactly(out('c1')), { previous_response_id: first }).reply(rs('b'), fc('c2'));
    return t.send(exactly(out('c1'), rs('b'), fc('c2'), out('c2')), { previous_response_id: first });
  });
  judged('chained to the first, second resent without reasoning', () => {
    const t = step('gpt-5.2', { store: true });
    const first = t.last;
    t.send(exactly(out('c1')), { previous_response_id: first }).reply(rs('b'), fc('c2'));
    return t
      .send(exactly(out('c1'), { ...fc('c2'), id: undefined }, out('c2')), { previous_response_id: first })
      .finds({ dropped: 1 });
  });
  judged('chained, refused as a duplicate', () => {
    const t = step('gpt-5.2', { store: true });
    return t
      .send(undefined, { previous_response_id: t.last })
      .finds({ duplicated: 1 })
      .fails(400, 'Duplicate item found with id rs_a.')
      .send(exactly(out('c1')), { previous_response_id: t.last });
  });
  // Account in a chain: not tested. Switch to Azure with ids kept, reasoning out: pairing there.
  judged('gateway leg drops in a closed turn, all_turns', () =>
    responses('gpt-5.6', {}, { leg: 'gateway' })
      .user(ASK)
      .answer(rs('a'), say('m', 'Depot four.'))
      .user('Since?')
      .send(all(without('rs_a'), bare('msg_m')))
      .finds({ dropped: 1 }),
  );
  judged('three parallel calls, last removed', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'), fc('c2'), fc('c3'))
      .results('c1', 'c2', 'c3')
      .send(without('fc_c3', 'out_c3'))
      .finds({ edited: 1 }),
  );
  judged('two of three removed: once per answer', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'), fc('c2'), fc('c3'))
      .results('c1', 'c2', 'c3')
      .send(without('fc_c3', 'out_c3', 'fc_c2', 'out_c2'))
      .finds({ edited: 1 }),
  );
  clean('visible text lost does not count', () =>
    responses('grok-4.7')
      .user(ASK)
      .answer(rs('a'), say('m', 'One moment.'), fc('c1'))
      .results('c1')
      .send(without('msg_m')),
  );
  clean('visible text behind an unbroken pair lost', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a'), fc('c1'), say('m', 'One moment.'))
      .results('c1')
      .send(without('msg_m')),
  );
  judged('phase lost on two', () =>
    responses('gpt-5.4')
      .user(ASK)
      .answer(rs('a'), say('m', 'One moment.', 'commentary'), fc('c1'))
      .results('c1')
      .answer(rs('b'), say('n', 'Another one.', 'commentary'), fc('c2'))
      .results('c2')
      .send(all(set('msg_m', { phase: undefined }), set('msg_n', { phase: undefined })))
      .notes({ edited: 2 }),
  );
  judged('phase lost and reasoning gone', () =>
    responses('gpt-5.4')
      .user(ASK)
      .answer(rs('a'), say('m', 'One moment.', 'commentary'), fc('c1'))
      .results('c1')
      .send(all(without('rs_a'), bare('msg_m', 'fc_c1'), set('fc_c1', {})))
      .finds({ dropped: 1 }),
  );
  judged('summary changed on two', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a', thought('a')), fc('c1'))
      .results('c1')
      .answer(rs('b', thought('b')), fc('c2'))
      .results('c2')
      .send(all(set('rs_a', { summary: [] }), set('rs_b', { summary: [] })))
      .notes({ edited: 2 }),
  );
  judged('summary changed and id off alone', () =>
    responses('gpt-5.2')
      .user(ASK)
      .answer(rs('a', thought('a')), fc('c1'))
      .results('c1')
      .send(set('rs_a', { summary: [], id: undefined }))
      .finds({ edited: 1, orphaned: 1 }),
  );
  judged('developer message between reasoning and its call', () =>
    step()
      .send(ahead('fc_c1', dev('Be brief.')))
      .finds({ orphaned: 1 }),
  );
  judged('results moved before their call is no unit', () =>
    twoSteps()
      .send(exactly(user(ASK), rs('a'), fc('c1'), out('c1'), rs('b'), fc('c2'), out('c2'), rs('made'), fc('c2')))
      .finds({ fabricated: 1 }),
  );
});
