import type { Conflicts } from './conflicts.ts';
import type { Platform } from './platform.ts';

interface ReaderRow {
  /** Absent: every producer that no row above names. */
  readonly producers?: readonly string[];
  readonly yes: readonly string[];
  /** Platforms on which `yes` holds; absent = all. */
  readonly on?: readonly Platform[];
  readonly no?: readonly string[];
  /** Named, but nothing reliable published about them. */
  readonly unpublished?: readonly string[];
  /** What holds for every reader that the row does not name. */
  readonly rest: 'no' | 'unpublished';
}

const FAMILY_5_2 = ['claude-fable-5-2', 'claude-mythos-5-2'];
const FAMILY_5_1 = ['claude-fable-5-1', 'claude-mythos-5-1'];
const HAIKU_5_5 = 'claude-haiku-5-5';

/**
 * Whose reasoning a model may read. A block it may not read is left out, silently, without an error.
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking, read 2026-11-30.
 */
const READER_ROWS: readonly ReaderRow[] = [
  { producers: FAMILY_5_2, yes: FAMILY_5_2, rest: 'no' },
  { producers: FAMILY_5_1, yes: FAMILY_5_1, unpublished: [...FAMILY_5_2, HAIKU_5_5], rest: 'no' },
  {
    producers: ['claude-opus-5-5'],
    yes: FAMILY_5_1,
    on: ['claude'],
    unpublished: [...FAMILY_5_2, HAIKU_5_5],
    rest: 'no',
  },
  {
    producers: ['claude-sonnet-5-5'],
    yes: ['claude-opus-5-5'],
    on: ['claude', 'vertex'],
    unpublished: [...FAMILY_5_2, HAIKU_5_5],
    rest: 'no',
  },
  {
    producers: [HAIKU_5_5],
    yes: ['claude-opus-5-5', 'claude-sonnet-5-5'],
    on: ['claude', 'vertex'],
    unpublished: FAMILY_5_2,
    rest: 'no',
  },
  {
    producers: ['claude-opus-5'],
    yes: ['claude-opus-5-5', ...FAMILY_5_1],
    no: ['claude-sonnet-5-5'],
    rest: 'unpublished',
  },
  {
    producers: ['claude-fable-5', 'claude-mythos-5'],
    yes: FAMILY_5_1,
    no: ['claude-opus-5-5', 'claude-sonnet-5-5'],
    rest: 'unpublished',
  },
  { yes: ['claude-sonnet-5-5', 'claude-opus-5-5', ...FAMILY_5_1], rest: 'unpublished' },
];

export function mayRead(reader: string, producer: string, platform: Platform, conflicts: Conflicts): boolean {
  if (reader === producer) return true;
  if (platform === 'bedrock') {
    // Bedrock's own page: haiku-5-5 leaves foreign blocks out, and its blocks replay anywhere. The second contradicts
    // the table, which lists Claude API and Google Cloud only.
    if (reader === HAIKU_5_5) return false;
    if (producer === HAIKU_5_5) return conflicts.haikuBlocksOnBedrock === 'read';
  }
  const row = READER_ROWS.find(({ producers }) => producers === undefined || producers.includes(producer));
  if (row === undefined) return false;
  if (row.yes.includes(reader)) return row.on?.includes(platform) ?? true;
  if (row.no?.includes(reader)) return false;
  const unpublished = row.rest === 'unpublished' || row.unpublished?.includes(reader);
  return unpublished === true && conflicts.unpublishedReaders === 'read';
}
