import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';

export interface ChildOptions {
  readonly command: readonly [string, ...string[]];
  /** Base URL of the receiver. */
  readonly endpoint: string;
  /** File URL of the built `register` entry. */
  readonly register: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Settings of one signal outrank the general ones, and would send it past the receiver. */
const OUTRANKING = ['TRACES', 'METRICS', 'LOGS'].flatMap((signal) =>
  ['ENDPOINT', 'PROTOCOL', 'COMPRESSION'].map((setting) => `OTEL_EXPORTER_OTLP_${signal}_${setting}`),
);

/** The environment in which a program reports to the receiver; everything else of `env` is kept. */
export function childEnvironment({ endpoint, register, env }: Omit<ChildOptions, 'command'>): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !OUTRANKING.includes(name)));
  return {
    ...kept,
    NODE_OPTIONS: [env.NODE_OPTIONS, `--import=${register}`].filter(Boolean).join(' '),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_TRACES_SAMPLER: 'always_on',
    // Milliseconds. The default of 5 s is too long for a table that is to be live.
    OTEL_BSP_SCHEDULE_DELAY: env.OTEL_BSP_SCHEDULE_DELAY ?? '200',
  };
}

/** Ctrl-C in a terminal reaches the whole process group, so the child has had it already; else it is passed on. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

const forwardSignals = (child: ChildProcess): (() => void) => {
  const ofTerminal: readonly string[] = process.stdin.isTTY || process.stdout.isTTY ? ['SIGINT', 'SIGQUIT'] : [];
  const listeners = FORWARDED.map((signal) => {
    const listener = (): void => {
      if (!ofTerminal.includes(signal)) child.kill(signal);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const remove of listeners) remove();
  };
};

/**
 * Runs a command with the watch set up in its environment, its stdio and the signals passed through.
 * @returns its exit code, 128 + the signal's number where one ended it, as shells have it.
 * @throws the error of `spawn` where the command cannot be started (`ENOENT`, `EACCES`).
 */
export async function runChild(options: ChildOptions): Promise<number> {
  const [file, ...args] = options.command;
  const child = spawn(file, args, { stdio: 'inherit', env: childEnvironment(options) });
  const stop = forwardSignals(child);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    stop();
  }
}
