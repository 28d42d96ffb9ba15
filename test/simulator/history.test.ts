import { describe, expect, it } from 'vitest';
import type { Answer, Script } from '../../src/simulator/index.ts';
import {
  BINDING,
  copy,
  isReasoning,
  type Loose,
  playLoop,
  post,
  postStream,
  ROUNDS,
  SEARCH,
  simulator,
} from './support.ts';

const FALLBACK = ['server-side-fallback-2026-07-01'];
const text = (answer: Loose) => answer.content.find(({ type }: Loose) => type === 'text')?.text;

/** The requested model declines after some output; whoever comes after it answers. */
const declining: Script = ({ model }): Answer =>
  model === 'claude-opus-5-5'
    ? {
        content: [{ think: 'Hmm.' }, { text: 'Let me see' }],
        stop: 'refusal',
        refusal: { category: 'cyber' },
      }
    : { content: [{ think: 'Fine.' }, { text: `From ${model}.` }] };

const question = (more: Loose = {}): Loose => ({
  model: 'claude-opus-5-5',
  max_tokens: 500,
  messages: [{ role: 'user', content: 'A delicate question' }],
  ...more,
});

describe('server-side fallback', () => {
  const fallbacks = [{ model: 'claude-opus-5' }];

  it('without a list a decline is a refusal', async () => {
    const sim = await simulator({ anthropic: { script: declining } });
    const { body } = await post(sim, question());
    expect(body).toMatchObject({ stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber' } });
  });

  it('answers with the fallback model, the marker first and the partial output gone', async () => {
    const sim = await simulator({ anthropic: { script: declining } });
    const { body, verdict } = await post(sim, question({ fallbacks }), { betas: FALLBACK });
    expect(body.model).toBe('claude-opus-5');
    expect(body.content.map(({ type }: Loose) => type)).toEqual(['fallback', 'thinking', 'text']);
    expect(body.content[0]).toEqual({
      type: 'fallback',
      from: { model: 'claude-opus-5-5' },
      to: { model: 'claude-opus-5' },
      trigger: { type: 'refusal', category: 'cyber' },
    });
    expect(body.usage.iterations.map(({ type, model }: Loose) => [type, model])).toEqual([
      ['message', 'claude-opus-5-5'],
      ['fallback_message', 'claude-opus-5'],
    ]);
    expect(body.usage.output_tokens).toBe(body.usage.iterations[1].output_tokens);
    expect(verdict.model).toBe('claude-opus-5');
  });

  it('streams the partial output, then the marker, under the requested model', async () => {
    const sim = await simulator({ anthropic: { script: declining } });
    const { events } = await postStream(sim, question({ fallbacks }), { betas: [...FALLBACK, BINDING] });
    expect(events[0].message.model).toBe('claude-opus-5-5');
    const starts = events.filter(({ type }) => type === 'content_block_start').map((event) => event.content_block.type);
    expect(starts).toEqual(['thinking', 'text', 'fallback', 'thinking', 'text']);
    const delta = events.find(({ type }) => type === 'message_delta');
    expect(delta.usage.iterations.at(-1)).toMatchObject({ type: 'fallback_message', model: 'claude-opus-5' });
    expect(events[0].message.input_transformations).toEqual([]);
    expect(delta.input_transformations).toEqual([]);
  });

  it('replaces the transformations of the start by those of the model that answered', async () => {
    const script: Script = (call) =>
      call.step === 0 && call.turn === 1 ? { content: ROUNDS[0]?.content ?? [] } : declining(call);
    const sim = await simulator({ anthropic: { script } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 1 });
    const { events } = await postStream(sim, { ...body, fallbacks }, { betas: [...FALLBACK, BINDING] });
    expect(events[0].message.input_transformations).toEqual([]);
    const delta = events.find(({ type }) => type === 'message_delta');
    expect(delta.input_transformations.map(({ reason }: Loose) => reason)).toEqual(
      Array(2).fill('model_binding_mismatch'),
    );
  });

  it('stays with the fallback model for an hour, without a marker', async () => {
    let time = 1_000_000;
    const sim = await simulator({ now: () => time, anthropic: { script: declining } });
    const first = await post(sim, question({ fallbacks }), { betas: FALLBACK });
    const next = question({ fallbacks });
    next.messages.push({ role: 'assistant', content: first.body.content }, { role: 'user', content: 'More.' });
    const second = await post(sim, next, { betas: FALLBACK });
    expect(second.body.content.map(({ type }: Loose) => type)).toEqual(['thinking', 'text']);
    expect(second.body.usage.iterations.map(({ type }: Loose) => type)).toEqual(['fallback_message']);
    time += 61 * 60_000;
    const third = await post(sim, next, { betas: FALLBACK });
    expect(third.body.content[0].type).toBe('fallback');
  });

  it('wants the reasoning before the last marker gone and the marker in place', async () => {
    const sim = await simulator({ anthropic: { script: declining, stickyRouting: false } });
    const { events } = await postStream(sim, question({ fallbacks }), { betas: FALLBACK });
    const content: Loose[] = [];
    for (const event of events) {
      if (event.type === 'content_block_start') content.push(copy(event.content_block));
      const block = content.at(-1);
      if (event.delta?.type === 'signature_delta') block.signature = event.delta.signature;
      if (event.delta?.type === 'text_delta') block.text += event.delta.text;
    }
    const ask = (answer: Loose[], model: string) =>
      post(sim, {
        ...question({ model }),
        messages: [...question().messages, { role: 'assistant', content: answer }, { role: 'user', content: 'More.' }],
      });
    const [pre, partial, marker, post1, final] = content;
    const rightly = [partial, marker, post1, final];
    expect((await ask(rightly, 'claude-opus-5')).verdict.shown).toEqual(['messages.1.content.2']);
    // opus-5-5 reads both models' blocks: the declined one's left in place breaks the chain.
    expect((await ask(content, 'claude-opus-5-5')).body.error.message).toContain('bound to a different conversation');
    // Without the marker between them two runs become one.
    const merged = await ask([partial, pre, post1, final], 'claude-opus-5-5');
    expect(merged.body.error.message).toContain('in the latest assistant message cannot be modified');
  });

  it('has limits', async () => {
    const sim = await simulator({ anthropic: { script: declining } });
    const send = (more: Loose, betas: readonly string[] = FALLBACK) => post(sim, question(more), { betas });
    const june = ['server-side-fallback-2026-06-01'];
    expect((await send({ fallbacks }, june)).status).toBe(200);
    expect((await send({ fallbacks: 'default' }, june)).status).toBe(400);
    expect((await send({ fallbacks: 'default' })).body.model).toBe('claude-opus-5');
    expect((await send({ fallbacks: Array(4).fill(fallbacks[0]) })).status).toBe(400);
    expect((await send({ fallbacks: [{ model: 'claude-opus-5', system: 'x' }] })).body.error.message).toContain(
      'fallbacks.0.system: Extra inputs',
    );
    expect((await send({ model: 'claude-haiku-5-5', fallbacks })).status).toBe(400);
    expect((await send({ model: 'claude-haiku-5-5', fallbacks: 'default' })).body.content.at(-1).text).toBe(
      'From claude-haiku-5-5.',
    );
  });

  it('a fallback that cannot take the request leaves the refusal standing, once', async () => {
    const sim = await simulator({ anthropic: { script: declining } });
    const forced = { tools: [SEARCH], tool_choice: { type: 'any' } };
    // sonnet-4-5 has no adaptive thinking to be told to use.
    const entry = { model: 'claude-sonnet-4-5', thinking: { type: 'adaptive' } };
    const { events, status } = await postStream(sim, question({ fallbacks: [entry] }), { betas: FALLBACK });
    expect(status).toBe(200);
    expect(events.find(({ type }) => type === 'message_delta').delta.stop_reason).toBe('refusal');
    const starts = events.filter(({ type }) => type === 'content_block_start').map((event) => event.content_block.type);
    expect(starts).toEqual(['thinking', 'text']);
    expect((await post(sim, question({ ...forced, fallbacks: [entry] }), { betas: FALLBACK })).status).toBe(400);
  });

  it('an overload is no reason to fall back', async () => {
    const script: Script = () => ({ content: [], fault: { kind: 'status', status: 529 } });
    const sim = await simulator({ anthropic: { script } });
    const sent = await post(sim, question({ fallbacks }), { betas: FALLBACK });
    expect(sent.status).toBe(529);
    expect(sent.body.error.type).toBe('overloaded_error');
  });
});

describe('compaction', () => {
  const THRESHOLD = ['compact-2026-01-12'];
  const edit = (more: Loose = {}) => ({
    context_management: {
      edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 10 }, ...more }],
    },
  });

  it('at a threshold puts a block first, and everything before it may go', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true });
    body.messages.push({ role: 'user', content: 'And back?' });
    const sent = await post(sim, { ...body, ...edit() }, { betas: THRESHOLD });
    expect(sent.body.content.map(({ type }: Loose) => type)).toEqual(['compaction', 'thinking', 'text']);
    const [compacted, sampled] = sent.body.usage.iterations;
    expect([compacted.type, sampled.type]).toEqual(['compaction', 'message']);
    expect(sent.body.usage.input_tokens).toBe(sampled.input_tokens);
    expect(sampled.input_tokens).toBeLessThan(compacted.input_tokens);
    const next = { role: 'user', content: 'Fine.' };
    const answer = { role: 'assistant', content: sent.body.content };
    const whole = await post(sim, { ...body, messages: [...body.messages, answer, next] });
    expect(whole.verdict.shown).toEqual(['messages.9.content.1']);
    expect(whole.verdict.stripped.map(({ reason }) => reason)).toEqual(Array(5).fill('compaction'));
    const short = await post(sim, { ...body, messages: [answer, next] });
    expect(short.verdict.shown).toEqual(['messages.0.content.1']);
    expect(short.body.usage.input_tokens).toBe(whole.body.usage.input_tokens);
  });

  it('can pause after the block, and go on from it', async () => {
    const sim = await simulator({ anthropic: { script: [{ content: [{ think: 'A.' }, { text: 'a' }] }] } });
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true });
    body.messages.push({ role: 'user', content: 'And back?' });
    const sent = await post(sim, { ...body, ...edit({ pause_after_compaction: true }) }, { betas: THRESHOLD });
    expect(sent.body.stop_reason).toBe('compaction');
    expect(sent.body.content).toHaveLength(1);
    const messages = [{ role: 'assistant', content: sent.body.content }];
    const resumed = await post(sim, { ...body, messages });
    expect(resumed.status).toBe(200);
    // The same answer, merged into the paused message or beside it, is at the same place.
    const answer = { role: 'assistant', content: resumed.body.content };
    const next = { role: 'user', content: 'Fine.' };
    expect((await post(sim, { ...body, messages: [...messages, answer, next] })).verdict.shown).toHaveLength(1);
    const merged = { role: 'assistant', content: [...sent.body.content, ...resumed.body.content] };
    expect((await post(sim, { ...body, messages: [merged, next] })).verdict.shown).toHaveLength(1);
  });

  it('that fails is a block without content, and nothing is lost', async () => {
    const script: Script = (call) => ({ ...(ROUNDS[Math.min(call.step, 3)] as Answer), summary: null });
    const sim = await simulator({ anthropic: { script } });
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true });
    body.messages.push({ role: 'user', content: 'And back?' });
    const sent = await post(sim, { ...body, ...edit() }, { betas: THRESHOLD });
    expect(sent.body.content[0]).toMatchObject({ type: 'compaction', content: null });
    body.messages.push({ role: 'assistant', content: sent.body.content });
    const calls = sent.body.content.filter(({ type }: Loose) => type === 'tool_use');
    body.messages.push({
      role: 'user',
      content: calls.map(({ id }: Loose) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
    });
    expect((await post(sim, body)).verdict.shown).toHaveLength(7);
  });

  const ON_DEMAND = ['compact-2026-09-04'];
  const compactLoop = async (model: string, more: Loose = {}) => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, model, { closed: true, ...more });
    const made = await post(sim, { ...body, compaction: { type: 'summarize' } }, { betas: ON_DEMAND });
    return { sim, body, made, block: { role: 'assistant', content: made.body.content } };
  };

  it('on demand answers with one signed block and samples nothing', async () => {
    const { made } = await compactLoop('claude-opus-5-5');
    expect(made.body.stop_reason).toBe('compaction');
    expect(made.body.content).toEqual([
      expect.objectContaining({ type: 'compaction', signature: expect.any(String), tool_changes: [] }),
    ]);
    expect(made.body.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(made.body.usage.iterations.map(({ type }: Loose) => type)).toEqual(['compaction']);
  });

  it('on demand lets unchanged kept turns go on', async () => {
    const { sim, body, block } = await compactLoop('claude-opus-5-5');
    const kept = { ...body };
    const next = [{ role: 'user', content: 'And back?' }];
    // A second turn is played, compacted, and kept behind the block.
    kept.messages = [...body.messages, ...next];
    const second = await post(sim, kept);
    const answer = { role: 'assistant', content: second.body.content };
    const after = { role: 'user', content: 'Fine.' };
    const again = await post(
      sim,
      { ...body, compaction: { type: 'summarize' }, messages: [...kept.messages, answer] },
      { betas: ON_DEMAND },
    );
    const secondBlock = { role: 'assistant', content: again.body.content };
    const goodTurns = [secondBlock, ...next, answer, after];
    const good = await post(sim, { ...body, messages: goodTurns });
    expect(good.verdict.shown).toEqual(['messages.2.content.0']);
    const edited = [secondBlock, { role: 'user', content: 'And now?' }, answer, after];
    const bad = await post(sim, { ...body, messages: edited });
    expect(bad.body.error.message).toContain('bound to a different conversation');
    // The turn is not behind the first compaction, which knew nothing of it.
    const wrong = await post(sim, { ...body, messages: [block, answer, after] });
    expect(wrong.status).toBe(400);
    const tools = await post(sim, { ...body, tools: body.tools.slice(1), messages: goodTurns });
    expect(tools.status).toBe(400);
  });

  it('on demand by a model without preserved thinking ends the kept turns', async () => {
    const { sim, body } = await compactLoop('claude-opus-5');
    const next = { role: 'user', content: 'And back?' };
    const second = await post(sim, { ...body, messages: [...body.messages, next] });
    const answer = { role: 'assistant', content: second.body.content };
    const made = await post(
      sim,
      { ...body, compaction: { type: 'summarize' }, messages: [...body.messages, next, answer] },
      { betas: ON_DEMAND },
    );
    const messages = [
      { role: 'assistant', content: made.body.content },
      next,
      answer,
      { role: 'user', content: 'Ok.' },
    ];
    // Nobody checks on opus-5; the failure shows on the next request to a model that does.
    expect((await post(sim, { ...body, messages })).status).toBe(200);
    expect((await post(sim, { ...body, model: 'claude-opus-5-5', messages })).status).toBe(400);
  });

  it('goes on in the middle of a tool loop', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 2 });
    const made = await post(sim, { ...body, compaction: { type: 'summarize' } }, { betas: ON_DEMAND });
    const messages = [{ role: 'assistant', content: made.body.content }];
    const sent = await post(sim, { ...body, messages });
    expect(sent.status).toBe(200);
    expect(sent.body.content.some(isReasoning)).toBe(true);
  });
});

