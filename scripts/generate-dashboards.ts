/**
 * `npm run dashboards`: writes boards, rules and provisioning files to dashboards/, or with a team's own addresses and
 * severities to a folder of its own: `npm run dashboards -- --out my-boards --runbook-url 'https://wiki/{page}'`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputs } from '../dashboards/generator/outputs.ts';
import { ALERTS } from '../dashboards/generator/rules/alerts.ts';
import { readSettings } from '../dashboards/generator/settings.ts';

try {
  const { settings, out } = readSettings(
    process.argv.slice(2),
    ALERTS.map(({ name }) => name),
  );
  const folder = out === undefined ? fileURLToPath(new URL('../dashboards/', import.meta.url)) : resolve(out);
  for (const [file, text] of outputs(settings)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
