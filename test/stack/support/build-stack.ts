import { buildPrograms } from '../../../scripts/stack/build-programs.ts';
import { CHECKERS, PROGRAMS } from '../../../scripts/stack/programs.ts';

/** vitest's global setup: the real programs, built once. */
export async function setup(): Promise<void> {
  await buildPrograms([...PROGRAMS, ...CHECKERS], (line) => console.log(line));
}
