/**
 * Runs every scripts/generate-*.ts and fails where a file that it writes was not as it would write it. The new
 * contents stay in place, so the mend is to commit them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { outputs } from '../dashboards/generator/outputs.ts';
import { DEFAULTS } from '../dashboards/generator/settings.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What each generator writes. */
const OUTPUTS: Readonly<Record<string, readonly string[]>> = {
  'generate-version.ts': ['src/version.ts'],
  'generate-configuration-doc.ts': ['docs/configuration.md'],
  'generate-telemetry-doc.ts': ['docs/telemetry.md'],
  'generate-runbook-index.ts': ['docs/runbooks/README.md'],
  'generate-dashboards.ts': [...outputs(DEFAULTS).keys()].map((file) => `dashboards/${file}`),
};

const contents = (file: string): string | undefined =>
  existsSync(root + file) ? readFileSync(root + file, 'utf8') : undefined;

const problems: string[] = [];
for (const generator of readdirSync(`${root}scripts`).filter((file) => /^generate-.*\.ts$/.test(file))) {
  const outputs = OUTPUTS[generator];
  if (outputs === undefined) {
    problems.push(`scripts/${generator}: say in scripts/check-generated.ts what it writes`);
    continue;
  }
  const before = outputs.map(contents);
  const ran = spawnSync(process.execPath, [`scripts/${generator}`], { cwd: root, encoding: 'utf8' });
  if (ran.status !== 0) problems.push(`scripts/${generator} failed:\n${ran.stdout}${ran.stderr}`);
  for (const [index, file] of outputs.entries()) {
    const now = contents(file);
    if (now === undefined) problems.push(`${file}: scripts/${generator} did not write it`);
    else if (now !== before[index]) problems.push(`${file} was out of date; it is written anew: commit it`);
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
