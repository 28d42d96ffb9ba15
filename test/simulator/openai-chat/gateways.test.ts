import { describe, expect, it } from 'vitest';
import { copy, type Loose } from '../support.ts';
import { answersIn, chat, planned, playLoop, resultsFor } from './support.ts';

const host = 'openrouter';
const LATEST = { round: 1 };

/** Two rounds through OpenRouter, bent, then the next request. */
async function nextAfter(model: string, change: (messages: Loose[], body: Loose) => void, conflicts: Loose = {}) {
  const { sim, plans } = await planned({ conflicts });
  const next = copy(await playLoop(sim, model, { host }));
  plans.length = 0;
  change(answersIn(next), next);
  return { sent: await chat(sim, next, { host }), plans, next };
}

const rawOf = (body: Loose): string => JSON.parse(body.error.metadata.raw).error.message;
const without = (member: string) => (answers: Loose[]) => {
  for (const one of answers) delete one[member];
};

describe('what a gateway hands out, by upstream', () => {
  const FORMS: readonly (readonly [model: string, provider: string, types: readonly string[], format: string])[] = [
    ['anthropic/claude-opus-5', 'Anthropic', ['reasoning.text'], 'anthropic-claude-v1'],
    ['openai/gpt-5.6-sol', 'OpenAI', ['reasoning.summary', 'reasoning.encrypted'], 'openai-responses-v1'],
    ['google/gemini-3-pro', 'Google AI Studio', ['reasoning.text', 'reasoning.encrypted'], 'google-gemini-v1'],
    ['x-ai/grok-5', 'xAI', ['reasoning.summary', 'reasoning.encrypted'], 'xai-responses-v1'],
    ['deepseek/deepseek-v4-pro', 'DeepSeek', ['reasoning.text'], 'unknown'],
    ['moonshotai/kimi-k3', 'Moonshot AI', ['reasoning.text'], 'unknown'],
    ['qwen/qwen3.6', 'Alibaba', ['reasoning.text'], 'unknown'],
    ['nobody/anything', 'Open weights', ['reasoning.text'], 'unknown'],
  ];
  for (const [model, provider, types, format] of FORMS) {
    it(`${model}: ${types.join(' and ')}, good for the next step`, async () => {
      const { sent, plans, next } = await nextAfter(model, () => {});
      const [first] = answersIn(next);
      expect(first.reasoning_details.map(({ type }: Loose) => type)).toEqual(types);
      for (const element of first.reasoning_details) expect(element).toMatchObject({ format, index: 0 });
      expect(first.reasoning).toEqual(expect.any(String));
      expect(sent).toMatchObject({ status: 200, body: { provider } });
      expect(sent.body.id).toMatch(/^gen-/);
      expect(sent.verdict).toMatchObject({ dropped: [], allowed: [] });
      expect(sent.verdict.shown).toHaveLength(2);
      expect(plans).toEqual([LATEST]);
    });
  }
});

