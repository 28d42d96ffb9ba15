/**
 * Installs the packed tarball as an application would, beside each line of OpenTelemetry that it supports, and makes one
 * call there. What is looked at: one judged span and its metrics arrive, however the process ends; an SDK of the
 * application's own is joined or takes over; npm has nested no second OpenTelemetry.
 *
 * Needs a registry, and so belongs to `npm run check` and not to `npm test`.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '../src/simulator/index.ts';
import { type RunningReceiver, runReceiver } from '../test/register/support/otlp.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const apps = join(root, 'test/register/apps');
const NODE_20 = join(root, 'node_modules/node20/bin/node');

interface Line {
  readonly version: string;
  readonly api: string;
  readonly node: string;
  /** Whether its NodeSDK can be given metric readers in code. */
  readonly takesReaders: boolean;
}

/** Both ends of the range, the last line for Node 20, and one in between that applications are known to pin. */
const LINES: readonly Line[] = [
  { version: '0.200.0', api: '1.9.0', node: NODE_20, takesReaders: false },
  { version: '0.218.0', api: '1.9.0', node: NODE_20, takesReaders: true },
  { version: '0.223.0', api: '1.9.1', node: NODE_20, takesReaders: true },
  { version: '0.301.0', api: '1.10.0', node: process.execPath, takesReaders: true },
];

/** Of which there may be one copy, or what one registers the other does not see. */
const SINGLE = ['api', 'instrumentation', 'sdk-node', 'exporter-trace-otlp-http', 'sdk-metrics'];

const work = mkdtempSync(join(tmpdir(), 'reasoning-otel-package-'));
const model = await startSimulator();
const problems: string[] = [];

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** After which a process counts as hanging: a registry that does not answer, an application that does not end. */
const LIMIT_MS = 120_000;
/** The registry is not what is under test. */
const TRIES = 3;

/** What would change the telemetry of an application that is started from here. */
const IN_THE_WAY = /^(?:OTEL_|REASONING_|ANTHROPIC_|NODE_OPTIONS$)/;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const kept = Object.entries(process.env).filter(([name]) => !IN_THE_WAY.test(name));
  const child = spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: String(error) }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function must(command: string, args: readonly string[], cwd: string, tries = 1): Promise<void> {
  const { code, output } = await run(command, args, cwd);
  if (code === 0) return;
  if (tries > 1) return must(command, args, cwd, tries - 1);
  throw new Error(`${command} ${args.join(' ')} ended with ${code ?? `nothing in ${LIMIT_MS} ms`}:\n${output}`);
}

async function install({ version, api }: Line, tarball: string): Promise<string> {
  const folder = join(work, version);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'application', private: true, type: 'module' }));
  await must(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
      tarball,
      '@anthropic-ai/sdk@1',
      `@opentelemetry/api@${api}`,
      ...['sdk-node', 'instrumentation', 'exporter-trace-otlp-http'].map((name) => `@opentelemetry/${name}@${version}`),
    ],
    folder,
    TRIES,
  );
  for (const file of ['endings.mjs', 'endings.cjs', 'end-by.cjs', 'late-sdk.mjs', 'own-sdk.mjs']) {
    cpSync(join(apps, file), join(folder, file));
  }
  return folder;
}

/** Folders of the copies of a package, in an installed tree. */
function copiesOf(name: string, folder: string): string[] {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const packages = readdirSync(modules).flatMap((entry) =>
    entry.startsWith('@') ? readdirSync(join(modules, entry)).map((inner) => join(entry, inner)) : [entry],
  );
  const own = packages.includes(name) ? [join(modules, name)] : [];
  return [...own, ...packages.flatMap((each) => copiesOf(name, join(modules, each)))];
}

function checkTree(folder: string, { version }: Line): void {
  for (const short of SINGLE) {
    const name = join('@opentelemetry', short);
    const copies = copiesOf(name, folder);
    if (copies.length !== 1) problems.push(`${version}: ${copies.length} copies of ${name}:\n${copies.join('\n')}`);
  }
  const { version: installed } = JSON.parse(
    readFileSync(join(folder, 'node_modules/@opentelemetry/sdk-node/package.json'), 'utf8'),
  );
  if (installed !== version) problems.push(`${version}: the application has got sdk-node ${installed} instead`);
}

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** By default the receiver of the standard variables gets what there is. */
  readonly own?: boolean;
}

const IMPORT = ['--import', 'reasoning-otel/register'];
const REQUIRE = ['--require', 'reasoning-otel/register'];

const CASES: readonly Case[] = [
  { name: 'ESM', args: [...IMPORT, 'endings.mjs'] },
  { name: 'CommonJS', args: [...REQUIRE, 'endings.cjs'] },
  { name: 'process.exit()', args: [...IMPORT, 'endings.mjs', 'exit'] },
  {
    name: 'an SDK that is there',
    args: ['--import', './own-sdk.mjs', ...IMPORT, 'endings.mjs'],
    env: { OWN_START: '1' },
    own: true,
  },
  { name: 'an SDK that comes later', args: [...IMPORT, 'late-sdk.mjs'], own: true },
];

async function check(folder: string, line: Line, { name, args, env = {}, own = false }: Case): Promise<void> {
  const [standard, theirs] = [await runReceiver(), await runReceiver()];
  const { code, output } = await run(line.node, args, folder, {
    MODEL_URL: model.url,
    OWN_URL: theirs.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: standard.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...env,
  });
  const [right, wrong] = own ? [theirs, standard] : [standard, theirs];
  const wanted = [
    [`exit code ${args.includes('exit') ? 3 : 0}`, code === (args.includes('exit') ? 3 : 0)],
    ['one judged span', judged(right) === 1],
    ['no judged span elsewhere', judged(wrong) === 0],
    ['metrics of one call', (own && !line.takesReaders) || right.metrics().get('reasoning.calls') === 1],
    ['no complaint', !/duplicate registration|Error/.test(output)],
  ] as const;
  for (const [what, holds] of wanted) {
    if (!holds) problems.push(`${line.version}, ${name}: expected ${what}; exit code ${code}, output:\n${output}`);
  }
  standard.close();
  theirs.close();
}

const judged = (receiver: RunningReceiver): number =>
  receiver.spans().filter(({ attributes }) => attributes['reasoning.assertion'] !== undefined).length;

try {
  await must('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], root);
  const tarball = join(work, readdirSync(work).find((file) => file.endsWith('.tgz')) ?? '');
  for (const line of LINES) {
    const folder = await install(line, tarball);
    checkTree(folder, line);
    for (const each of CASES) await check(folder, line, each);
  }
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
} finally {
  await model.close();
  rmSync(work, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
