import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { casesIn, judgeEach } from './case-folder.ts';

/** Real failures, rebuilt as small transcripts; the folder lies beside the repository where it is at hand. */
const cases = casesIn(fileURLToPath(new URL('../../../shared/cases/', import.meta.url)));

describe.skipIf(cases.length === 0)('the case folder', () => judgeEach(cases));

// Said in the list of tests, so that an absent folder is not mistaken for a passed one.
describe.skipIf(cases.length > 0)('the case folder is not beside this repository', () => {
  it.skip('cases', () => {});
});
