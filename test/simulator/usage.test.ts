import { describe, expect, it } from 'vitest';
import {
  copy,
  type Loose,
  lastAnswer,
  playLoop,
  post,
  postStream,
  ROUNDS,
  simulator,
  thinkingBody,
} from './support.ts';

const total = ({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens }: Loose) =>
  input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
const marker = { cache_control: { type: 'ephemeral' } };
const start = (more: Loose = {}) => simulator({ ...more, anthropic: { script: ROUNDS, ...more.anthropic } });

describe('usage', () => {
  it('re-sends what was thought: five steps of 1,200 tokens come to 12,000', async () => {
    const thought = (tool: Loose) => ({ content: [{ think: 'Deep.', tokens: 1200 }, tool] });
    const script = [...Array(4).fill(thought({ tool: 'book' })), thought({ text: 'Done.' })];
    const sim = await start({ anthropic: { script } });
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true });
    const answers = sim.requests.map(({ verdict }) => verdict.answer as Loose);
    expect(answers.map(({ usage }) => usage.output_tokens_details.thinking_tokens)).toEqual(Array(5).fill(1200));
    const bare = copy(body);
    for (const { content } of bare.messages) if (content[0].type === 'thinking') content.shift();
    let resent = 0;
    for (const [step, { usage }] of answers.entries()) {
      // A fresh simulator, so that the request without reasoning is billed on its own.
      const messages = bare.messages.slice(0, 1 + 2 * step);
      const without = await post(await start(), { ...bare, messages });
      resent += total(usage) - total(without.body.usage);
    }
    expect(resent).toBe(12_000);
  });

  it('counts raw reasoning, whatever is shown of it', async () => {
    for (const display of ['summarized', 'omitted']) {
      const sim = await start();
      const body = await playLoop(sim, 'claude-opus-5-5', {
        rounds: 1,
        body: { thinking: { type: 'adaptive', display } },
      });
      const [{ verdict }] = sim.requests as Loose;
      expect(verdict.answer.usage.output_tokens_details.thinking_tokens).toBe(120);
      const next = await post(sim, body);
      const without = copy(body);
      without.messages[1].content.splice(0, 2);
      expect(total(next.body.usage) - total((await post(sim, without)).body.usage)).toBe(120);
    }
  });

  it('is cumulative on the last delta of a stream, and there alone tells thinking apart', async () => {
    const sim = await start();
    const body = await playLoop(sim, 'claude-opus-5-5', { rounds: 1 });
    const { events } = await postStream(sim, body);
    const whole = lastAnswer(sim);
    expect(events[0].message.usage).not.toHaveProperty('output_tokens_details');
    const { usage } = events.find(({ type }) => type === 'message_delta');
    expect(usage).toMatchObject({
      output_tokens: whole.usage.output_tokens,
      output_tokens_details: { thinking_tokens: 50 },
      input_tokens: whole.usage.input_tokens,
    });
  });

  it('agrees with count_tokens', async () => {
    const sim = await start();
    const body = await playLoop(sim, 'claude-opus-5-5');
    const { max_tokens: _, ...counted } = body;
    const count = await post(sim, counted, { path: '/v1/messages/count_tokens' });
    expect(count.body.input_tokens).toBe(total((await post(sim, body)).body.usage));
  });
});

