import { createLogUpdate } from 'log-update';
import { createColors } from 'picocolors';
import { runChild } from './child.ts';
import { clampWidth } from './layout.ts';
import { createLiveTable, legend } from './live-table.ts';
import { PROTOCOL_MEND, type Receiver, startReceiver } from './receiver.ts';
import { createRunBook, type RunBook, type RunTotals } from './run-book.ts';
import { plural, summarise } from './summary.ts';

export const DEFAULT_PORT = 4318;

export interface WatchOptions {
  /** Undefined: `DEFAULT_PORT`, or a free one where that is taken and a command is given. */
  readonly port?: number;
  /** Empty: watch whatever reports, until SIGINT or SIGTERM. */
  readonly command: readonly string[];
  /** File URL of the built `register` entry. */
  readonly register: string;
  readonly env: NodeJS.ProcessEnv;
  readonly out: NodeJS.WriteStream;
  /** One line on what goes wrong. */
  readonly warn: (line: string) => void;
}

/** Switches that silence the program that is watched. */
const SILENCING = ['REASONING_OTEL_DISABLED', 'OTEL_SDK_DISABLED'];

/** Exit codes that are not the command's own. */
const EXIT = { ok: 0, usage: 2, cannotExecute: 126, notFound: 127 } as const;

/** How long the last data of a program that has ended may take to come in. Milliseconds. */
const LAST_DATA = { quiet: 300, limit: 3_000 } as const;

const errorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const listen = async (
  options: WatchOptions,
  handlers: Omit<Parameters<typeof startReceiver>[0], 'port'>,
): Promise<Receiver> => {
  try {
    return await startReceiver({ port: options.port ?? DEFAULT_PORT, ...handlers });
  } catch (error) {
    const free = options.port === undefined && options.command.length > 0 && errorCode(error) === 'EADDRINUSE';
    if (!free) throw error;
    return startReceiver({ port: 0, ...handlers });
  }
};

const shortRun = ({ runId, service }: Pick<RunTotals, 'runId' | 'service'>): string =>
  // The default name is that of the executable and its path, which tells nothing.
  [runId.slice(0, 8), service.startsWith('unknown_service') ? '' : service].filter(Boolean).join(' ');

const untilInterrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const done = (): void => {
      for (const signal of signals) process.off(signal, done);
      resolve();
    };
    for (const signal of signals) process.on(signal, done);
  });

/**
 * Receives OTLP on loopback and shows each run as it happens, then a summary.
 * @returns the exit code: the command's own, or 0; 2 where the port is taken; 126 or 127 where the command cannot be
 *   started, as shells have it.
 */
export async function watch(options: WatchOptions): Promise<number> {
  const { out, command } = options;
  const layout = { colors: createColors(), width: clampWidth(out.columns) };
  const { colors } = layout;
  const book = createRunBook();
  const table = createLiveTable({
    ...layout,
    heading: (step, again) => `\n${colors.bold(`● run ${shortRun(step)}`)}${again ? colors.dim(' (goes on)') : ''}`,
  });
  // A line that is drawn over would be torn by the output of a program on the same terminal.
  const live = out.isTTY && command.length === 0 ? createLogUpdate(out) : undefined;
  const print = (lines: readonly string[]): void => {
    live?.clear();
    for (const line of lines) out.write(`${line}\n`);
    live?.(statusLine(book, layout.colors));
  };
  const refused = new Set<string>();

  let receiver: Receiver;
  try {
    receiver = await listen(options, {
      onSpans: (spans) => print(table.rows(book.addSpans(spans))),
      onPoints: (points) => book.addPoints(points),
      onRefusal: (line) => {
        if (refused.has(line)) return;
        refused.add(line);
        print([colors.yellow(`! ${line}`)]);
      },
    });
  } catch (error) {
    const port = options.port ?? DEFAULT_PORT;
    const why =
      errorCode(error) === 'EADDRINUSE'
        ? 'is in use; give another one with --port'
        : `cannot be used: ${errorCode(error)}`;
    options.warn(`port ${port} ${why}`);
    return EXIT.usage;
  }

  print([
    `${colors.bold('reasoning-otel watch')} ${colors.dim(`listening on ${receiver.url}`)}`,
    ...(command.length > 0
      ? []
      : [
          colors.dim(`send here: OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url} ${PROTOCOL_MEND}`),
          colors.dim('Ctrl-C for the summary'),
        ]),
    ...SILENCING.filter((name) => command.length > 0 && options.env[name]).map((name) =>
      colors.yellow(`! ${name} is set: the program may report nothing`),
    ),
    '',
    ...legend(layout),
  ]);

  let exitCode: number = EXIT.ok;
  try {
    const [file, ...args] = command;
    if (file === undefined) {
      await untilInterrupted();
    } else {
      exitCode = await runChild({
        command: [file, ...args],
        endpoint: receiver.url,
        register: options.register,
        env: options.env,
      });
      await receiver.settled(LAST_DATA.quiet, LAST_DATA.limit);
    }
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT';
    options.warn(`cannot start ${command[0]}: ${missing ? 'no such command' : errorCode(error)}`);
    return missing ? EXIT.notFound : EXIT.cannotExecute;
  } finally {
    await receiver.close();
    live?.clear();
  }
  for (const line of ['', ...summarise(book, { ...layout, name: shortRun })]) out.write(`${line}\n`);
  return exitCode;
}

const statusLine = ({ runs }: RunBook, colors: ReturnType<typeof createColors>): string => {
  const calls = runs.reduce((sum, run) => sum + run.calls, 0);
  const dropped = runs.reduce((sum, run) => sum + run.dropped, 0);
  return colors.dim(
    `\n  ${plural(runs.length, 'run')}, ${plural(calls, 'call')}, ${plural(dropped, 'block')} dropped. Ctrl-C for the summary`,
  );
};
