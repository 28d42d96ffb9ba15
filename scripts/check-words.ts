/**
 * Looks through every tracked file, and dist/ where it is built, for what belongs to one machine or one person and
 * not to the project: local paths, registry hosts, credentials, notes that users cannot read.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  /** Files in which it may stand. */
  readonly except?: RegExp;
}

const RULES: readonly Rule[] = [
  { what: 'a path of one machine', pattern: /(?<![\w.-])\/(work|root|home|Users)\/[\w.-]+|[A-Z]:\\Users\\/ },
  {
    what: 'the host of a package registry',
    pattern: /https?:\/\/[^\s"']*(registry|npmjs|artifactory|verdaccio|nexus)[^\s"']*/i,
  },
  { what: 'a lock file entry tied to a host', pattern: /"resolved":\s*"http/ },
  {
    what: 'a credential',
    pattern: /sk-ant-[\w-]{40,}|AKIA[A-Z0-9]{16}|ghp_\w{36}|_authToken|-----BEGIN [A-Z ]*PRIVATE KEY/,
  },
  {
    what: 'a note that is not part of the project',
    pattern: /\bDESIGN(\.md)?\b|shared\/(protocols|reference|background|DESIGN)/,
  },
  { what: 'recorded cases that are not part of the project', pattern: /shared\/cases/, except: /^test\// },
  {
    what: 'a word on who wrote it',
    pattern: /co-authored-by|generated (with|by) (claude|chatgpt|copilot|an? (ai|llm)\b)/i,
  },
];

const root = fileURLToPath(new URL('../', import.meta.url));
const SELF = 'scripts/check-words.ts';

function files(): string[] {
  const listed = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  const tracked = listed.stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  const built = existsSync(join(root, 'dist')) ? readdirSync(join(root, 'dist')).map((file) => join('dist', file)) : [];
  return [...tracked, ...built].filter((file) => file !== SELF);
}

const found: string[] = [];
for (const file of files()) {
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    for (const rule of RULES) {
      if (rule.except?.test(file) !== true && rule.pattern.test(line)) {
        found.push(`${file}:${index + 1}: ${rule.what}: ${line.trim().slice(0, 120)}`);
      }
    }
  }
}
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
