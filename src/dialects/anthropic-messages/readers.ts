import type { ResolvedModel } from './models.ts';

/**
 * Who can read whose blocks. Read 2026-11-30 from platform.claude.com build-with-claude/preserved-thinking and
 * models/fable-5-2. A pair that no page settles counts as readable.
 */
interface ReaderRow {
  /** Readers beside the producer itself, on every platform. */
  readonly readers: readonly string[];
  /** Readers on some platforms only. */
  readonly onlyOn?: Readonly<Record<string, readonly Platform[]>>;
  /** Models of which the pages say, or clearly imply, that they cannot read it: everything else is open. */
  readonly unreadableBy: 'all_others' | 'earlier' | readonly string[];
  /** Sources disagree on this row. */
  readonly disputed?: readonly Platform[];
}

/** Models that read nobody's blocks but their own, by the platform whose pages say so (AWS claude-messages-thinking-block-binding). */
const READS_OWN_ONLY: Readonly<Record<string, readonly Platform[]>> = { 'claude-haiku-5-5': ['bedrock'] };

export type Platform = 'anthropic' | 'bedrock' | 'vertex' | 'other';

/** Read every model before them that has no row of its own here. */
const PRESERVING = ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-fable-5-1', 'claude-mythos-5-1'];
const NEWEST = ['claude-fable-5-2', 'claude-mythos-5-2'];
const FABLE_51 = ['claude-fable-5-1', 'claude-mythos-5-1'];

const READERS: Readonly<Record<string, ReaderRow>> = {
  'claude-fable-5-2': { readers: NEWEST, unreadableBy: 'all_others' },
  'claude-mythos-5-2': { readers: NEWEST, unreadableBy: 'all_others' },
  'claude-fable-5-1': { readers: FABLE_51, unreadableBy: 'earlier' },
  'claude-mythos-5-1': { readers: FABLE_51, unreadableBy: 'earlier' },
  'claude-opus-5-5': {
    readers: [],
    onlyOn: { 'claude-fable-5-1': ['anthropic'], 'claude-mythos-5-1': ['anthropic'] },
    unreadableBy: 'earlier',
  },
  'claude-sonnet-5-5': {
    readers: [],
    onlyOn: { 'claude-opus-5-5': ['anthropic', 'vertex'] },
    unreadableBy: 'earlier',
  },
  'claude-haiku-5-5': {
    readers: [],
    onlyOn: { 'claude-opus-5-5': ['anthropic', 'vertex'], 'claude-sonnet-5-5': ['anthropic', 'vertex'] },
    unreadableBy: 'earlier',
    // The AWS page lets its blocks replay on any model.
    disputed: ['bedrock'],
  },
  'claude-opus-5': { readers: ['claude-opus-5-5', ...FABLE_51], unreadableBy: ['claude-sonnet-5-5'] },
  'claude-fable-5': { readers: FABLE_51, unreadableBy: ['claude-opus-5-5', 'claude-sonnet-5-5'] },
  'claude-mythos-5': { readers: FABLE_51, unreadableBy: ['claude-opus-5-5', 'claude-sonnet-5-5'] },
};

export interface Reading {
  readonly readable: boolean;
  /** A page says so; otherwise nobody has settled it. */
  readonly known: boolean;
}

const SETTLED: Reading = { readable: true, known: true };
const OPEN: Reading = { readable: true, known: false };

/** User rows: producer id → ids of models that read it; replaces the row of the table. */
export type ReaderRows = Readonly<Record<string, readonly string[]>>;

export function canRead(
  producer: ResolvedModel,
  reader: ResolvedModel,
  platform: Platform,
  extra: ReaderRows = {},
): Reading {
  if (producer.id === reader.id) return SETTLED;
  const own = extra[producer.id];
  if (own !== undefined) return { readable: own.includes(reader.id), known: true };
  if (READS_OWN_ONLY[reader.id]?.includes(platform)) return { readable: false, known: true };
  const row = READERS[producer.id];
  if (row === undefined) return PRESERVING.includes(reader.id) && producer.exact ? SETTLED : OPEN;
  if (reader.row === undefined || producer.row === undefined) return OPEN;
  if (row.readers.includes(reader.id)) return SETTLED;
  const platforms = row.onlyOn?.[reader.id];
  if (platforms !== undefined) {
    if (platforms.includes(platform)) return SETTLED;
    // Behind a proxy or gateway nobody can tell which platform answers.
    if (platform === 'other') return OPEN;
    return { readable: false, known: !(row.disputed?.includes(platform) ?? false) };
  }
  if (row.unreadableBy === 'all_others') return { readable: false, known: true };
  if (row.unreadableBy === 'earlier') {
    // The 5.2 family as reader of the 5.1 and 5.5 models is on no page.
    if (NEWEST.includes(reader.id) || !reader.exact) return OPEN;
    return { readable: false, known: !(row.disputed?.includes(platform) ?? false) };
  }
  return row.unreadableBy.includes(reader.id) ? { readable: false, known: true } : OPEN;
}

/** From the client class, the host, or the way in which a platform spells model ids. */
export function platformOf(provider: string | undefined, endpoint: string | undefined, model: string): Platform {
  const place = `${provider ?? ''} ${endpoint ?? ''}`.toLowerCase();
  if (/(^|\.)anthropic\./.test(model)) return 'bedrock';
  if (/^claude.*@/.test(model)) return 'vertex';
  if (/bedrock|amazonaws|aws/.test(place)) return 'bedrock';
  if (/vertex|googleapis|gcp/.test(place)) return 'vertex';
  return endpoint === undefined || /anthropic/.test(place) ? 'anthropic' : 'other';
}
