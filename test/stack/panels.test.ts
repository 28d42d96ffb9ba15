import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOARDS } from '../../dashboards/generator/boards/index.ts';
import { HARNESSES } from '../../demo/manifest.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { ROOT } from '../../scripts/stack/programs.ts';
import { type Stack, startStack } from '../../scripts/stack/start-stack.ts';
import { linksOf, readBoard } from '../dashboards/support/board-json.ts';
import { eventually } from './support/eventually.ts';
import { searchTraces } from './support/jaeger.ts';
import { query } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const SERVICE_PREFIX = 'demo-';
const EXPERIMENT = 'experiment';
/** What its simulated model is called, at prices of nobody. */
const PRICES = { 'claude-sonnet-5-5': { input: 3, output: 15, cacheRead: 0.3 } };

const services = (sound: boolean): string[] =>
  HARNESSES.filter(({ losses }) => (losses.length === 0) === sound).map(({ name }) => SERVICE_PREFIX + name);

/** What is picked on a board. Runs, cost and arms come from the experiment, whose stripped arm the first three leave out. */
const PICKED = {
  'healthy demo': [...services(true), EXPERIMENT].join('|'),
  'broken demo': [...services(false), EXPERIMENT].join('|'),
};

const { folder, remove } = stackFolder();
let stack: Stack;

/** Runs a script of the repository to its end. */
async function run(script: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(OTEL_|REASONING_|NODE_|VITEST)/.test(name));
  const child = spawn(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${output}`);
}

beforeAll(async () => {
  stack = await startStack({
    ports: await freePorts(),
    folder,
    collectorEnv: { KEEP_PERCENT: '100', ROOT_WAIT: '2s', TRACE_WAIT: '10s' },
  });
  const prices = join(folder, 'prices.json');
  writeFileSync(prices, JSON.stringify(PRICES));
  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: stack.urls.otlp, OTEL_METRIC_EXPORT_INTERVAL: '1000' };
  await run('demo/demo.ts', [], otlp);
  await run('demo/experiment.ts', ['anthropic'], {
    ...otlp,
    OTEL_SERVICE_NAME: EXPERIMENT,
    REASONING_OTEL_PRICES: prices,
  });
  const { prometheus } = stack.urls;
  const jobs = [...services(true), ...services(false), EXPERIMENT];
  await eventually(async () => {
    const seen = await query(prometheus, 'count by (job) (reasoning_calls_total)');
    expect(seen.map(({ labels }) => labels.job).sort()).toEqual([...jobs].sort());
  });
}, 600_000);

afterAll(async () => {
  await stack?.stop();
  remove();
});

/** As Grafana does, with everything else set to all. */
const filledIn = (expr: string, job: string): string =>
  expr
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__range', '1h')
    .replaceAll('$job', job)
    .replaceAll('$instance', '.+')
    .replaceAll(/\$(provider|model)/g, '.*');

const Range = v.object({
  data: v.object({ result: v.array(v.object({ values: v.array(v.tuple([v.number(), v.string()])) })) }),
});

/** Every value that a panel draws. */
async function valuesOf(expr: string, isTrend: boolean): Promise<readonly number[]> {
  const { prometheus } = stack.urls;
  if (!isTrend) return (await query(prometheus, expr)).map(({ value }) => value);
  const now = Math.ceil(Date.now() / 1_000);
  const asked = new URLSearchParams({ query: expr, start: String(now - 900), end: String(now), step: '15' });
  const response = await fetch(`${prometheus}/api/v1/query_range?${asked}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${expr}: ${text}`);
  return v.parse(Range, JSON.parse(text)).data.result.flatMap(({ values }) => values.map(([, value]) => Number(value)));
}

const panels = Object.keys(BOARDS).flatMap((file) =>
  (readBoard(file).panels ?? []).flatMap(({ title = '', type, targets = [] }) =>
    targets.map(({ refId, expr = '' }) => ({ file, title, refId, expr, isTrend: type === 'timeseries' })),
  ),
);

describe.each(Object.entries(PICKED))('%s', (_name, job) => {
  it.each(panels)('$file: $title ($refId) has finite data', async ({ expr, isTrend }) => {
    const values = await valuesOf(filledIn(expr, job), isTrend);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !Number.isFinite(value))).toEqual([]);
  });
});

describe('boards tell sound from broken', () => {
  const value = async (title: string, job: string): Promise<number> => {
    const panel = panels.find((each) => each.title === title);
    const [first = Number.NaN] = await valuesOf(filledIn(panel?.expr ?? '', job), false);
    return first;
  };

  it.each([
    ['Continuity', 1, (bad: number) => bad < 0.9],
    ['Blocks dropped', 0, (bad: number) => bad > 20],
    ['Error budget (30 days)', 1, (bad: number) => bad < 0],
    ['Calls affected', 0, (bad: number) => bad > 0.3],
    ['Telemetry coverage', 1, (bad: number) => bad === 1],
  ])('%s', async (title, sound, isBroken) => {
    expect(await value(title, services(true).join('|'))).toBe(sound);
    expect(await value(title, services(false).join('|'))).toSatisfy(isBroken);
  });

  it('and arm from arm', async () => {
    const panel = panels.find(({ title }) => title === 'Reasoning withheld, per arm');
    const withheld = await query(stack.urls.prometheus, filledIn(panel?.expr ?? '', EXPERIMENT));
    const ofArm = (arm: string) => withheld.find(({ labels }) => labels.reasoning_experiment_arm === arm)?.value;
    expect([ofArm('intact'), ofArm('stripped')]).toEqual([0, expect.toSatisfy((share) => share > 0.9)]);
    expect(await value('Leaks of the intact arm', EXPERIMENT)).toBe(0);
    expect(await value('Extra tool calls of the stripped arm', EXPERIMENT)).toBeGreaterThan(0);
    // The stripped arm lost its blocks, and the board for people on call knows nothing of it.
    expect(await value('Blocks dropped', EXPERIMENT)).toBe(0);
  });
});

/** A link that is followed: a panel's query, the tags that it searches, and the label that fills one of them in. */
const links = Object.keys(BOARDS).flatMap((file) =>
  (readBoard(file).panels ?? []).flatMap((panel) =>
    linksOf(panel)
      .filter(({ title }) => title === 'Traces in Jaeger')
      .map(({ url }) => ({ file, title: panel.title ?? '', expr: panel.targets?.[0]?.expr ?? '', url })),
  ),
);
const VARIABLE = /\$\{__(?:field\.labels|data\.fields)\.(\w+)\}/g;

describe('links lead to traces', () => {
  const everything = [...services(true), ...services(false), EXPERIMENT];

  it.each(links)('$file: $title', async ({ expr, url }) => {
    const search = new URL(url.replace('${jaegerUrl:raw}', stack.urls.jaeger)).searchParams.get('tags') ?? '';
    // One series or row with something in it, as somebody would click on.
    const clicked = (await query(stack.urls.prometheus, filledIn(expr, everything.join('|')))).filter(
      ({ value }) => value > 0,
    );
    expect(clicked.length).toBeGreaterThan(0);
    for (const { labels } of VARIABLE.test(search) ? clicked : clicked.slice(0, 1)) {
      const tags = JSON.parse(search.replaceAll(VARIABLE, (_whole, label: string) => labels[label] ?? ''));
      await eventually(async () => {
        const found = await Promise.all(everything.map((service) => searchTraces(stack.urls.jaeger, service, tags)));
        expect(found.flat().length, JSON.stringify(tags)).toBeGreaterThan(0);
      }, 20_000);
    }
  });
});
