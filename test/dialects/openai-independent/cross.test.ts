import { describe, it } from 'vitest';
import { chat, check, messages, responses, type Step, type Talk } from './talk.ts';
import {
  bot,
  calls,
  fc,
  type Item,
  LOOKUP,
  out,
  rs,
  say,
  says,
  seal,
  signed,
  thought,
  tool,
  toolCall,
  user,
} from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;
const ASK = 'Which of the six depots is short of salt?';
const turn = (model = 'gpt-5.2', config = {}, meta?: Item): Talk =>
  responses(model, config, meta).user(ASK).answer(rs('a'), say('m', 'Depot four.')).user('Since when?');

// Rules: foreign is what another vendor made; leaving it out at a switch is clean; a placeholder for what the target never issued is
// a note; the two sides of a gateway are judged each for itself.
describe('from one API to another', () => {
  const think = (name: string): Item => ({ type: 'thinking', thinking: thought(name), signature: seal(name) });
  const use = (name: string): Item => ({ type: 'tool_use', id: `toolu_${name}`, name: 'lookup', input: { key: name } });
  const CLAUDE = 'claude-opus-4-7';
  const AD = { thinking: { type: 'adaptive' } };
  const claude = (): Talk =>
    messages(CLAUDE, AD)
      .user(ASK)
      .answer({ role: 'assistant', content: [think('a'), use('c1')] })
      .results('c1');
  // Left out at a switch.
  clean('Claude to Responses, left out', () => {
    const talk = claude();
    return responses('gpt-5.2', {}, undefined, talk.wire)
      .add(user(ASK), { ...fc('c1'), call_id: 'toolu_c1', id: undefined }, { ...out('c1'), call_id: 'toolu_c1' })
      .send();
  });
  judged('Claude to Responses, seal as payload', () => {
    const talk = claude();
    return responses('gpt-5.2', {}, undefined, talk.wire)
      .add(
        user(ASK),
        { ...rs('a'), id: undefined },
        { ...fc('c1'), call_id: 'toolu_c1', id: undefined },
        { ...out('c1'), call_id: 'toolu_c1' },
      )
      .send()
      .finds({ foreign: 1 });
  });
  judged('Claude to DeepSeek, relabelled', () => {
    const talk = claude();
    return chat('deepseek-v4-pro', { tools: LOOKUP }, undefined, talk.wire)
      .add(user(ASK), calls({ reasoning_content: thought('a') }, toolCall('c1', { id: 'toolu_c1' })), {
        ...tool('c1'),
        tool_call_id: 'toolu_c1',
      })
      .send()
      .finds({ foreign: 1 });
  });
  judged('Claude to DeepSeek, padded', () => {
    const talk = claude();
    return chat('deepseek-v4-pro', { tools: LOOKUP }, undefined, talk.wire)
      .add(user(ASK), calls({ reasoning_content: ' ' }, toolCall('c1', { id: 'toolu_c1' })), {
        ...tool('c1'),
        tool_call_id: 'toolu_c1',
      })
      .send()
      .notes({ fabricated: 1 });
  });
  judged('DeepSeek to Claude, unsigned', () => {
    const talk = chat('deepseek-v4-pro', { tools: LOOKUP })
      .user(ASK)
      .answer(says('Four.', { reasoning_content: thought('a') }));
    return messages(CLAUDE, AD, undefined, talk.wire)
      .add(
        user(ASK),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: thought('a'), signature: '' },
            { type: 'text', text: 'Four.' },
          ],
        },
        user('Since?'),
      )
      .send()
      .finds({ foreign: 1 });
  });
  judged('Responses to Claude, payload as seal', () => {
    const talk = turn('gpt-5.2');
    return messages(CLAUDE, AD, undefined, talk.wire)
      .add(
        user(ASK),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '', signature: seal('a') },
            { type: 'text', text: 'Depot four.' },
          ],
        },
        user('Since when?'),
      )
      .send()
      .finds({ foreign: 1 });
  });
  clean('Responses to Claude, left out', () => {
    const talk = turn('gpt-5.2');
    return messages(CLAUDE, AD, undefined, talk.wire)
      .add(user(ASK), { role: 'assistant', content: [{ type: 'text', text: 'Depot four.' }] }, user('Since when?'))
      .send();
  });
  // Fallback and back: Claude's block is in the history again.
  clean('Claude, OpenAI, Claude', () => {
    const talk = claude();
    chat('gpt-5.5', {}, undefined, talk.wire)
      .add(user(ASK), calls({}, toolCall('c1', { id: 'toolu_c1' })), { ...tool('c1'), tool_call_id: 'toolu_c1' })
      .answer(says('Depot four.'));
    return talk
      .add({ role: 'assistant', content: [{ type: 'text', text: 'Depot four.' }] }, user('Since when?'))
      .send();
  });
  judged('Claude, OpenAI, Claude without its block, keep-all model', () => {
    const talk = claude();
    chat('gpt-5.5', {}, undefined, talk.wire)
      .add(user(ASK), calls({}, toolCall('c1', { id: 'toolu_c1' })), { ...tool('c1'), tool_call_id: 'toolu_c1' })
      .answer(says('Depot four.'));
    return talk
      .edit((i) =>
        i.map((m) =>
          Array.isArray(m.content) ? { ...m, content: m.content.filter((b) => b.type !== 'thinking') } : m,
        ),
      )
      .add({ role: 'assistant', content: [{ type: 'text', text: 'Depot four.' }] }, user('Since when?'))
      .send()
      .finds({ dropped: 1 });
  });
  // The same model over two APIs of OpenAI: chat has no field, so nothing is lost by the client there; and back.
  clean('Claude to Gemini chat, nothing', () => {
    const talk = claude();
    return chat('gemini-2.5-pro', {}, undefined, talk.wire)
      .add(user(ASK), calls({}, toolCall('c1', { id: 'toolu_c1' })), { ...tool('c1'), tool_call_id: 'toolu_c1' })
      .send();
  });
  judged('Claude to Gemini chat, placeholder', () => {
    const talk = claude();
    return chat('gemini-3-pro-preview', {}, undefined, talk.wire)
      .add(user(ASK), calls({}, toolCall('c1', { id: 'toolu_c1', ...signed('skip_thought_signature_validator') })), {
        ...tool('c1'),
        tool_call_id: 'toolu_c1',
      })
      .send()
      .notes({ fabricated: 1 });
  });
  judged('Responses egress behind a Messages client drops it', () => {
    const talk = messages('gpt-5.2', AD);
    const steps = talk.wire.steps as Step[];
    const ask = { model: 'gpt-5.2', ...AD, messages: [user(ASK)] };
    const answer = {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: '', signature: seal('a') }, use('c1')],
    };
    const rq = (input: Item[]) => ({ model: 'gpt-5.2', store: false, reasoning: { effort: 'medium' }, input });
    const call = { ...fc('c1'), call_id: 'toolu_c1' };
    steps.push(
      { api: 'anthropic.messages', request: ask, meta: { leg: 'client', endpoint: 'gateway' } },
      { api: 'openai.responses', request: rq([user(ASK)]), meta: { leg: 'gateway' } },
      {
        api: 'openai.responses',
        response: { id: 'resp_1', model: 'gpt-5.2', status: 'completed', output: [rs('a'), call] },
        meta: { leg: 'gateway' },
      },
      {
        api: 'anthropic.messages',
        response: { model: 'gpt-5.2', stop_reason: 'tool_use', content: answer.content },
        meta: { leg: 'client' },
      },
      {
        api: 'anthropic.messages',
        request: {
          ...ask,
          messages: [
            user(ASK),
            answer,
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c1', content: 'row 1 to 40' }] },
          ],
        },
        meta: { leg: 'client', endpoint: 'gateway' },
      },
      {
        api: 'openai.responses',
        request: rq([user(ASK), { ...call, id: undefined }, { ...out('c1', 'row 1 to 40'), call_id: 'toolu_c1' }]),
        meta: { leg: 'gateway' },
      },
    );
    return talk.finds({ dropped: 1 });
  });
});