describe('prompt cache', () => {
  it('reads what an earlier request wrote, as a loop grows', async () => {
    const sim = await start();
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true, body: marker });
    expect(body.messages.length).toBe(8);
    const usages = sim.requests.map(({ verdict }) => (verdict.answer as Loose).usage);
    let before = 0;
    for (const usage of usages) {
      expect(usage.cache_read_input_tokens).toBe(before);
      expect(usage.input_tokens).toBe(0);
      before = total(usage);
      expect(usage.cache_creation.ephemeral_5m_input_tokens).toBe(usage.cache_creation_input_tokens);
    }
  });

  it('caches nothing unasked, everything where that is switched on', async () => {
    for (const [caching, cached] of [
      ['markers', false],
      ['automatic', true],
    ] as const) {
      const sim = await start({ anthropic: { caching } });
      const body = await playLoop(sim, 'claude-opus-5-5');
      const { usage } = (await post(sim, body)).body;
      expect(usage.cache_read_input_tokens > 0).toBe(cached);
    }
  });

  it('a marker on the system prompt caches tools and system', async () => {
    const sim = await start();
    const system = [{ type: 'text', text: 'You book flights.', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const ask = (words: string, more: Loose = {}) => ({
      model: 'claude-opus-5-5',
      max_tokens: 500,
      tools: [{ name: 'search' }],
      system,
      messages: [{ role: 'user', content: words }],
      ...more,
    });
    const first = (await post(sim, ask('One'))).body.usage;
    expect(first.cache_creation).toEqual({
      ephemeral_5m_input_tokens: 0,
      ephemeral_1h_input_tokens: first.cache_creation_input_tokens,
    });
    const second = (await post(sim, ask('Two'))).body.usage;
    expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(second.input_tokens).toBeGreaterThan(0);
    // Another tool, another model, another account: nothing to read.
    expect((await post(sim, ask('Two', { tools: [{ name: 'book' }] }))).body.usage.cache_read_input_tokens).toBe(0);
    expect((await post(sim, ask('Two', { model: 'claude-opus-5' }))).body.usage.cache_read_input_tokens).toBe(0);
  });

  const restarts: readonly (readonly [string, (body: Loose) => void, 'same' | 'restarts'])[] = [
    ['nothing', () => {}, 'same'],
    ['an effort equal to the default', (body) => Object.assign(body, { output_config: { effort: 'high' } }), 'same'],
    ['a thinking type equal to the default', (body) => Object.assign(body, { thinking: { type: 'adaptive' } }), 'same'],
    ['another effort', (body) => Object.assign(body, { output_config: { effort: 'low' } }), 'restarts'],
    ['tool order', (body) => body.tools.reverse(), 'restarts'],
    ['earlier reasoning left out', (body) => body.messages[1].content.splice(0, 2), 'restarts'],
  ];
  for (const [name, bend, outcome] of restarts) {
    it(`${name}: ${outcome}`, async () => {
      const sim = await start({ anthropic: { caching: 'automatic' } });
      const body = await playLoop(sim, 'claude-opus-5', {});
      const before = total(lastAnswer(sim).usage);
      bend(body);
      const { usage } = (await post(sim, body)).body;
      if (outcome === 'same') expect(usage.cache_read_input_tokens).toBe(before);
      else expect(usage.cache_read_input_tokens).toBeLessThan(before / 2);
    });
  }

  it('restarts where a model strips a closed turn by itself', async () => {
    const model = 'claude-sonnet-4-5';
    const sim = await start({ anthropic: { caching: 'automatic' } });
    const body = await playLoop(sim, model, { closed: true, body: thinkingBody(model) });
    const before = lastAnswer(sim).usage.cache_read_input_tokens;
    body.messages.push({ role: 'user', content: 'And back?' });
    const { usage } = (await post(sim, body)).body;
    expect(usage.cache_read_input_tokens).toBeLessThan(before);
  });

  it('forgets after five minutes', async () => {
    let time = 0;
    const sim = await start({ now: () => time, anthropic: { caching: 'automatic' } });
    const body = await playLoop(sim, 'claude-opus-5-5');
    time = 5 * 60_000 + 1;
    expect((await post(sim, body)).body.usage.cache_read_input_tokens).toBe(0);
  });
});

describe('cache diagnosis', () => {
  const betas = ['cache-diagnosis-2026-04-07'];
  const changes: readonly (readonly [string, (body: Loose) => void])[] = [
    ['model_changed', (body) => Object.assign(body, { model: 'claude-fable-5-1' })],
    ['tools_changed', (body) => body.tools.pop()],
    ['system_changed', (body) => Object.assign(body, { system: 'x' })],
    ['messages_changed', (body) => body.messages[1].content.splice(0, 2)],
    ['unavailable', (body) => Object.assign(body, { output_config: { effort: 'low' } })],
  ];
  for (const [type, bend] of changes) {
    it(type, async () => {
      const sim = await start();
      const diagnostics = (previous_message_id: string | null) => ({ diagnostics: { previous_message_id } });
      const body = await playLoop(sim, 'claude-opus-5', { betas, body: diagnostics(null) });
      const first = await post(sim, body, { betas });
      expect(first.body.diagnostics).toBeNull();
      const same = await post(sim, { ...body, ...diagnostics(first.body.id) }, { betas });
      expect(same.body.diagnostics).toBeNull();
      const bent = { ...copy(body), ...diagnostics(first.body.id) };
      bend(bent);
      const sent = await post(sim, bent, { betas });
      expect(sent.body.diagnostics.cache_miss_reason.type).toBe(type);
    });
  }
});
