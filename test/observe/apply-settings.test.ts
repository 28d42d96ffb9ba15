import { DiagLogLevel, diag } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { resolveSettings } from '../../src/config/resolve-settings.ts';
import { processContext } from '../../src/context.ts';
import { ReasoningInstrumentation } from '../../src/intercept/reasoning-instrumentation.ts';
import { applySettings } from '../../src/observe/apply-settings.ts';
import { observeCall } from '../../src/observe/observe-call.ts';
import type { SeenCall } from '../../src/observe/seen-call.ts';

const SEEN: SeenCall = {
  api: 'anthropic.messages',
  body: { model: 'claude-sonnet-5-5', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] },
  stream: false,
  sdk: { name: '@anthropic-ai/sdk' },
  manual: true,
};
const SET = {
  ...resolveSettings({}, {}).settings,
  ledgerMaxEntries: 2,
  ledgerMaxAge: 60_000,
};

test('what is set is in force for the next call', () => {
  const { accountKey } = processContext();
  applySettings({ ...SET, disabled: true });
  expect(observeCall(SEEN)).toBeUndefined();
  expect(processContext().accountKey).toBe(accountKey);

  process.env.OTEL_SDK_DISABLED = 'true';
  applySettings(SET);
  expect(observeCall(SEEN)).toBeUndefined();
  delete process.env.OTEL_SDK_DISABLED;

  applySettings({ ...SET, digestKey: 'sixteen characters' });
  expect(processContext().accountKey).toBe('sixteen characters');
  for (let call = 0; call < 4; call += 1) {
    const observer = observeCall(SEEN);
    observer?.response({
      id: `msg_${call}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [{ type: 'thinking', thinking: '', signature: `seal-${call}` }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    observer?.end('completed');
  }
  expect(processContext().ledger?.size).toBe(2);
});

test('a row that cannot be used is said, with where it comes from', () => {
  const said: string[] = [];
  const keep = (line: string) => void said.push(line);
  diag.setLogger({ verbose: keep, debug: keep, info: keep, warn: keep, error: keep }, DiagLogLevel.WARN);
  applySettings({ ...SET, models: { source: 'models.json', rows: { 'anthropic.mesages': {} } } });
  diag.disable();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/models\.json: anthropic\.mesages: /);
  expect(processContext().settings.dialects).toHaveProperty(['anthropic.messages']);
});

test('whoever sets things up second, and leaves an option out, leaves it as it is', () => {
  const { settings } = processContext();
  new ReasoningInstrumentation({ ledgerMaxEntries: 7, ledgerMaxAge: 90_000, onFinding: 'warn' }).disable();
  new ReasoningInstrumentation().disable();
  new ReasoningInstrumentation({ ledgerMaxAge: 60_000 }).disable();
  expect(settings).toMatchObject({ ledgerMaxEntries: 7, ledgerMaxAge: 60_000, onFinding: 'warn', enabled: true });
});
