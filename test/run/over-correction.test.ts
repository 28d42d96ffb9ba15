import { beforeEach, expect, test } from 'vitest';
import { processContext } from '../../src/context.ts';
import { observeCall } from '../../src/observe/observe-call.ts';
import { withRun } from '../../src/run/with-run.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../emit/telemetry.ts';

beforeEach(() => {
  delete processContext().ledger;
});

const reasoning = (tokens: number) => ({
  prompt_tokens: 900,
  completion_tokens: tokens + 20,
  completion_tokens_details: { reasoning_tokens: tokens },
  prompt_cache_hit_tokens: 0,
});
const answer = (thought: string) => ({ role: 'assistant', content: `Said of ${thought}.`, reasoning_content: thought });

/** Two finished turns with reasoning, which a third request still carries. */
function carryOn(always: object, third: object) {
  const baseURL = 'https://api.deepseek.com';
  const spans = tracerHarness();
  const meters = meterHarness();
  const { settings } = processContext();
  Object.assign(settings, { tracerProvider: spans.tracerProvider, meterProvider: meters.meterProvider });
  const messages: object[] = [];
  const ask = (text: string, more: object, reply?: ReturnType<typeof answer>, tokens = 0): void => {
    messages.push({ role: 'user', content: text });
    const body = { model: 'deepseek-v4-pro', messages: [...messages], ...more };
    const observer = observeCall({
      api: 'openai.chat',
      body,
      baseURL,
      stream: false,
      sdk: { name: 'openai' },
      manual: true,
    });
    const message = reply ?? { role: 'assistant', content: 'Done.' };
    observer?.response({
      id: `chatcmpl-${messages.length}`,
      object: 'chat.completion',
      model: 'deepseek-v4-pro',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: reasoning(tokens),
    });
    observer?.end('completed');
    messages.push(message);
  };
  const summary = withRun({}, (run) => {
    ask('One.', always, answer('The first thing to weigh is the price.'), 300);
    ask('Two.', always, answer('Now the time of arrival, which may be relaxed.'), 500);
    ask('Three.', { ...always, ...third });
    return run.summary();
  });
  delete settings.tracerProvider;
  delete settings.meterProvider;
  return { summary, meters, spans };
}

test('what is carried for nothing is a note, with its tokens, and its cost stands apart', async () => {
  const { summary, meters, spans } = carryOn({}, { thinking: { type: 'disabled' } });
  // Without tools this host reads no earlier turn, whether it thinks or not.
  expect(summary.findings).toMatchObject([
    { kind: 'carried', severity: 'note', count: 1, tokens: 300, step: 2 },
    {
      kind: 'carried',
      severity: 'note',
      count: 2,
      tokens: 800,
      cycle: 'closed',
      step: 3,
      path: expect.stringContaining('messages.1'),
    },
  ]);
  expect(summary.continuity).not.toBe('partial');
  const events = spans.ended().flatMap((span) => span.events);
  expect(events.map(({ attributes }) => attributes?.['reasoning.finding.tokens'])).toEqual([300, 800]);
  const metrics = await meters.collect();
  const closed = { 'reasoning.cycle.state': 'closed', 'reasoning.cache.state': 'fresh' };
  expect(total(pointsOf(metrics, 'reasoning.tokens.resent', closed))).toBe(1_100);
  expect(total(pointsOf(metrics, 'reasoning.blocks.dropped', {}))).toBe(0);
  expect(total(pointsOf(metrics, 'reasoning.findings', { 'reasoning.finding.kind': 'carried' }))).toBe(2);
});

test('what the target reads, or has no rule about, is carried for something', () => {
  const { summary } = carryOn(
    {
      tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
    },
    {},
  );
  expect(summary.findings).toEqual([]);
});
