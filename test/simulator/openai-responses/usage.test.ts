import { describe, expect, it } from 'vitest';
import { copy, type Loose, simulator } from '../support.ts';
import { BOOK, outputsFor, playLoop, ROUNDS, respond } from './support.ts';

const MODEL = 'gpt-5.6-sol';
const scripted = (more: Loose = {}) => simulator({ responses: { script: ROUNDS }, ...more });

describe('usage', () => {
  it('counts reasoning in the output, and again as input where it is shown', async () => {
    const sim = await scripted();
    const next = await playLoop(sim, MODEL, { rounds: 3 });
    const usages = [
      ...sim.requests.map(({ verdict }) => (verdict.answer as Loose).usage),
      (await respond(sim, next)).body.usage,
    ];
    expect(usages.map(({ output_tokens_details }) => output_tokens_details.reasoning_tokens)).toEqual([
      100, 50, 30, 10,
    ]);
    for (const usage of usages) expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
    for (const [index, usage] of usages.slice(1).entries()) {
      const before = usages[index];
      const results = usage.input_tokens - before.input_tokens - before.output_tokens;
      expect(results).toBeGreaterThan(0);
      expect(results).toBeLessThan(60);
      expect(usage.input_tokens_details.cached_tokens).toBe(before.input_tokens);
      expect(usage.input_tokens_details.cache_write_tokens).toBe(usage.input_tokens - before.input_tokens);
    }
  });

  it('does not bill what is not rendered', async () => {
    const sim = await scripted();
    const next = await playLoop(sim, 'gpt-6.2-astra');
    const whole = await respond(sim, next);
    const changed = copy(next);
    changed.input[0].content = 'You book flightS.';
    expect(whole.body.usage.input_tokens - (await respond(sim, changed)).body.usage.input_tokens).toBe(150);
    const older = await playLoop(sim, 'gpt-5', { rounds: 4, body: { reasoning: { effort: 'low' } } });
    older.input.push({ role: 'user', content: 'New.' });
    const stripped = copy(older);
    for (const item of stripped.input) delete item.id;
    stripped.input = stripped.input.filter(({ type }: Loose) => type !== 'reasoning');
    expect((await respond(sim, older)).body.usage.input_tokens).toBe(
      (await respond(sim, stripped)).body.usage.input_tokens,
    );
  });

  it('effort none: no item, no tokens', async () => {
    const sent = await respond(await scripted(), { model: 'gpt-5.1', input: 'Go', tools: [BOOK] });
    expect(sent.body.output.map(({ type }: Loose) => type)).toEqual(['message', 'function_call']);
    expect(sent.body).toMatchObject({
      reasoning: { effort: 'none' },
      model: 'gpt-5.1-2025-11-13',
      usage: { output_tokens_details: { reasoning_tokens: 0 } },
    });
    expect(sent.verdict.thinking?.mode).toBe('none');
  });

  it('counts without an answer', async () => {
    const sim = await scripted();
    const next = await playLoop(sim, MODEL);
    const { store: _, ...body } = next;
    const counted = await respond(sim, body, { path: '/input_tokens' });
    expect(counted.body).toEqual({
      object: 'response.input_tokens',
      input_tokens: (await respond(sim, next)).body.usage.input_tokens,
    });
  });
});

