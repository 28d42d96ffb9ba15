import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RuleCase, renderCase } from './rule-case.ts';

/** Rules by the name of their file. */
export type RuleFiles = Readonly<Record<string, string>>;

export interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs one case against rules, as they are or mutated. */
export async function runPromtool(promtool: string, rules: RuleFiles, ruleCase: RuleCase): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'reasoning-promtool-'));
  const write = (file: string, text: string): string => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return path;
  };
  const files = Object.entries(rules).map(([file, text]) => write(file, text));
  const test = write('case.yaml', renderCase(ruleCase, files));
  try {
    return await new Promise((resolve) => {
      execFile(promtool, ['test', 'rules', test], { encoding: 'utf8' }, (error, stdout, stderr) =>
        resolve({ passed: error === null, output: `${stdout}${stderr}` }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
