/**
 * The lock file is whole: everything that an entry depends on, optional parts included, has an entry. npm leaves out
 * an optional package that its registry could not give, and every later `npm ci` refuses that lock file.
 */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Names = v.optional(v.record(v.string(), v.string()), {});
const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({
      dependencies: Names,
      optionalDependencies: Names,
      devDependencies: Names,
    }),
  ),
});

const file = new URL('../package-lock.json', import.meta.url);
const { packages } = v.parse(Lock, JSON.parse(readFileSync(file, 'utf8')));

/** Node's lookup: the nearest node_modules folder upwards that has the package. */
function isLocked(from: string, name: string): boolean {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (Object.hasOwn(packages, own)) return true;
  return from !== '' && isLocked(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

const missing: string[] = [];
for (const [from, entry] of Object.entries(packages)) {
  for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.devDependencies })) {
    // An installed package's own development dependencies are not locked; the project's own (from '') are.
    const isForeignDev = from !== '' && name in entry.devDependencies;
    if (!isForeignDev && !isLocked(from, name)) missing.push(`${from === '' ? 'package.json' : from} needs ${name}`);
  }
}
for (const line of missing) console.error(`package-lock.json has no entry: ${line}`);
if (missing.length > 0) process.exitCode = 1;
