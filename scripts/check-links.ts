/** Every relative link and picture in a tracked Markdown file leads to a file, and its fragment to a heading there. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const LINK = /\]\(([^()\s]+)\)/g;

/** As GitHub names a heading: lower case, blanks to hyphens, punctuation gone. */
const fragmentOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const headings = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => fragmentOf(text));

const { stdout } = spawnSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' });
const broken: string[] = [];
for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
  for (const [, link = ''] of readFileSync(join(root, file), 'utf8').matchAll(LINK)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, target))) broken.push(`${file}: ${link} leads nowhere`);
    else if (fragment !== undefined && !headings(target).includes(fragment)) {
      broken.push(`${file}: ${link}: ${target} has no such heading`);
    }
  }
}
for (const line of broken) console.error(line);
if (broken.length > 0) process.exitCode = 1;
