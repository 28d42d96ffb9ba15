import { expect, test } from 'vitest';
import { metricModel } from '../../src/emit/model-name.ts';

test.each([
  ['claude-opus-4-5', 'claude-opus-4-5'],
  ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
  ['claude-fable-5-2', 'claude-fable-5-2'],
  ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['anthropic.claude-3-haiku-20240307-v1:0:200k', 'claude-3-haiku'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['publishers/anthropic/models/claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
  ['anthropic/claude-opus-5.5:free', 'claude-opus-5.5'],
  ['gpt-6-2026-08-06', 'gpt-6'],
  ['models/gemini-3-pro', 'gemini-3-pro'],
  ['gemini-2.5-flash-preview-09-2025', 'gemini-2.5-flash-preview'],
  ['deepseek-v3', 'deepseek-v3'],
  ['deepseek.r1-v1:0', 'deepseek.r1'],
  ['models/', '_OTHER'],
  ['', '_OTHER'],
])('%s is counted as %s', (model, name) => {
  expect(metricModel(model)).toBe(name);
});