describe('what comes back to a gateway', () => {
  it('dropped: silent, or refused by the upstream in an envelope', async () => {
    for (const [model, message] of [
      ['anthropic/claude-opus-5', /^messages\.2\.content\.0\.type: Expected `thinking`/],
      ['google/gemini-3-pro', /^Function call is missing a thought_signature/],
      ['deepseek/deepseek-v4-pro', /^The `reasoning_content` in the thinking mode/],
      ['moonshotai/kimi-k2.6', /^thinking is enabled but reasoning_content is missing/],
    ] as const) {
      const { sent } = await nextAfter(model, (answers) => {
        without('reasoning')(answers);
        without('reasoning_details')(answers);
      });
      expect(sent.status).toBe(400);
      expect(sent.body.error).toMatchObject({ message: 'Provider returned error', code: 400 });
      expect(rawOf(sent.body)).toMatch(message);
    }
    for (const model of ['openai/gpt-5.6-sol', 'x-ai/grok-5', 'z-ai/glm-5.2', 'minimax/m2']) {
      const { sent, plans } = await nextAfter(model, (answers) => {
        without('reasoning')(answers);
        without('reasoning_details')(answers);
      });
      expect(sent.verdict).toMatchObject({ status: 200, shown: [] });
      expect(plans).toEqual([undefined]);
    }
  });

  it('only the string: enough for open text, not for what is sealed', async () => {
    for (const model of ['deepseek/deepseek-v4-pro', 'qwen/qwen3.6']) {
      expect((await nextAfter(model, without('reasoning_details'))).plans).toEqual([LATEST]);
    }
    const { sent, plans } = await nextAfter('openai/gpt-5.6-sol', without('reasoning_details'));
    expect(sent.verdict.dropped.map(({ reason }) => reason)).toEqual(['unsealed', 'unsealed']);
    expect(plans).toEqual([undefined]);
    for (const model of ['anthropic/claude-opus-5', 'google/gemini-3-pro']) {
      expect((await nextAfter(model, without('reasoning_details'))).sent.status).toBe(400);
    }
  });

  it('the alias, and elements without their id', async () => {
    const alias = await nextAfter('qwen/qwen3.6', (answers) => {
      for (const one of answers) {
        one.reasoning_content = one.reasoning;
        delete one.reasoning;
        delete one.reasoning_details;
      }
    });
    expect(alias.plans).toEqual([LATEST]);
    const bare = await nextAfter('openai/gpt-5.6-sol', (answers) => {
      for (const one of answers) for (const element of one.reasoning_details) delete element.id;
    });
    expect(bare.sent.verdict.shown).toHaveLength(2);
  });

  it('edited, altered, incomplete, out of order', async () => {
    const claude = 'anthropic/claude-opus-5';
    const edited = await nextAfter(claude, (answers) => (answers[0].reasoning_details[0].text += '!'));
    expect(rawOf(edited.sent.body)).toBe('messages.2.reasoning_details.0: Invalid `signature` in `thinking` block');
    const altered = await nextAfter('openai/gpt-5.6-sol', (answers) => (answers[0].reasoning_details[1].data = 'AAAA'));
    expect(rawOf(altered.sent.body)).toMatch(/could not be verified/);
    const grok = await nextAfter('x-ai/grok-5', (answers) => (answers[0].reasoning_details[1].data = 'AAAA'));
    expect(rawOf(grok.sent.body)).toMatch(/was not issued to this caller/);
    const two = { content: [{ think: 'One.' }, { think: 'Two.' }, { tool: 'book' }] };
    for (const change of [(list: Loose[]) => list.reverse(), (list: Loose[]) => list.pop()]) {
      const { sim } = await planned({ script: [two] });
      const next = await playLoop(sim, claude, { host, rounds: 1 });
      change(answersIn(next)[0].reasoning_details);
      const sent = await chat(sim, next, { host });
      expect(rawOf(sent.body)).toMatch(/blocks in the latest assistant message cannot be modified/);
    }
  });

  it('elements of another family: refused, or passed over', async () => {
    const toClaude = (_: Loose[], body: Loose) => (body.model = 'anthropic/claude-opus-5');
    const refused = await nextAfter('openai/gpt-5.6-sol', toClaude);
    expect(rawOf(refused.sent.body)).toMatch(/another model produced/);
    const dropped = await nextAfter('openai/gpt-5.6-sol', (_, body) => (body.model = 'x-ai/grok-5'), {
      foreignDetails: 'drop',
    });
    expect(dropped.sent.verdict.dropped.map(({ reason }) => reason)).toEqual(['foreign', 'foreign']);
    // Another organization's are not even readable.
    const { sim } = await planned({ organizations: { other: {} } });
    const next = await playLoop(sim, 'openai/gpt-5.6-sol', { host });
    expect((await chat(sim, next, { host, key: 'other' })).status).toBe(400);
  });

  it('errors may come with status 200', async () => {
    const { sent } = await nextAfter('google/gemini-3-pro', without('reasoning_details'), { openRouterErrors: 'body' });
    expect(sent.status).toBe(200);
    expect(sent.body.error.metadata.provider_name).toBe('Google AI Studio');
    expect(sent.verdict.status).toBe(400);
  });

  it('Vercel speaks the same, in a plain envelope', async () => {
    const { sim, plans } = await planned();
    const next = await playLoop(sim, 'anthropic/claude-opus-5', { host: 'vercel' });
    expect((await chat(sim, next, { host: 'vercel' })).verdict.shown).toHaveLength(2);
    expect(plans.at(-1)).toEqual(LATEST);
    without('reasoning_details')(answersIn(next));
    expect((await chat(sim, next, { host: 'vercel' })).body.error.message).toMatch(/Expected `thinking`/);
  });

  it('LiteLLM and Google have shapes of their own', async () => {
    const { sim } = await planned();
    const lite = await playLoop(sim, 'claude-opus-5', { host: 'litellm', body: { reasoning_effort: 'high' } });
    without('thinking_blocks')(answersIn(lite));
    expect((await chat(sim, lite, { host: 'litellm' })).body.error).toMatchObject({
      code: '400',
      message: expect.stringMatching(/^litellm\.BadRequestError: AnthropicException - .*Expected `thinking`/),
    });
    const gemini = await playLoop(sim, 'gemini-3-pro', { host: 'gemini/v1beta/openai' });
    for (const one of answersIn(gemini)) delete one.tool_calls[0].extra_content;
    expect((await chat(sim, gemini, { host: 'gemini/v1beta/openai' })).body.error).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
    });
  });

  it('several hosts at once, none of them mixed up', async () => {
    const { sim } = await planned({ profile: 'kimi' });
    const deepseek = await playLoop(sim, 'deepseek-v4-pro', { host: 'deepseek' });
    const kimi = await playLoop(sim, 'kimi-k3');
    expect((await chat(sim, deepseek, { host: 'deepseek' })).verdict.shown).toHaveLength(2);
    expect((await chat(sim, kimi)).verdict.shown).toHaveLength(2);
    expect((await chat(sim, deepseek)).verdict.allowed.map(({ reason }) => reason)).toEqual(['unknown', 'unknown']);
    expect(resultsFor(answersIn(kimi)[1])).toHaveLength(2);
  });
});
