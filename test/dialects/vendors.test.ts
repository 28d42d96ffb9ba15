import { expect, test } from 'vitest';
import { vendorOf } from '../../src/dialects/vendors.ts';

test.each([
  ['us.anthropic.claude-opus-5-5-v1:0', 'anthropic'],
  ['google/gemini-3.8-flash', 'google'],
  ['gpt-6.2', 'openai'],
  ['openai/o4-mini', 'openai'],
  ['MiniMax-M2', 'minimax'],
  ['deepseek-reasoner', 'deepseek'],
  ['moonshotai/Kimi-K2.5', 'moonshot'],
  ['glm-5', 'zhipu'],
  ['qwq-32b', 'qwen'],
  ['grok-5', 'xai'],
  ['magistral-medium', 'mistral'],
  // No `o1` of OpenAI's, nor anybody's.
  ['foo1-mini', 'unknown'],
])('%s is of %s', (model, vendor) => expect(vendorOf(model)).toBe(vendor));

test('rows of one API come first', () => {
  expect(vendorOf('tunedModels/my-claude', [[/^tunedModels\//, 'google']])).toBe('google');
});
