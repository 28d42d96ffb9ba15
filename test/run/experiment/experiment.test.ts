import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LOOPS, type LoopName, simulatedAgent } from '../../../demo/experiment/agents.ts';
import { LOOP_NAMES, runSimulated } from '../../../demo/experiment/run-simulated.ts';
import { TASKS } from '../../../demo/experiment/tasks.ts';
import {
  type Arm,
  type ExperimentOptions,
  type ExperimentReport,
  experimentText,
  instrumentClient,
  runExperiment,
} from '../../../src/index.ts';
import { meterHarness, pointsOf, total, tracerHarness } from '../../emit/telemetry.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

describe('thirty tasks on simulated models', () => {
  let anthropic: ExperimentReport;
  beforeAll(async () => {
    anthropic = await runSimulated({ loop: 'anthropic', seed: 'test' });
  }, 60_000);

  test('two arms, two numbers, and both differ by their own tests', () => {
    const [intact, stripped] = anthropic.arms;
    expect([intact.name, stripped.name, intact.runs, stripped.runs]).toEqual(['intact', 'stripped', 30, 30]);
    expect(anthropic.difference.toolCallsPerTask).toMatchObject({ significant: true });
    expect(anthropic.difference.completionRate).toMatchObject({ significant: true });
    expect(stripped.toolCallsPerTask.estimate).toBeGreaterThan(intact.toolCallsPerTask.estimate);
    expect(stripped.completionRate.estimate).toBeLessThan(intact.completionRate.estimate);
    expect(anthropic.difference.toolCallsPerTask.low).toBeGreaterThan(0);
    expect(anthropic.difference.completionRate.high).toBeLessThan(0);
    expect(intact.leftOut).toBe(0);
    expect(stripped.leftOut).toBeGreaterThan(100);
    expect(anthropic.warnings).toEqual([]);
  });

  test('the numbers are those of the runs', () => {
    for (const { name, toolCalls, completed, repeatedCalls } of anthropic.arms) {
      const runs = anthropic.runs.filter(({ arm }) => arm === name);
      expect(runs.map(({ task }) => task)).toEqual(TASKS.map(({ id }) => id));
      expect(toolCalls).toBe(runs.reduce((sum, run) => sum + run.toolCalls, 0));
      expect(repeatedCalls).toBe(runs.reduce((sum, run) => sum + run.repeatedCalls, 0));
      expect(completed).toBe(runs.filter((run) => run.completed).length);
    }
  });

  test('a second run with the same seed gives the same numbers, another seed others', async () => {
    expect(await runSimulated({ loop: 'anthropic', seed: 'test' })).toEqual(anthropic);
    expect((await runSimulated({ loop: 'anthropic', seed: 'test 2' })).runs).not.toEqual(anthropic.runs);
  }, 60_000);

  test('the same arm twice: runs differ by chance, the numbers not significantly', async () => {
    const { arms, difference, runs } = await runSimulated({
      loop: 'anthropic',
      seed: 'test',
      arms: ['intact', 'intact'],
    });
    expect(arms.map(({ name }) => name)).toEqual(['intact', 'intact_2']);
    expect(
      TASKS.some(({ id }) => new Set(runs.filter(({ task }) => task === id).map((r) => r.toolCalls)).size > 1),
    ).toBe(true);
    expect(difference.toolCallsPerTask.significant).toBe(false);
    expect(difference.completionRate.significant).toBe(false);
  }, 60_000);

  test('the text says that it is simulated, and gives both numbers of both arms', () => {
    const text = experimentText(anthropic);
    expect(text).toMatch(/^SIMULATED MODEL/);
    expect(text).toMatch(/tool calls per task +\d\.\d \(\d\.\d to \d\.\d\) +\d+\.\d .* p < 0\.001 \*/);
    expect(text).toMatch(/completion rate +\d+% \(.*\) +\d+% \(.*\) +-\d+% \(-\d+% to -\d+%\) +p [=<] 0\.\d+ \*/);
    expect(JSON.parse(JSON.stringify(anthropic))).toEqual(anthropic);
  });
});

describe('with the OpenTelemetry SDK', () => {
  let meters: ReturnType<typeof meterHarness>;
  let spans: ReturnType<typeof tracerHarness>;
  beforeEach(() => {
    meters = meterHarness();
    spans = tracerHarness();
  });
  afterEach(() => meters.meterProvider.shutdown());

  const observed = (arm: Arm): Arm => ({
    ...arm,
    client: (client) =>
      arm.client(
        instrumentClient(client, { meterProvider: meters.meterProvider, tracerProvider: spans.tracerProvider }),
      ),
  });
  const some = TASKS.slice(0, 6);
  const observedExperiment = (loop: LoopName, arms?: ExperimentOptions<never, never>['arms']) =>
    runExperiment({
      tasks: some,
      agent: (task, arm) => simulatedAgent(LOOPS[loop])(task, observed(arm)),
      judge: (settled, { outcome }) => settled === outcome,
      seed: 'observed',
      ...(arms && { arms }),
    });

  test.each(LOOP_NAMES)(
    '%s: arms on the metrics, and no alarm from what was left out',
    async (loop) => {
      const report = await observedExperiment(loop);
      const metrics = await meters.collect();
      for (const { name, runs, completed, toolCalls } of report.arms) {
        const arm = { 'reasoning.experiment.arm': name };
        expect(total(pointsOf(metrics, 'reasoning.runs', arm))).toBe(runs);
        expect(total(pointsOf(metrics, 'reasoning.runs', { ...arm, 'reasoning.run.outcome': 'completed' }))).toBe(
          completed,
        );
        expect(total(pointsOf(metrics, 'reasoning.tool_calls', arm))).toBe(toolCalls);
        expect(total(pointsOf(metrics, 'reasoning.blocks.dropped', arm))).toBe(0);
        expect(total(pointsOf(metrics, 'reasoning.rejections', arm))).toBe(0);
        expect(total(pointsOf(metrics, 'reasoning.assertions', { ...arm, 'reasoning.assertion': 'fail' }))).toBe(0);
      }
      for (const { points } of metrics.values())
        for (const { attributes } of points) {
          if (!('gen_ai.provider.name' in attributes)) continue;
          expect(['intact', 'stripped']).toContain(attributes['reasoning.experiment.arm']);
        }
      const released = { 'reasoning.drop.reason': 'experiment' };
      expect(
        total(pointsOf(metrics, 'reasoning.blocks.released', { ...released, 'reasoning.experiment.arm': 'stripped' })),
      ).toBeGreaterThan(some.length);
      expect(
        total(pointsOf(metrics, 'reasoning.blocks.released', { ...released, 'reasoning.experiment.arm': 'intact' })),
      ).toBe(0);
      expect(total(pointsOf(metrics, 'reasoning.blocks.returned', { 'reasoning.experiment.arm': 'stripped' }))).toBe(0);
      expect(
        total(pointsOf(metrics, 'reasoning.blocks.returned', { 'reasoning.experiment.arm': 'intact' })),
      ).toBeGreaterThan(some.length);

      const calls = spans.ended().filter(({ name }) => name.startsWith('chat '));
      expect(calls.filter(({ attributes }) => attributes['reasoning.dropped'] !== false)).toEqual([]);
      const stripped = calls.filter(({ attributes }) => attributes['reasoning.experiment.arm'] === 'stripped');
      expect(stripped.length).toBeGreaterThan(some.length);
      expect(
        stripped
          .flatMap(({ events }) => events)
          .filter(({ attributes }) => attributes?.['reasoning.finding.severity'] === 'loss'),
      ).toEqual([]);
    },
    60_000,
  );
});
