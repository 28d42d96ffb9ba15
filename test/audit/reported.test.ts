import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { casesIn, judgeEach } from './case-folder.ts';

/** More failures and false alarms from public reports (`source`), rebuilt by the contract of verdicts alone. */
const cases = casesIn(fileURLToPath(new URL('./reported/', import.meta.url)));

describe('cases from public reports', () => judgeEach(cases));