// Rule: what was left out for another vendor is owed again to the vendor that made it.
describe('and back', () => {
  const think = (name: string): Item => ({ type: 'thinking', thinking: thought(name), signature: seal(name) });
  const AD = { thinking: { type: 'adaptive' } };
  const use = (name: string): Item => ({ type: 'tool_use', id: `toolu_${name}`, name: 'lookup', input: { key: name } });
  clean('DeepSeek to Claude, left out', () => {
    const t = chat('deepseek-v4-pro', { tools: LOOKUP })
      .user(ASK)
      .answer(calls({ reasoning_content: thought('a') }, toolCall('c1', { id: 'toolu_c1' })));
    return messages('claude-opus-4-7', AD, undefined, t.wire)
      .add(
        user(ASK),
        { role: 'assistant', content: [use('c1')] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c1', content: 'x' }] },
      )
      .send();
  });
  judged('DeepSeek on Chat and back after Claude', () => {
    const t = chat('deepseek-v4-pro', { tools: LOOKUP })
      .user(ASK)
      .answer(calls({ reasoning_content: thought('a') }, toolCall('c1', { id: 'toolu_c1' })));
    messages('claude-opus-4-7', AD, undefined, t.wire)
      .add(
        user(ASK),
        { role: 'assistant', content: [use('c1')] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c1', content: 'x' }] },
      )
      .answer({ role: 'assistant', content: [think('b'), { type: 'text', text: 'Depot four it is.' }] });
    return t
      .add({ ...tool('c1'), tool_call_id: 'toolu_c1' }, says('Depot four it is.', { reasoning_content: ' ' }))
      .user('Since?')
      .send()
      .notes({ fabricated: 1 });
  });
  judged('… with its own lost on the way', () => {
    const t = chat('deepseek-v4-pro', { tools: LOOKUP })
      .user(ASK)
      .answer(calls({ reasoning_content: thought('a') }, toolCall('c1', { id: 'toolu_c1' })));
    messages('claude-opus-4-7', AD, undefined, t.wire)
      .add(
        user(ASK),
        { role: 'assistant', content: [use('c1')] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_c1', content: 'x' }] },
      )
      .answer({ role: 'assistant', content: [think('b'), { type: 'text', text: 'Depot four it is.' }] });
    return t
      .edit(bot(0, { reasoning_content: undefined }))
      .add({ ...tool('c1'), tool_call_id: 'toolu_c1' }, says('Depot four it is.'))
      .user('Since?')
      .send()
      .finds({ dropped: 1 });
  });
  clean('Responses, a chat helper, Responses', () => {
    const t = responses('gpt-5.2').user(ASK).answer(rs('a'), fc('c1')).results('c1');
    chat('gpt-4.1-mini', {}, undefined, t.wire).user(`Title for: ${ASK}`).answer(says('Salt'));
    return t.send();
  });
});
