import type { ChildResult } from './run-child.ts';

/** How a process ended. Places in files differ with and without us; what is said does not. */
export const comparable = ({ code, signal, stdout, stderr }: ChildResult) => ({
  code,
  signal,
  stdout,
  stderr: stderr
    .split('\n')
    .filter((line) => !/^\s+at |^file:|^node:|^\s*\^|^\s*throw /.test(line))
    .join('\n')
    .replaceAll(/127\.0\.0\.1:\d+|date: [^\n]+|\d+ms|'[A-Z][a-z]{2}, \d\d [^']+GMT'/g, '…'),
});
