import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/audit/replay.ts';
import { kindReport } from '../../src/audit/report-json.ts';
import { isFault, readTranscript } from '../../src/audit/transcript.ts';
import { dialects } from '../../src/dialects/index.ts';

/** Real failures, rebuilt as small transcripts; the folder lies beside the repository where it is at hand. */
const CASES = fileURLToPath(new URL('../../../shared/cases/', import.meta.url));

interface Expectation {
  readonly step?: number;
  readonly verdict: string;
  readonly report: Readonly<Record<string, number>>;
}
interface Case {
  readonly steps: readonly { readonly api: string; readonly request?: unknown }[];
  readonly expect: Expectation | readonly Expectation[];
}

const names = existsSync(CASES) ? readdirSync(CASES).filter((name) => name.endsWith('.json')) : [];
const cases = names.sort().map((name): [string, Case] => [name, JSON.parse(readFileSync(CASES + name, 'utf8'))]);

/** What is expected of every request: those that the case does not name are clean. */
function expected(one: Case): Record<number, Omit<Expectation, 'step'>> {
  const asked = one.steps.flatMap((step, index) => (step.request === undefined ? [] : [index]));
  const wanted = Object.fromEntries(
    asked.map((index) => [index, { verdict: 'clean', report: {} } as Omit<Expectation, 'step'>]),
  );
  for (const { step = asked.at(-1) ?? 0, verdict, report } of [one.expect].flat()) wanted[step] = { verdict, report };
  return wanted;
}

describe.skipIf(cases.length === 0)('the case folder', () => {
  it.for(cases)('%s', ([, one]) => {
    const read = readTranscript(one);
    if (isFault(read)) throw new Error(JSON.stringify(read));
    const { steps, problems } = replay(read, dialects);
    expect(problems).toEqual([]);
    const found = steps.map((step) =>
      'unjudged' in step
        ? [step.step, step.unjudged]
        : [step.step, { verdict: step.judgement.verdict, report: kindReport(step.judgement.findings) }],
    );
    expect(Object.fromEntries(found)).toEqual(expected(one));
  });
});

// Said in the list of tests, so that an absent folder is not mistaken for a passed one.
describe.skipIf(cases.length > 0)('the case folder is not beside this repository', () => {
  it.skip('cases', () => {});
});
