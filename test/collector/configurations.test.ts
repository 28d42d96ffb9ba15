import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ATTRIBUTES, EVENT_REASONING_FINDING, METRICS } from '../../src/semconv.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: documents of other programs, looked at here and there.
const load = (file: string): any => parse(read(file), { merge: true });
const SHAPES = ['collector.yaml', 'agent.yaml', 'gateway.yaml'].map((name) => `collector/${name}`);
const COMPOSE = ['compose.jaeger.yaml', 'compose.lgtm.yaml'];

describe('names of telemetry', () => {
  const known = new Set([
    EVENT_REASONING_FINDING,
    ...ATTRIBUTES.map(({ name }) => name),
    ...METRICS.map(({ name }) => name),
  ]);

  it.each([...SHAPES, 'collector/jaeger-ui.json'])('%s spells none that does not exist', (file) => {
    const text = read(file).replaceAll(/^\s*#.*$/gm, '');
    const names = [...text.matchAll(/(?<![\w.-])reasoning(?:\.[a-z_]+)+(?![\w.])/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('the counters that are derived from spans have names of their own', () => {
    const own = load('collector/collector.yaml').connectors.signal_to_metrics.spans.map(
      ({ name }: { name: string }) => name,
    );
    expect(own).toEqual(['spans.reasoning.calls', 'spans.reasoning.blocks.dropped']);
    expect(own.filter((name: string) => known.has(name))).toEqual([]);
  });
});

describe('the two shapes', () => {
  const [single, agent, gateway] = SHAPES.map(load);

  it.each(['memory_limiter', 'transform/content', 'redaction/content', 'delta_to_cumulative'])(
    'the agent treats %s as the single Collector does',
    (name) => expect(agent.processors[name]).toEqual(single.processors[name]),
  );

  it('derive the same metrics, hand them on alike and sample alike', () => {
    const { 'forward/sampling': _, ...metrics } = single.connectors;
    expect(agent.connectors).toEqual(metrics);
    expect(agent.exporters['otlp_http/metrics']).toEqual(single.exporters['otlp_http/metrics']);
    expect(gateway.processors.tail_sampling).toEqual(single.processors.tail_sampling);
    expect(gateway.exporters).toEqual({ 'otlp_grpc/traces': single.exporters['otlp_grpc/traces'] });
  });

  it.each(SHAPES)('%s counts before it samples, and queues on disk', (file) => {
    const { service, connectors = {}, exporters } = load(file);
    for (const { processors, exporters: to } of Object.values<Record<string, string[]>>(service.pipelines)) {
      if (!processors?.includes('tail_sampling')) continue;
      expect(to?.filter((name) => name in connectors)).toEqual([]);
    }
    for (const { sending_queue: queue } of Object.values<Record<string, Record<string, unknown>>>(exporters)) {
      expect(queue).toMatchObject({ enabled: true, storage: 'file_storage' });
    }
  });
});

describe.each(COMPOSE)('%s', (file) => {
  const services = Object.values<Record<string, string[] & string>>(load(file).services);

  it('pins every image', () => {
    for (const { image } of services) expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+$/);
  });

  it('listens on this machine alone', () => {
    for (const { ports = [] } of services) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
  });

  it('mounts files that are there', () => {
    const mounted = services.flatMap(({ volumes = [] }) => [...volumes]).filter((volume) => volume.startsWith('.'));
    expect(mounted.length).toBeGreaterThan(4);
    for (const volume of mounted) {
      expect(volume).toMatch(/:ro$/);
      expect(existsSync(join(ROOT, volume.split(':')[0] ?? '')), volume).toBe(true);
    }
  });

  it('runs the Collector whose module is pinned here', () => {
    const [, version] = /collector\/otelcol v(\S+)/.exec(read('collector/build/collector/go.mod')) ?? [];
    expect(load(file).services.collector.image.endsWith(`:${version}`)).toBe(true);
  });
});

it('the links of Jaeger lead to runbooks that are there', () => {
  const { linkPatterns } = load('collector/jaeger-ui.json');
  const pages = linkPatterns.flatMap(({ url }: { url: string }) => /reasoning-otel\/(.+\.md)$/.exec(url)?.[1] ?? []);
  expect(pages.length).toBe(3);
  for (const page of pages) expect(existsSync(join(ROOT, 'docs', 'runbooks', page)), page).toBe(true);
});

it('every module of the stack is pinned whole', () => {
  for (const name of readdirSync(join(ROOT, 'collector', 'build'))) {
    expect(existsSync(join(ROOT, 'collector', 'build', name, 'go.sum')), name).toBe(true);
  }
});
