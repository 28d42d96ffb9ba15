import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardProcess } from './guard.ts';

export interface ProcessOptions {
  /** For messages, and the name of its log file. */
  readonly name: string;
  /** Path of the program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it writes its log. */
  readonly folder: string;
  /** Answers 2xx once the program is ready. */
  readonly readyUrl: string;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles when it has ended, however it did. */
  readonly ended: Promise<void>;
  /** Asks it to end, and makes it end where it has not in time. */
  stop(): Promise<void>;
  /** SIGKILL: as a crash would. */
  kill(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 20_000;

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Starts a program and waits until it is ready.
 * @throws where it ends before it is ready, with the end of its log
 */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { name, file, args, env, folder, readyUrl } = options;
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  // A group of its own: Ctrl-C in the terminal reaches this process, which ends them in the order that loses nothing.
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const release = child.pid === undefined ? undefined : guardProcess(child.pid);
  let over = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true;
      release?.();
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });

  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await Promise.race([ended, sleep(END_WITHIN_MS, undefined, { ref: false })]);
    await kill();
  };

  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!(await answers(readyUrl))) {
    if (over || Date.now() > giveUpAt) {
      await kill();
      const last = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15).join('\n');
      throw new Error(`${name} did not become ready at ${readyUrl}; the end of ${logFile}:\n${last}`);
    }
    await Promise.race([ended, sleep(100)]);
  }
  return { name, pid: child.pid ?? 0, logFile, ended, stop, kill };
}
