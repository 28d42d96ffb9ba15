import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary, type Program, ROOT, STACK_CACHE } from './programs.ts';

const WITH_DOCKER = 'With Docker nothing is built: docker compose -f compose.jaeger.yaml up';
/** A line where the output is no terminal, so that a log shows that it goes on. */
const LOG_EVERY_MS = 20_000;

const moduleFolder = ({ name }: Program): string => join(ROOT, 'collector', 'build', name);
const stampOf = ({ name }: Program): string => join(STACK_CACHE, 'bin', `${name}.sha256`);

/** Digest of the files of a module and of how it is built. */
function digestOf(program: Program): string {
  const hash = createHash('sha256').update(JSON.stringify([program.commands, program.tags]));
  for (const file of readdirSync(moduleFolder(program)).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(moduleFolder(program), file)));
  }
  return hash.digest('hex');
}

const isCurrent = (program: Program): boolean =>
  program.commands.every(([file]) => existsSync(binary(file))) &&
  existsSync(stampOf(program)) &&
  readFileSync(stampOf(program), 'utf8') === digestOf(program);

/**
 * Asks in the folder of the module, since from Go 1.21 on the command fetches the version that a module names.
 * @throws a sentence that says which Go is missing
 */
function checkGo(program: Program): void {
  const [, needed = ''] = /^go (\S+)$/m.exec(readFileSync(join(moduleFolder(program), 'go.mod'), 'utf8')) ?? [];
  const asked = spawnSync('go', ['version'], { cwd: moduleFolder(program), encoding: 'utf8' });
  if (asked.error) {
    throw new Error(
      `The stack is built with Go ${needed} or newer, and there is no \`go\` on the PATH: https://go.dev/dl\n${WITH_DOCKER}`,
    );
  }
  const [, found = 'an older one'] = /go version go(\d\S*)/.exec(asked.stdout) ?? [];
  if (asked.status !== 0 || isOlder(found, needed)) {
    const said = asked.stderr.trim();
    throw new Error(
      `${program.name} needs Go ${needed} or newer, and \`go\` is ${found}: https://go.dev/dl${said && `\n${said}`}\n${WITH_DOCKER}`,
    );
  }
}

const isOlder = (found: string, needed: string): boolean =>
  found.localeCompare(needed, 'en', { numeric: true }) < 0 && !needed.startsWith(found);

/** Says how far a build has come: `go build -v` names each package once it is compiled. */
function progress(program: Program, print: (line: string) => void): { seen(text: string): void; stop(): void } {
  let packages = 0;
  const started = Date.now();
  const line = () =>
    `  ${program.name}: ${packages} packages compiled, ${Math.round((Date.now() - started) / 1_000)} s` +
    ` (the first time about ${program.minutes} min on two cores)`;
  const terminal = process.stdout.isTTY;
  const timer = setInterval(
    () => (terminal ? process.stdout.write(`\r${line()}\u001b[K`) : print(line())),
    terminal ? 500 : LOG_EVERY_MS,
  );
  return {
    seen(text) {
      packages += text.split('\n').filter((name) => /^[\w./-]+$/.test(name)).length;
    },
    stop() {
      clearInterval(timer);
      if (terminal) process.stdout.write('\r\u001b[K');
      print(`  ${program.name} took ${Math.round((Date.now() - started) / 1_000)} s`);
    },
  };
}

/** Compiles one command; `go build -v` tells each package on stderr. */
async function compile(program: Program, path: string, out: string, seen: (text: string) => void): Promise<void> {
  const tags = program.tags === undefined ? [] : ['-tags', program.tags];
  const child = spawn(
    'go',
    ['build', '-v', '-buildvcs=false', '-trimpath', '-ldflags=-s -w', ...tags, '-o', out, path],
    {
      cwd: moduleFolder(program),
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-20_000);
    seen(text);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    const lines = said.split('\n').filter((line) => !/^(go: downloading .*|[\w./-]+)$/.test(line));
    throw new Error(`${program.name} could not be built (go ended with ${code}):\n${lines.slice(-30).join('\n')}`);
  }
}

async function build(program: Program, print: (line: string) => void): Promise<void> {
  checkGo(program);
  const digest = digestOf(program);
  // Beside its place and moved there whole: a second build at the same time does not disturb.
  const beside = join(STACK_CACHE, 'bin', `.${program.name}-${process.pid}`);
  mkdirSync(beside, { recursive: true });
  const shown = progress(program, print);
  try {
    for (const [file, path] of program.commands) await compile(program, path, join(beside, file), shown.seen);
    for (const [file] of program.commands) renameSync(join(beside, file), binary(file));
    writeFileSync(stampOf(program), digest);
  } finally {
    shown.stop();
    rmSync(beside, { recursive: true, force: true });
  }
}

/**
 * Builds what is not there as its module files say. One after the other: a Go build takes all cores by itself.
 * @throws a sentence for people where Go is missing, too old, or the build fails
 */
export async function buildPrograms(programs: readonly Program[], print: (line: string) => void): Promise<void> {
  const missing = programs.filter((program) => !isCurrent(program));
  if (missing.length === 0) return;
  print(`Building ${missing.map(({ name }) => name).join(', ')} from pinned Go modules, once:`);
  for (const program of missing) await build(program, print);
}
