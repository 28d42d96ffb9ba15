import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ChildResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChildOptions {
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly cwd?: string;
}

/** Where the repository is. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const support = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Runs a program in a process of its own, without the variables that would change what is tested. */
export function runChild(file: string, args: readonly string[] = [], options: ChildOptions = {}): Promise<ChildResult> {
  const { NODE_OPTIONS: _, ANTHROPIC_LOG: __, NODE_V8_COVERAGE: ___, ...inherited } = process.env;
  const { nodeArgs = [], env = {}, node = process.execPath, cwd = ROOT } = options;
  return new Promise((resolve) => {
    execFile(
      node,
      [...nodeArgs, file, ...args],
      { cwd, env: { ...inherited, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 50_000 },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : null) : 0;
        resolve({ code, signal: error?.signal ?? null, stdout, stderr });
      },
    );
  });
}
