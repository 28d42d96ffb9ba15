import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { replay } from '../../src/audit/replay.ts';
import { kindReport } from '../../src/audit/report-json.ts';
import { isFault, readTranscript } from '../../src/audit/transcript.ts';
import { dialects } from '../../src/dialects/index.ts';

interface Expectation {
  readonly step?: number;
  readonly verdict: string;
  readonly report: Readonly<Record<string, number>>;
}
interface Case {
  readonly steps: readonly { readonly api: string; readonly request?: unknown }[];
  readonly expect: Expectation | readonly Expectation[];
}

/** The cases of a folder by file name, in order; none where the folder is absent. */
export function casesIn(folder: string): [string, Case][] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => [name, JSON.parse(readFileSync(folder + name, 'utf8'))]);
}

/** What is expected of every request: those that the case does not name are clean. */
function expected(one: Case): Record<number, Omit<Expectation, 'step'>> {
  const asked = one.steps.flatMap((step, index) => (step.request === undefined ? [] : [index]));
  const wanted = Object.fromEntries(
    asked.map((index) => [index, { verdict: 'clean', report: {} } as Omit<Expectation, 'step'>]),
  );
  for (const { step = asked.at(-1) ?? 0, verdict, report } of [one.expect].flat()) wanted[step] = { verdict, report };
  return wanted;
}

/** A test for each case: the report and the verdict of every request equal what the case expects. */
export function judgeEach(cases: readonly [string, Case][]): void {
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
}
