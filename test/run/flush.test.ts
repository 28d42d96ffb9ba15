import { metrics, trace } from '@opentelemetry/api';
import { BatchSpanProcessor, InMemorySpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test } from 'vitest';
import { processContext } from '../../src/context.ts';
import { flush } from '../../src/run/flush.ts';
import { withRun } from '../../src/run/with-run.ts';

afterEach(() => {
  trace.disable();
  metrics.disable();
  delete processContext().settings.tracerProvider;
  delete processContext().settings.meterProvider;
});

test('what has ended has been sent when it is fulfilled', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  await withRun({ name: 'handler' }, async () => 'answer');
  expect(exporter.getFinishedSpans()).toEqual([]);
  await flush();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['invoke_agent handler']);
});

test('the global provider may have been handed over by its proxy', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] }));
  processContext().settings.tracerProvider = trace.getTracerProvider();
  await withRun({ name: 'handler' }, async () => 'answer');
  await flush();
  expect(exporter.getFinishedSpans()).toHaveLength(1);
});

test('without an SDK there is nothing to do', async () => {
  await expect(flush()).resolves.toBeUndefined();
});

test('a provider that fails, or hangs, keeps nobody from answering', async () => {
  const { settings } = processContext();
  const called: string[] = [];
  const provider = (name: string, forceFlush: () => unknown): never =>
    ({
      getTracer: () => undefined,
      getMeter: () => undefined,
      forceFlush() {
        called.push(name);
        return forceFlush();
      },
    }) as never;
  settings.tracerProvider = provider('throws', () => {
    throw new Error('broken');
  });
  settings.meterProvider = provider('rejects', () => Promise.reject(new Error('refused')));
  await expect(flush()).resolves.toBeUndefined();
  settings.tracerProvider = provider('hangs', () => new Promise(() => undefined));
  await expect(flush({ timeout: 20 })).resolves.toBeUndefined();
  expect(called).toEqual(['throws', 'rejects', 'hangs', 'rejects']);
});