describe('context editing', () => {
  const EDITING = ['context-management-2025-06-27'];

  it('clears old tool results from the view alone', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 3 });
    for (const message of body.messages)
      if (message.content[0].type === 'tool_result') message.content[0].content = 'x'.repeat(400);
    const model = { ...body, model: 'claude-opus-5' };
    const whole = await post(sim, model);
    const clear = {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'tool_uses', value: 2 },
      keep: { type: 'tool_uses', value: 1 },
    };
    const edited = await post(sim, { ...model, context_management: { edits: [clear] } }, { betas: EDITING });
    const [applied] = edited.body.context_management.applied_edits;
    expect(applied).toMatchObject({ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2 });
    expect(whole.body.usage.input_tokens - edited.body.usage.input_tokens).toBe(applied.cleared_input_tokens);
    const notDue = { ...clear, trigger: { type: 'tool_uses', value: 9 } };
    const untouched = await post(sim, { ...model, context_management: { edits: [notDue] } }, { betas: EDITING });
    expect(untouched.body.context_management.applied_edits).toEqual([]);
    const { max_tokens: _, ...counted } = { ...model, context_management: { edits: [clear] } };
    const count = await post(sim, counted, { betas: EDITING, path: '/v1/messages/count_tokens' });
    expect(count.body).toEqual({
      input_tokens: edited.body.usage.input_tokens,
      context_management: { original_input_tokens: whole.body.usage.input_tokens },
    });
  });

  it('is reported on the last delta of a stream', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 1 });
    const edits = [{ type: 'clear_thinking_20251015' }];
    const { events } = await postStream(sim, { ...body, context_management: { edits } }, { betas: EDITING });
    expect(events[0].message).not.toHaveProperty('context_management');
    expect(events.find(({ type }) => type === 'message_delta').context_management).toEqual({ applied_edits: [] });
  });
});

