import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OpenAiPart } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { chat, resultsFor, TOOLS } from './support.ts';

const HOSTS: readonly (readonly [host: string, model: string, body?: Loose])[] = [
  ['openai', 'gpt-5'],
  ['deepseek', 'deepseek-v4-pro'],
  ['kimi', 'kimi-k2.6'],
  ['kimi', 'kimi-k3'],
  ['mimo', 'mimo-v2.5'],
  ['glm', 'glm-5.2', { thinking: { type: 'enabled', clear_thinking: false } }],
  ['qwen', 'qwen3.6', { preserve_thinking: true }],
  ['minimax', 'MiniMax-M3'],
  ['minimax', 'MiniMax-M3', { reasoning_split: true }],
  ['mistral', 'mistral-medium'],
  ['groq', 'qwen'],
  ['vllm', 'qwen'],
  ['llamacpp', 'qwen'],
  ['gemini', 'gemini-3-pro'],
  ['litellm', 'claude-opus-5', { reasoning_effort: 'high' }],
  ['openrouter', 'anthropic/claude-opus-5'],
  ['openrouter', 'openai/gpt-5.6-sol'],
  ['openrouter', 'google/gemini-3-pro'],
  ['openrouter', 'deepseek/deepseek-v4-pro'],
  ['openrouter', 'moonshotai/kimi-k2.6'],
  ['vercel', 'x-ai/grok-5'],
];

const part: fc.Arbitrary<OpenAiPart> = fc.oneof(
  // Text that could be taken for a tag, or for nothing at all, is another matter.
  { weight: 4, arbitrary: fc.record({ think: fc.stringMatching(/^[A-Z][a-z ]{0,50}[a-z]\.$/) }) },
  { weight: 2, arbitrary: fc.record({ text: fc.stringMatching(/^[A-Z][a-z ]{0,50}[a-z]\.$/) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      tool: fc.constantFrom('search', 'book'),
      input: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Loose>,
    }),
  },
);
const answers = fc.array(fc.array(part, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });

describe('a faithful client', () => {
  it('is never refused, and whatever it sends is read or left out by rule', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...HOSTS), answers, async ([host, model, body], scripted) => {
        const sim = await simulator({
          chat: { script: ({ answers: at }) => ({ content: scripted[at % scripted.length] ?? [] }) },
        });
        const messages: Loose[] = [{ role: 'user', content: 'Go.' }];
        for (let step = 0; step < 7; step++) {
          const sent = await chat(sim, { model, tools: TOOLS, ...body, messages }, { host });
          expect(sent.body.error).toBeUndefined();
          expect(sent.verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
          const results = resultsFor(sent.message);
          messages.push(
            // An answer without a word is still an answer.
            sent.message.content === null && results.length === 0 ? { ...sent.message, content: '' } : sent.message,
            ...(results.length > 0 ? results : [{ role: 'user', content: `And ${step}?` }]),
          );
        }
        await sim.close();
      }),
      { numRuns: 80 },
    );
  });
});
