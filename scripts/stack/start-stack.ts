import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ports } from './ports.ts';
import { binary, ROOT } from './programs.ts';
import { config, writePrometheusConfig } from './stack-files.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

const HOST = '127.0.0.1';

export interface StackOptions {
  readonly ports: Ports;
  /** For logs, queues and data. */
  readonly folder: string;
  /** More for the environment of the Collector. */
  readonly collectorEnv?: Readonly<Record<string, string>>;
  /** `--enable-feature` of Prometheus. */
  readonly prometheusFeatures?: readonly string[];
  /** Replacements in prometheus.yaml. */
  readonly prometheusChange?: ReadonlyArray<readonly [from: string, to: string]>;
}

export interface StackUrls {
  /** OTLP/HTTP of the Collector. */
  readonly otlp: string;
  readonly otlpGrpc: string;
  readonly jaeger: string;
  readonly prometheus: string;
  readonly alertmanager: string;
}

export const PROMETHEUS_FEATURES: readonly string[] = ['created-timestamp-zero-ingestion', 'exemplar-storage'];

export const urlsOf = (ports: Ports): StackUrls => ({
  otlp: `http://${HOST}:${ports.otlpHttp}`,
  otlpGrpc: `http://${HOST}:${ports.otlpGrpc}`,
  jaeger: `http://${HOST}:${ports.jaeger}`,
  prometheus: `http://${HOST}:${ports.prometheus}`,
  alertmanager: `http://${HOST}:${ports.alertmanager}`,
});

/** Starts one Collector of a shape: `collector.yaml`, `agent.yaml` or `gateway.yaml`. */
export const startCollector = (
  name: string,
  shape: string,
  { ports, folder, collectorEnv }: StackOptions,
): Promise<RunningProcess> =>
  startProcess({
    name,
    file: binary('collector'),
    args: ['--config', config(shape)],
    env: {
      LISTEN_HOST: HOST,
      OTLP_GRPC_PORT: String(ports.otlpGrpc),
      OTLP_HTTP_PORT: String(ports.otlpHttp),
      HEALTH_PORT: String(ports.collectorHealth),
      OWN_METRICS_PORT: String(ports.collectorMetrics),
      TRACES_ENDPOINT: `${HOST}:${ports.jaegerOtlp}`,
      METRICS_ENDPOINT: `http://${HOST}:${ports.prometheus}/api/v1/otlp`,
      QUEUE_DIRECTORY: join(folder, `${name}-queue`),
      ...collectorEnv,
    },
    folder,
    readyUrl: `http://${HOST}:${ports.collectorHealth}/`,
  });

export const startJaeger = ({ ports, folder }: StackOptions): Promise<RunningProcess> =>
  startProcess({
    name: 'jaeger',
    file: binary('jaeger'),
    args: ['--config', config('jaeger.yaml')],
    env: {
      LISTEN_HOST: HOST,
      JAEGER_HEALTH_PORT: String(ports.jaegerHealth),
      JAEGER_PORT: String(ports.jaeger),
      JAEGER_GRPC_PORT: String(ports.jaegerGrpc),
      JAEGER_OTLP_PORT: String(ports.jaegerOtlp),
      JAEGER_UI_FILE: config('jaeger-ui.json'),
      PROMETHEUS_URL: `http://${HOST}:${ports.prometheus}`,
    },
    folder,
    readyUrl: `http://${HOST}:${ports.jaeger}/api/services`,
  });

export function startPrometheus(options: StackOptions): Promise<RunningProcess> {
  const { ports, folder, prometheusFeatures = PROMETHEUS_FEATURES, prometheusChange } = options;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'prometheus.yaml');
  const local = {
    alertmanager: `${HOST}:${ports.alertmanager}`,
    collectors: [`${HOST}:${ports.collectorMetrics}`],
  };
  writePrometheusConfig(file, local, prometheusChange);
  return startProcess({
    name: 'prometheus',
    file: binary('prometheus'),
    args: [
      `--config.file=${file}`,
      `--web.listen-address=${HOST}:${ports.prometheus}`,
      `--storage.tsdb.path=${join(folder, 'prometheus-data')}`,
      '--web.enable-otlp-receiver',
      // For what a browser asks of it from another page, as the preview of the boards does.
      '--web.cors.origin=https?://(localhost|127\\.0\\.0\\.1)(:[0-9]+)?',
      ...(prometheusFeatures.length > 0 ? [`--enable-feature=${prometheusFeatures.join(',')}`] : []),
    ],
    folder,
    readyUrl: `http://${HOST}:${ports.prometheus}/-/ready`,
  });
}

export const startAlertmanager = ({ ports, folder }: StackOptions): Promise<RunningProcess> =>
  startProcess({
    name: 'alertmanager',
    file: binary('alertmanager'),
    args: [
      `--config.file=${join(ROOT, 'dashboards', 'alertmanager.yaml')}`,
      `--web.listen-address=${HOST}:${ports.alertmanager}`,
      `--storage.path=${join(folder, 'alertmanager-data')}`,
      // One alone: no port for peers.
      '--cluster.listen-address=',
    ],
    folder,
    readyUrl: `http://${HOST}:${ports.alertmanager}/-/ready`,
  });

/** Ends processes one after the other, in the order given, all of them whatever becomes of one. */
export async function stopAll(processes: readonly RunningProcess[]): Promise<void> {
  for (const running of processes) await running.stop();
}

export interface Stack {
  readonly urls: StackUrls;
  readonly alertmanager: RunningProcess;
  readonly prometheus: RunningProcess;
  readonly jaeger: RunningProcess;
  readonly collector: RunningProcess;
  /** The Collector first: it hands over what it holds. */
  stop(): Promise<void>;
}

/** Starts the four programs. Where one does not start, those that did are stopped, and its error is thrown. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const started: RunningProcess[] = [];
  const starting = [startJaeger, startPrometheus, startAlertmanager].map(async (start) => {
    const running = await start(options);
    started.push(running);
    return running;
  });
  try {
    const [jaeger, prometheus, alertmanager] = await Promise.all(starting);
    const collector = await startCollector('collector', 'collector.yaml', options);
    if (!jaeger || !prometheus || !alertmanager) throw new Error('three were started');
    const stop = () => stopAll([collector, jaeger, prometheus, alertmanager]);
    return { urls: urlsOf(options.ports), alertmanager, prometheus, jaeger, collector, stop };
  } catch (error) {
    await Promise.allSettled(starting);
    await stopAll(started);
    throw error;
  }
}