describe('threads', () => {
  const THREADS = ['message-threads-2026-08-12'];
  const user = (words: string) => ({ role: 'user', content: words });

  it('a continuation brings only what is new', async () => {
    let time = 0;
    const sim = await simulator({ now: () => time });
    const base = { model: 'claude-opus-5-5', max_tokens: 500 };
    const created = await post(
      sim,
      { ...base, system: 'Short.', thread: { type: 'create' }, messages: [user('One')] },
      { betas: THREADS },
    );
    const go = (id: string, more: Loose = {}, key = 'key') =>
      post(
        sim,
        { ...base, thread: { type: 'continue', previous_message_id: id }, messages: [user('Two')], ...more },
        { betas: THREADS, key },
      );
    const code = async (sent: Promise<Loose>) => (await sent).body.error?.details?.error_code;
    expect((await go(created.body.id, { system: 'Other.' })).status).toBe(400);
    const next = await go(created.body.id);
    expect(next.verdict.shown).toEqual(['thread.1.content.0']);
    expect(next.body.usage.input_tokens).toBeGreaterThan(created.body.usage.input_tokens);
    expect(await code(go(created.body.id))).toBe('thread_already_continued');
    expect(await code(go('msg_unknown'))).toBe('thread_not_found');
    time += 5 * 60_000;
    expect(await code(go(next.body.id))).toBe('thread_not_found');
  });

  it('resumes a paused turn from nothing', async () => {
    const script = [
      { content: [{ think: 'Search.' }, { serverTool: 'web_search' }] },
      { content: [{ text: 'Found.' }] },
    ];
    const sim = await simulator({
      anthropic: { script: (call) => (call.openServerTools[0] ? script[1] : script[0]) as Answer },
    });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const base = { model: 'claude-opus-5-5', max_tokens: 500 };
    const paused = await post(
      sim,
      { ...base, tools, thread: { type: 'create' }, messages: [user('One')] },
      { betas: THREADS },
    );
    expect(paused.body.stop_reason).toBe('pause_turn');
    const thread = { type: 'continue', previous_message_id: paused.body.id };
    expect(text((await post(sim, { ...base, thread, messages: [] }, { betas: THREADS })).body)).toBe('Found.');
  });

  it('says what it cannot hold, and tells two continuations at once apart', async () => {
    // A continuation is not answered before the other one has come.
    const arrived = 4;
    const script: Script = async ({ turn }) => {
      while (turn > 1 && sim.requests.length < arrived) await new Promise((resolve) => setTimeout(resolve, 1));
      return { content: [{ text: 'ok' }] };
    };
    const sim = await simulator({ anthropic: { script, unsupportedInThreads: ['context_management'] } });
    const base = { model: 'claude-opus-5-5', max_tokens: 500, messages: [user('One')] };
    const refused = await post(
      sim,
      { ...base, thread: { type: 'create' }, context_management: { edits: [] } },
      { betas: [...THREADS, 'context-management-2025-06-27'] },
    );
    expect(refused.body.error.details).toEqual({
      error_code: 'thread_unsupported_request',
      unsupported: ['context_management'],
    });
    const created = await post(sim, { ...base, thread: { type: 'create' } }, { betas: THREADS });
    const thread = { type: 'continue', previous_message_id: created.body.id };
    const url = `${sim.url}/v1/messages`;
    const headers = { 'x-api-key': 'key', 'anthropic-beta': THREADS.join() };
    const send = () => fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...base, thread }) });
    const both = await Promise.all([send(), send()]);
    const codes = await Promise.all(both.map(async (one) => ((await one.json()) as Loose).error?.details.error_code));
    expect(codes.sort()).toEqual(['thread_continue_in_flight', undefined]);
  });
});

