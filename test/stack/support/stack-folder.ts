import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for logs, queues and data. */
export function stackFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'reasoning-otel-stack-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
