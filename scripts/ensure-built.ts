/**
 * Builds dist/ where it does not stand for the sources as they are now. Tests and the demo start children on
 * the built package, so that what is tried is what would be published. Also vitest's global setup.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
const cache = join(root, '.cache');
const stamp = join(cache, 'dist-sources');
const lock = join(cache, 'build.lock');
/** A lock older than this was left by a process that died. */
const LOCK_LIFE_MS = 120_000;

/** Digest of everything that the build reads; contents rather than times, which a checkout changes. */
function sourcesDigest(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of [...sources, ...['package.json', 'tsconfig.json', 'tsdown.config.ts'].map((f) => join(root, f))]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function isCurrent(): boolean {
  try {
    return statSync(dist).isDirectory() && readFileSync(stamp, 'utf8') === sourcesDigest();
  } catch {
    return false;
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    try {
      if (Date.now() - statSync(lock).mtimeMs > LOCK_LIFE_MS) rmSync(lock, { recursive: true, force: true });
    } catch {
      // The holder has just let go of it.
    }
    return false;
  }
}

/**
 * Makes dist/ current. Two runs at a time do not disturb one another: the build goes to a folder beside and is
 * moved in whole.
 * @throws where the sources do not build; dist/ is then gone, so that nothing old is mistaken for new.
 */
export async function ensureBuilt(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  while (!isCurrent()) {
    if (!takeLock()) {
      await sleep(200);
      continue;
    }
    try {
      const digest = sourcesDigest();
      const next = join(cache, 'dist-next');
      const tsdown = join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
      const built = spawnSync(process.execPath, [tsdown, '--out-dir', next, '--logLevel', 'warn'], {
        cwd: root,
        encoding: 'utf8',
      });
      rmSync(dist, { recursive: true, force: true });
      if (built.status !== 0) throw new Error(`dist/ could not be built:\n${built.stdout}${built.stderr}`);
      renameSync(next, dist);
      writeFileSync(stamp, digest);
      return;
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

const report = (error: unknown): void => console.error(error instanceof Error ? error.message : String(error));

/** vitest's global setup. A failed build fails the tests that need dist/, not those that do not. */
export async function setup(): Promise<void> {
  await ensureBuilt().catch(report);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureBuilt().catch((error: unknown) => {
    report(error);
    process.exitCode = 1;
  });
}
