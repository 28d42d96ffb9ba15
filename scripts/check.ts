/**
 * `npm run check`: everything that is checked without running the product. Each step says its name and how it went;
 * all steps run, so that one run shows all there is to mend. `npm run check -- types unused` runs only those named.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Step {
  readonly name: string;
  readonly checks: string;
  readonly command: readonly string[];
}

const root = fileURLToPath(new URL('../', import.meta.url));
const script = (file: string): string[] => [process.execPath, join('scripts', file)];

/** Independent of one another: they run side by side. */
const READING: readonly Step[] = [
  { name: 'types', checks: 'types of sources, tests and scripts', command: ['tsc', '--noEmit'] },
  { name: 'lint', checks: 'lint rules and format', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'unused', checks: 'unused files, exports and dependencies', command: ['knip', '--no-config-hints'] },
  {
    name: 'imports',
    checks: 'which folder may import which',
    command: ['depcruise', 'src', '--config', '.dependency-cruiser.mjs', '--output-type', 'err-long'],
  },
  { name: 'generated', checks: 'generated files are up to date', command: script('check-generated.ts') },
  { name: 'lock', checks: 'the lock file names everything it needs', command: script('check-lock.ts') },
  { name: 'links', checks: 'links between documents', command: script('check-links.ts') },
  { name: 'words', checks: 'nothing of one machine in what is shipped', command: script('check-words.ts') },
];

/** These read dist/, so they come after it is built. */
const BUILT: readonly Step[] = [
  { name: 'published', checks: 'shape of the packed tarball (publint, attw)', command: script('check-published.ts') },
  { name: 'package', checks: 'the packed tarball in applications of its own', command: script('check-package.ts') },
];

async function run(step: Step): Promise<boolean> {
  const started = performance.now();
  const [command = '', ...args] = step.command;
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve(127);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name.padEnd(10)} ${step.checks} (${seconds} s)`);
  if (code !== 0) console.log(`${output.trimEnd()}\n`);
  return code === 0;
}

async function runAll(steps: readonly Step[], atOnce: number): Promise<number> {
  const waiting = [...steps];
  let failed = 0;
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      if (!(await run(step))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return failed;
}

const build: Step = {
  name: 'build',
  checks: 'ESM, CommonJS and both sets of types',
  command: script('ensure-built.ts'),
};
const all = [...READING, build, ...BUILT];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`no check is named ${unknown.join(', ')}; there are: ${all.map((step) => step.name).join(', ')}`);
  process.exit(2);
}
const chosen = (steps: readonly Step[]): Step[] =>
  steps.filter((step) => asked.length === 0 || asked.includes(step.name));

let failed = await runAll(chosen(READING), Math.min(2, availableParallelism()));
const needsBuild = BUILT.some((step) => asked.length === 0 || asked.includes(step.name)) || asked.includes('build');
if (needsBuild) {
  if (await run(build)) failed += await runAll(chosen(BUILT), 1);
  else failed += 1;
}
if (failed > 0) {
  console.log(`${failed} of the checks failed`);
  process.exitCode = 1;
}
