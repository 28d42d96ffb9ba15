import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first match in standard output. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the built command in a process of its own. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}, node = process.execPath): Running {
  const { NODE_OPTIONS: _, CI: __, ...clean } = process.env;
  const child = spawn(node, [CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...clean, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match) resolve(match);
        };
        child.stdout.on('data', look);
        child.on('close', () => reject(new Error(`ended without ${pattern}:\n${stdout}\n${stderr}`)));
        look();
      }),
  };
}

export const run = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> => start(args, env).ended;