describe('prompt cache', () => {
  it('ages by the clock, and by key', async () => {
    let time = 0;
    const sim = await scripted({ now: () => time });
    const ask = async (more: Loose = {}) =>
      (await respond(sim, { model: MODEL, input: 'A long question. '.repeat(20), ...more })).body.usage
        .input_tokens_details;
    expect(await ask()).toMatchObject({ cached_tokens: 0, cache_write_tokens: 85 });
    expect(await ask()).toMatchObject({ cached_tokens: 85, cache_write_tokens: 0 });
    expect(await ask({ prompt_cache_key: 'other' })).toMatchObject({ cached_tokens: 0 });
    time = 31 * 60_000;
    expect(await ask({ prompt_cache_options: { ttl: '12h' } })).toMatchObject({ cached_tokens: 0 });
    time = 60 * 60_000;
    expect(await ask()).toMatchObject({ cached_tokens: 85 });
  });

  it('explicit breakpoints only', async () => {
    const sim = await scripted();
    const text = (content: string, more: Loose = {}) => ({
      role: 'user',
      content: [{ type: 'input_text', text: content, ...more }],
    });
    const ask = async (input: Loose[]) =>
      (await respond(sim, { model: MODEL, input, prompt_cache_options: { mode: 'explicit' } })).body.usage
        .input_tokens_details;
    const marked = text('a'.repeat(40), { prompt_cache_breakpoint: { mode: 'explicit' } });
    expect(await ask([text('x')])).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 });
    expect(await ask([text('x')])).toMatchObject({ cached_tokens: 0, cache_write_tokens: 0 });
    expect(await ask([marked, text('x')])).toMatchObject({ cached_tokens: 0, cache_write_tokens: 10 });
    expect(await ask([marked, text('y')])).toMatchObject({ cached_tokens: 10, cache_write_tokens: 0 });
  });
});

describe('prompt_cache_diagnostics', () => {
  const REASONS: readonly (readonly [what: string, change: (body: Loose) => void, expected: Loose])[] = [
    ['the same and more', () => {}, { type: 'cache_hit' }],
    ['another model', (body) => (body.model = 'gpt-5.6-terra'), { type: 'cache_miss', reason: 'model_changed' }],
    ['another key', (body) => (body.prompt_cache_key = 'b'), { reason: 'prompt_cache_key_changed' }],
    ['other tools', (body) => body.tools.pop(), { reason: 'tools_changed' }],
    ['another format', (body) => (body.text = { format: { type: 'json_object' } }), { reason: 'text_format_changed' }],
    ['another effort', (body) => (body.reasoning = { effort: 'low' }), { reason: 'reasoning_effort_changed' }],
    ['another verbosity', (body) => (body.text = { verbosity: 'low' }), { reason: 'verbosity_changed' }],
    ['another tier', (body) => (body.service_tier = 'flex'), { reason: 'service_tier_changed' }],
    ['an edited item', (body) => (body.input[1].content = 'B'), { reason: 'input_changed' }],
    [
      'a stranger',
      (body) => (body.prompt_cache_options.comparison_response_id = 'resp_x'),
      { type: 'comparison_response_not_found' },
    ],
  ];
  for (const [what, change, expected] of REASONS) {
    it(what, async () => {
      const sim = await scripted();
      const first = await playLoop(sim, MODEL, { rounds: 1 });
      const second = await respond(sim, first);
      const body = copy(first);
      body.input.push(...second.body.output, ...outputsFor(second.body.output));
      body.prompt_cache_options = { comparison_response_id: second.body.id };
      change(body);
      const sent = await respond(sim, body);
      expect(sent.body.prompt_cache_diagnostics).toMatchObject(expected);
      if (expected.type === 'cache_hit')
        expect(sent.body.prompt_cache_options.comparison_response_id).toBe(second.body.id);
      else if (sent.body.prompt_cache_diagnostics.type === 'cache_miss') {
        expect(sent.body.prompt_cache_diagnostics.cache_missed_tokens).toBeGreaterThan(0);
      }
    });
  }

  it('only for those who ask, on models that have it', async () => {
    const sim = await scripted();
    expect((await respond(sim, { model: MODEL, input: 'x' })).body).not.toHaveProperty('prompt_cache_diagnostics');
    const older = await respond(sim, {
      model: 'gpt-5',
      input: 'x',
      prompt_cache_options: { comparison_response_id: 'resp_x' },
    });
    expect(older.body).not.toHaveProperty('prompt_cache_diagnostics');
  });
});
