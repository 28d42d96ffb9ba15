/**
 * node count-tests.mjs files RESULTS: the test files that failed, one a line.
 * node count-tests.mjs count FAILURES RESULTS [AGAIN]: prints "passed failed", test by test, and adds what failed to the
 * list, with what it said. AGAIN holds the results of files that were run a second time: they take the place of the
 * first ones, and what failed only then is listed as unstable. A file that could not be loaded counts as one failure.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).testResults;
const nameOf = (file) => file.name.replace(`${process.cwd()}/`, '');
const LONGEST = 2_000;

/** What failed in a file, by name. */
function failuresOf(file) {
  if (file.status !== 'failed') return new Map();
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0) return new Map([[nameOf(file), file.message]]);
  return new Map(tests.map((test) => [`${nameOf(file)} > ${test.fullName}`, test.failureMessages.join('\n')]));
}

const [what, ...args] = process.argv.slice(2);
if (what === 'files') {
  const [results] = args;
  for (const file of read(results)) if (file.status === 'failed') process.stdout.write(`${nameOf(file)}\n`);
} else {
  const [list, results, again] = args;
  const second = new Map((again ? read(again) : []).map((file) => [file.name, file]));
  let passed = 0;
  let failed = 0;
  const add = (word, name, said) => appendFileSync(list, `${word} ${name}\n${said.slice(0, LONGEST)}\n`);
  for (const first of read(results)) {
    const file = second.get(first.name) ?? first;
    passed += file.assertionResults.filter(({ status }) => status === 'passed').length;
    const failures = failuresOf(file);
    failed += failures.size;
    for (const [name, said] of failures) add('FAILED', name, said);
    for (const [name, said] of failuresOf(first)) if (!failures.has(name)) add('UNSTABLE', name, said);
  }
  process.stdout.write(`${passed} ${failed}\n`);
}
