import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ensureBuilt } from '../../scripts/ensure-built.ts';
import { buildPrograms } from '../../scripts/stack/build-programs.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { PROGRAMS, ROOT, STACK_CACHE } from '../../scripts/stack/programs.ts';
import { startStack } from '../../scripts/stack/start-stack.ts';

/** Long enough for what was sent last to be exported, stored, and looked up by a query for now. */
const SETTLE_MS = 5_000;
/** Loops of the demo live for seconds, and Prometheus extrapolates from what samples there are: many, then. */
const EXPORT_MS = 500;
/** Of four exports. */
const INTERVAL_S = 2;

async function run(script: 'demo' | 'experiment', otlp: string): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'demo', `${script}.ts`)], {
    cwd: ROOT,
    env: {
      ...process.env,
      OTEL_SERVICE_NAME: script,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_METRIC_EXPORT_INTERVAL: `${EXPORT_MS}`,
      // Examples, since no provider is asked: what matters is that there are some.
      REASONING_OTEL_PRICES: join(import.meta.dirname, 'prices.json'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = (): boolean => child.kill();
  process.once('exit', end);
  const [code] = await once(child, 'close');
  process.off('exit', end);
  if (code !== 0) throw new Error(`demo/${script}.ts ended with code ${code}`);
}

/** Starts a stack of its own, sends the demo and the experiment through it, and hands its Prometheus over. */
export async function withDemoData<T>(
  use: (prometheus: string, from: number, interval: number) => Promise<T>,
): Promise<T> {
  await ensureBuilt();
  await buildPrograms(PROGRAMS, console.log);
  const folder = join(STACK_CACHE, `preview-${process.pid}`);
  // The programs are groups of their own, which Ctrl-C does not reach; everything ends with this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const stack = await startStack({ ports: await freePorts(), folder });
  try {
    console.log('The stack is up; the demo and the experiment run through it (some minutes)');
    const from = Math.floor(Date.now() / 1000);
    await run('demo', stack.urls.otlp);
    await run('experiment', stack.urls.otlp);
    await setTimeout(SETTLE_MS);
    return await use(stack.urls.prometheus, from, INTERVAL_S);
  } finally {
    await stack.stop();
  }
}
