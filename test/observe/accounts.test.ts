import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentClient } from '../../src/intercept/instrument-client.ts';
import { type Script, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { meterHarness, tracerHarness } from '../emit/telemetry.ts';

/**
 * Some models' blocks work in one organization only (build-with-claude/preserved-thinking). A key does not say which it is
 * of; the answers do (docs.claude.com/en/api/overview, response headers).
 */

const model: Script = ({ step }) => ({
  content: [
    { think: `Thought ${step}.`, tokens: 50 },
    { tool: 'look_up', input: { step } },
  ],
});

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'accounts',
    anthropic: {
      script: model,
      accounts: { 'key a': { id: 'one' }, 'key b': { id: 'one' }, 'key c': { id: 'another' } },
    },
  });
});
afterAll(() => simulator.close());

/** A loop whose steps go out with these keys, one after another. @returns the findings of each step */
async function loop(keys: readonly string[]): Promise<unknown[]> {
  const spans = tracerHarness();
  const meters = meterHarness();
  const providers = { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider };
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: `Go, ${keys.join(' and ')}.` }];
  for (const apiKey of keys) {
    const options = { baseURL: simulator.url, apiKey, maxRetries: 0, openTelemetry: false } as const;
    const { content } = await instrumentClient(new Anthropic(options), providers).messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'look_up', input_schema: { type: 'object' } }],
      messages,
    });
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Found.' }] : [],
    );
    messages.push({ role: 'assistant', content }, { role: 'user', content: results });
  }
  await meters.meterProvider.shutdown();
  return spans.ended().map(({ attributes }) => attributes['reasoning.drop.reason']);
}

describe('the account behind a key', () => {
  it('is one for two keys of an organization', async () => {
    // Before the answers have named it, and after.
    expect(await loop(['key a', 'key b', 'key a', 'key b'])).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('is another for a key of another organization, as soon as an answer has said so', async () => {
    const reasons = await loop(['key a', 'key c', 'key c']);
    expect(reasons).toEqual([undefined, undefined, 'organization_mismatch']);
  });
});