describe('other ways an answer can look', () => {
  it('pauses at a server tool and resumes with its result', async () => {
    const sim = await simulator({
      anthropic: {
        script: (call) =>
          call.openServerTools.length
            ? {
                content: [
                  { block: { type: 'web_search_tool_result', tool_use_id: call.openServerTools[0]?.id, content: [] } },
                  { text: 'Found.' },
                ],
              }
            : { content: [{ think: 'Search.' }, { serverTool: 'web_search', input: { q: 'x' } }] },
      },
    });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body: Loose = {
      model: 'claude-opus-5-5',
      max_tokens: 500,
      tools,
      messages: [{ role: 'user', content: 'Go' }],
    };
    const paused = await post(sim, body);
    expect(paused.body.stop_reason).toBe('pause_turn');
    body.messages.push({ role: 'assistant', content: paused.body.content });
    const resumed = await post(sim, body);
    expect(resumed.body.content[0].tool_use_id).toBe(paused.body.content[1].id);
    expect(resumed.verdict.shown).toHaveLength(1);
  });

  it('is cut at max_tokens, and what is left can be sent back', async () => {
    const sim = await simulator({
      anthropic: {
        script: [
          { content: [{ think: 'x'.repeat(40) }, { think: 'y'.repeat(400) }, { text: 'never' }] },
          { content: [{ text: 'ok' }] },
        ],
      },
    });
    const body: Loose = { model: 'claude-opus-5-5', max_tokens: 20, messages: [{ role: 'user', content: 'Go' }] };
    const sent = await post(sim, body);
    expect(sent.body.stop_reason).toBe('max_tokens');
    expect(sent.body.usage).toMatchObject({ output_tokens: 20, output_tokens_details: { thinking_tokens: 20 } });
    body.messages.push({ role: 'assistant', content: sent.body.content }, { role: 'user', content: 'Go on' });
    expect((await post(sim, body)).verdict.shown).toHaveLength(2);
  });

  it('interleaves several rounds of thinking and calls in one answer', async () => {
    const content = [
      { think: 'a' },
      { tool: 'search', input: { to: 'A' } },
      { think: 'b' },
      { think: 'c' },
      { tool: 'book' },
    ];
    const sim = await simulator({ anthropic: { script: [{ content }, { content: [{ text: 'ok' }] }] } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 1 });
    expect(body.messages[1].content.map(({ type }: Loose) => type)).toEqual([
      'thinking',
      'tool_use',
      'thinking',
      'thinking',
      'tool_use',
    ]);
    expect((await post(sim, body)).verdict.shown).toHaveLength(3);
    body.messages[1].content.splice(3, 1);
    expect((await post(sim, body)).body.error.message).toContain('messages.1.content.2: ');
  });

  it('keeps a plan that only an intact request can read', async () => {
    const seen: unknown[] = [];
    const script: Script = (call) => {
      seen.push(call.plan);
      return ROUNDS[Math.min(call.step, 3)] as Answer;
    };
    const sim = await simulator({ anthropic: { script } });
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 2 });
    await post(sim, body);
    body.messages[3].content.shift();
    await post(sim, body);
    body.messages[1].content.splice(0, 2);
    await post(sim, body);
    expect(seen).toEqual([undefined, { round: 0 }, { round: 1 }, { round: 0 }, undefined]);
    expect(JSON.stringify(body)).not.toContain('round');
  });
});
