import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
export const DIST = join(root, 'dist');
const apps = fileURLToPath(new URL('../apps/', import.meta.url));
const require = createRequire(import.meta.url);

/** The Node versions that children run on, and how `register` comes into them there. */
export const NODES = {
  node24: { executable: process.execPath, version: process.version },
  node20: { executable: join(root, 'node_modules/node20/bin/node'), version: 'v20' },
} as const;

const PRELOADS = {
  none: [],
  import: ['--import', join(DIST, 'register.js')],
  require: ['--require', join(DIST, 'register.cjs')],
} as const;

export interface Run {
  /** A file of test/register/apps. */
  readonly app: string;
  readonly args?: readonly string[];
  readonly node?: keyof typeof NODES;
  readonly preload?: keyof typeof PRELOADS;
  /** Further flags of Node, before (`first`) and after the preload. */
  readonly flags?: { readonly first?: readonly string[]; readonly last?: readonly string[] };
  readonly env?: Readonly<Record<string, string>>;
  /** Sent as soon as the application says `ready`. */
  readonly signal?: NodeJS.Signals;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  /** What the application and Node wrote. */
  readonly stderr: string;
  /** What `register` wrote, without its name. */
  readonly said: readonly string[];
}

const OURS = 'reasoning-otel: ';

/** An environment without what the machine, or vitest, has set for others. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:OTEL_|REASONING_|ANTHROPIC_|NODE_|VITEST|.*_proxy$|.*_PROXY$)/.test(name),
  );
  return { ...Object.fromEntries(kept), PATH: process.env.PATH?.split(delimiter).join(delimiter), NO_COLOR: '1' };
}

/** Runs an application to its end. */
export async function run({
  app,
  args = [],
  node = 'node24',
  preload = 'import',
  flags,
  env = {},
  signal,
}: Run): Promise<Ended> {
  const child = spawn(
    NODES[node].executable,
    [...(flags?.first ?? []), ...PRELOADS[preload], ...(flags?.last ?? []), join(apps, app), ...args],
    { cwd: apps, env: { ...cleanEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output = { stdout: '', stderr: '' };
  let signalled = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      if (signal && !signalled && /^ready$/m.test(output.stdout)) {
        signalled = true;
        child.kill(signal);
      }
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code, by) => {
      const lines = output.stderr.split('\n');
      resolve({
        code,
        signal: by,
        stdout: output.stdout,
        stderr: lines.filter((line) => !line.startsWith(OURS)).join('\n'),
        said: lines.filter((line) => line.startsWith(OURS)).map((line) => line.slice(OURS.length)),
      });
    });
  });
}

export const appFile = (name: string): string => join(apps, name);

/** A package of the repository, as an absolute path: preloaded files resolve from anywhere. */
export const resolvePackage = (name: string): string => require.resolve(name);
