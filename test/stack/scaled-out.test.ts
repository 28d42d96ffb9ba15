import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePorts, type Ports } from '../../scripts/stack/ports.ts';
import type { RunningProcess } from '../../scripts/stack/start-process.ts';
import { startCollector, startJaeger, startPrometheus, stopAll, urlsOf } from '../../scripts/stack/start-stack.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { type Loop, runAgent, STEPS, startProvider } from './support/agent.ts';
import { eventually } from './support/eventually.ts';
import { expectedTotals, labelsOf } from './support/expected.ts';
import { orphansOf, searchTraces } from './support/jaeger.ts';
import { query, totals } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const { folder, remove } = stackFolder();
const started: RunningProcess[] = [];
let provider: Simulator;
let backend: Ports;
/** OTLP/HTTP of the two agents. */
let agents: readonly string[];

/** Own ports, the back end of the others. */
async function collectorPorts(): Promise<Ports> {
  const { jaegerOtlp, prometheus } = backend;
  return { ...(await freePorts()), jaegerOtlp, prometheus };
}

beforeAll(async () => {
  provider = await startProvider();
  backend = await freePorts();
  const gatewayPorts = [await collectorPorts(), await collectorPorts()];
  const agentPorts = [await collectorPorts(), await collectorPorts()];
  agents = agentPorts.map((ports) => urlsOf(ports).otlp);
  const metrics = [...gatewayPorts, ...agentPorts].map(({ collectorMetrics }) => `127.0.0.1:${collectorMetrics}`);
  const own = `[127.0.0.1:${backend.collectorMetrics}]`;
  const prometheusChange = [
    [own, `[${metrics.join(', ')}]`],
    ['scrape_interval: 15s', 'scrape_interval: 1s'],
  ] as const;
  started.push(await startPrometheus({ ports: backend, folder, prometheusChange }));
  started.unshift(await startJaeger({ ports: backend, folder }));
  for (const [at, ports] of gatewayPorts.entries()) {
    const collectorEnv = { KEEP_PERCENT: '0', ROOT_WAIT: '3s' };
    started.unshift(await startCollector(`gateway-${at}`, 'gateway.yaml', { ports, folder, collectorEnv }));
  }
  const GATEWAYS = `[${gatewayPorts.map(({ otlpGrpc }) => `127.0.0.1:${otlpGrpc}`).join(', ')}]`;
  for (const [at, ports] of agentPorts.entries()) {
    const options = { ports, folder, collectorEnv: { GATEWAYS } };
    started.unshift(await startCollector(`agent-${at}`, 'agent.yaml', options));
  }
});
afterAll(async () => {
  await stopAll(started);
  await provider?.close();
  remove();
});

/** The trace of a caller, in which two processes each run a loop. */
const callerTrace = () => randomBytes(16).toString('hex');
const within = (traceId: string) => ({ TRACEPARENT: `00-${traceId}-00f067aa0ba902b7-01` });

it('two agents, two gateways: every trace with a drop is whole, the counters are exact', async () => {
  const [first = '', second = ''] = agents;
  const loops: Loop[] = [...Array<Loop>(16).fill('stripped'), ...Array<Loop>(8).fill('sound'), 'unsealed'];
  const shared = callerTrace();
  const ended = await Promise.all([
    runAgent({ service: 'tier', loops, otlp: first, provider }),
    runAgent({ service: 'tier', loops, otlp: second, provider }),
    runAgent({ service: 'sound-half', loops: ['sound'], otlp: first, provider, env: within(shared) }),
    runAgent({ service: 'lossy-half', loops: ['stripped'], otlp: second, provider, env: within(shared) }),
  ]);
  expect(ended).toEqual(ended.map(() => ({ code: 0, said: [] })));

  const { jaeger, prometheus } = urlsOf(backend);
  await eventually(async () => {
    for (const [metric, expected] of Object.entries(expectedTotals([...loops, ...loops]))) {
      expect(await totals(prometheus, { metric, job: 'tier', by: labelsOf(metric) }), metric).toEqual(expected);
    }
    const { reasoning_calls_total: calls, reasoning_blocks_dropped_total: dropped } = expectedTotals([
      ...loops,
      ...loops,
    ]);
    const reason = ['reasoning_drop_reason', 'reasoning_drop_source'];
    const continuity = ['reasoning_continuity'];
    expect(await totals(prometheus, { metric: 'spans_reasoning_calls_total', job: 'tier', by: continuity })).toEqual(
      calls,
    );
    expect(
      await totals(prometheus, { metric: 'spans_reasoning_blocks_dropped_total', job: 'tier', by: reason }),
    ).toEqual(dropped);
  });
  await eventually(async () => {
    const traces = await searchTraces(jaeger, 'tier', { 'reasoning.dropped': 'true' });
    expect(traces.map(({ spans }) => spans.length)).toEqual(Array(32).fill(STEPS + 1));
    expect(traces.flatMap(orphansOf)).toEqual([]);
    // The two refusals beside them, and no sound loop.
    expect((await searchTraces(jaeger, 'tier')).length).toBe(34);
  });
  // Both processes' halves are there, though each came through another agent and only one of them had a loss.
  await eventually(async () => {
    const [trace] = await searchTraces(jaeger, 'lossy-half');
    expect(trace?.traceID).toBe(shared);
    expect(trace?.spans.length).toBe(2 * (STEPS + 1));
  });
  // And it was not one gateway that decided on nearly all, as it would be by service.
  await eventually(async () => {
    const decided = await query(
      prometheus,
      'sum by (instance) (otelcol_processor_tail_sampling_global_count_traces_sampled{decision="sampled"}) > 4',
    );
    expect(decided.map(({ value }) => value).reduce((whole, count) => whole + count, 0)).toBe(35);
    expect(decided.length).toBe(2);
  });
});
