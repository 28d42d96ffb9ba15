/**
 * `npm run stack`: Collector, Jaeger, Prometheus and Alertmanager on this machine, without Docker, with the very files
 * in collector/ and dashboards/. `npm run stack -- build` builds the programs and ends; `npm run stack -- demo` sends
 * the demo through the stack, the one that runs or else its own.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt } from '../ensure-built.ts';
import { buildPrograms } from './build-programs.ts';
import { checkPorts, freePorts, STANDARD_PORTS } from './ports.ts';
import { PROGRAMS, ROOT, STACK_CACHE } from './programs.ts';
import { type Stack, type StackUrls, startStack, urlsOf } from './start-stack.ts';

/** A path as it is shortest: from the repository where it lies in there. */
const shown = (path: string): string => (path.startsWith(ROOT) ? relative(ROOT, path) : path);

const USAGE = `Usage: npm run stack                       starts the stack and leaves it running until Ctrl-C
       npm run stack -- build              builds its programs into ${shown(join(STACK_CACHE, 'bin'))}/
       npm run stack -- demo [harness …]   sends the demo through it`;

const print = (line: string): void => console.log(line);

const addresses = (urls: StackUrls): ReadonlyArray<readonly [name: string, url: string, what: string]> => [
  ['Collector', urls.otlp, `send here: OTEL_EXPORTER_OTLP_ENDPOINT=${urls.otlp} (gRPC: ${urls.otlpGrpc})`],
  ['Jaeger', urls.jaeger, 'traces: /api/services, /api/traces?service=NAME&tags={"reasoning.dropped":"true"}'],
  [
    'Prometheus',
    urls.prometheus,
    'metrics, rules, alerts: /api/v1/query?query=reasoning_blocks_dropped_total, /api/v1/alerts',
  ],
  ['Alertmanager', urls.alertmanager, 'alerts that fire; has its page'],
];

function printAddresses(urls: StackUrls): void {
  for (const [name, url, what] of addresses(urls)) print(`  ${name.padEnd(13)} ${url.padEnd(23)} ${what}`);
  print('Jaeger and Prometheus, built from their Go modules, answer their APIs and have no page of their own here;');
  print('the pages, and Grafana with the boards, come with Docker: docker compose -f compose.jaeger.yaml up');
}

const isUp = async (): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${STANDARD_PORTS.collectorHealth}/`)).ok;
  } catch {
    return false;
  }
};

/** Runs the demo against the Collector, until it has ended or `signal` says so. */
async function sendDemo(otlp: string, harnesses: readonly string[], signal: AbortSignal): Promise<number> {
  await ensureBuilt();
  const child = spawn(process.execPath, [join(ROOT, 'demo', 'demo.ts'), ...harnesses], {
    env: {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_METRICS_EXPORTER: 'otlp',
    },
    stdio: 'inherit',
    signal,
    killSignal: 'SIGTERM',
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Settles with the name of what ended the stack: a signal, or a program that ended by itself. */
function endOf(stack: Stack, stopping: AbortSignal): Promise<string | undefined> {
  const { alertmanager, prometheus, jaeger, collector } = stack;
  return Promise.race([
    new Promise<undefined>((resolve) => {
      if (stopping.aborted) resolve(undefined);
      else stopping.addEventListener('abort', () => resolve(undefined));
    }),
    ...[alertmanager, prometheus, jaeger, collector].map(async ({ name, ended, logFile }) => {
      await ended;
      return `${name} has ended by itself; its log: ${shown(logFile)}`;
    }),
  ]);
}

async function main([command, ...names]: readonly string[]): Promise<number> {
  if (command !== undefined && command !== 'build' && command !== 'demo') {
    console.error(`${command}: no such command\n${USAGE}`);
    return 2;
  }
  const stopping = new AbortController();
  const started = performance.now();
  if (command === 'demo' && process.env.REASONING_OTEL_STACK_PORTS !== 'free' && (await isUp()))
    return sendDemo(urlsOf(STANDARD_PORTS).otlp, names, stopping.signal);
  await buildPrograms(PROGRAMS, print);
  if (command === 'build') {
    print(`The programs are in ${shown(join(STACK_CACHE, 'bin'))}/`);
    return 0;
  }
  const free = process.env.REASONING_OTEL_STACK_PORTS === 'free';
  const ports = free ? await freePorts() : STANDARD_PORTS;
  if (!free) await checkPorts(ports);
  // A stack starts empty. One on free ports may not be the only one.
  const folder = free ? mkdtempSync(join(tmpdir(), 'reasoning-otel-stack-')) : join(STACK_CACHE, 'run');
  if (!free) rmSync(folder, { recursive: true, force: true });
  // All traces are kept here, not a share of the sound ones, and decided on soon.
  const collectorEnv = { KEEP_PERCENT: '100', ROOT_WAIT: '2s', ...fromEnvironment() };
  // From here on there is something to end first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const stack = await startStack({ ports, folder, collectorEnv });
  try {
    print(`The stack is up after ${((performance.now() - started) / 1_000).toFixed(1)} s:`);
    printAddresses(stack.urls);
    print(`Logs: ${shown(folder)}/. Ctrl-C ends it.`);
    if (command === 'demo') {
      const code = await sendDemo(stack.urls.otlp, names, stopping.signal);
      if (code !== 0) return stopping.signal.aborted ? 0 : code;
      print('The demo is through; alerts follow within half a minute. What was lost, for example:');
      print(
        `  curl -G ${stack.urls.prometheus}/api/v1/query --data-urlencode 'query=sum by (job)(reasoning_blocks_dropped_total) > 0'`,
      );
      print(
        `  curl -G ${stack.urls.jaeger}/api/traces -d service=demo-filter-by-type --data-urlencode 'tags={"reasoning.dropped":"true"}'`,
      );
      print('Ctrl-C ends the stack.');
    }
    const fault = await endOf(stack, stopping.signal);
    if (fault === undefined) return 0;
    console.error(fault);
    return 1;
  } finally {
    print('Stopping …');
    await stack.stop();
    if (free) rmSync(folder, { recursive: true, force: true });
  }
}

/** What a user set for the Collector outranks what is set here. */
const fromEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['KEEP_PERCENT', 'ROOT_WAIT', 'TRACE_WAIT'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
