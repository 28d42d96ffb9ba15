/** Packs what would be published and lints its shape: fields and files (publint), types as each resolver sees them (attw). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'reasoning-otel-pack-'));

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}${error ?? ''}`);
}

try {
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  const [tarball] = readdirSync(folder);
  if (tarball === undefined) throw new Error('npm pack wrote no tarball');
  run('publint', [join(folder, tarball), '--strict']);
  // Resolution as before `exports` existed cannot see entry points: no Node that we support resolves so.
  run('attw', [join(folder, tarball), '--profile', 'node16', '--no-color', '--no-emoji']);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
