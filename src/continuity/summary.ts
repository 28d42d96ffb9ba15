import type { Answer, IssuedBlock } from './answer.ts';
import type { BlockCounts, Finding, FirstSeen, KindCount, ReasonCount } from './judgement.ts';
import type {
  Certainty,
  Continuity,
  Culprit,
  CycleState,
  DropReason,
  FindingKind,
  Severity,
  Source,
  Verdict,
} from './vocabulary.ts';

/** One damage, drop or note, before equal ones are counted together. */
export interface Entry {
  readonly kind: FindingKind;
  readonly count: number;
  readonly source: Source;
  readonly reason?: DropReason;
  readonly path: string;
  readonly cycle: CycleState;
  readonly severity: Severity;
  readonly certainty: Certainty;
  readonly answer?: Answer;
  readonly culprit?: Culprit;
}

/** One issued block that a request owes, and what became of it. */
export interface BlockRow {
  readonly block: IssuedBlock;
  readonly cycle: CycleState;
  /** Where it stands. A function, because hardly any place is ever told. */
  readonly path: () => string;
  /** Undefined: it came back whole. */
  entry: Entry | undefined;
}

/** A block that left as planned: counted as released, without a word. */
export interface ReleasedBlock {
  readonly block: IssuedBlock;
  readonly reason: DropReason;
}

/** Equal entries become one finding, at the first place where one was found; losses come first. */
export function toFindings(entries: readonly Entry[]): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const entry of entries) {
    const { kind, source, reason, cycle, severity, certainty, culprit } = entry;
    const key = [kind, source, reason, cycle, severity, certainty, culprit].join();
    const known = found.get(key);
    const { answer, ...rest } = entry;
    const producer = answer?.producer;
    const tokens = kind === 'carried' ? tokensOf(entry) : undefined;
    if (known !== undefined) {
      found.set(key, {
        ...known,
        count: known.count + entry.count,
        ...(tokens !== undefined && { tokens: (known.tokens ?? 0) + tokens }),
      });
      continue;
    }
    found.set(key, {
      ...rest,
      ...(producer !== undefined && { producer }),
      ...(tokens !== undefined && { tokens }),
    });
  }
  return [...found.values()].sort((x, y) => Number(x.severity === 'note') - Number(y.severity === 'note'));
}

/** Estimate: the answer's reasoning tokens, for as many of its blocks. Undefined where they are not reported. */
function tokensOf({ answer, count }: Entry): number | undefined {
  if (answer?.reasoningTokens === undefined || answer.blocks.length === 0) return undefined;
  return Math.round((answer.reasoningTokens * count) / answer.blocks.length);
}

export function verdictOf(findings: readonly Finding[]): Verdict {
  if (findings.length === 0) return 'clean';
  return findings.some((finding) => finding.severity === 'loss') ? 'finding' : 'note';
}

type Fate = 'returned' | 'damaged' | 'dropped' | 'released' | 'ignored';

/** What a row counts as. A note about a block means that nothing was owed: it is released, or not counted at all. */
export function fateOf({ entry }: BlockRow): Fate {
  if (entry === undefined) return 'returned';
  const gone = entry.kind === 'dropped' || entry.kind === 'converted_to_text' || entry.kind === 'trimmed';
  if (entry.severity === 'note') return gone ? 'released' : 'ignored';
  return gone || (entry.source === 'server' && entry.reason !== undefined) ? 'dropped' : 'damaged';
}

export function continuityOf({ expected, returned }: Pick<BlockCounts, 'expected' | 'returned'>): Continuity {
  if (expected === 0) return 'not_applicable';
  if (returned === expected) return 'intact';
  return returned === 0 ? 'stripped' : 'partial';
}

export interface Counts {
  readonly blocks: BlockCounts;
  readonly firstSeen: FirstSeen;
}

/**
 * Counts of one request, and what metrics have not counted yet.
 * @param commit remembers the latter as counted; done once, at the end of the call.
 * @param settled so many of the first rows came back whole and have been counted: they are taken at that.
 */
export function countBlocks(
  rows: readonly BlockRow[],
  others: readonly Entry[],
  planned: readonly ReleasedBlock[],
  issued: number,
  commit: boolean,
  settled = 0,
): Counts {
  const fates = { returned: settled, damaged: 0, dropped: 0, released: 0, ignored: 0 };
  let newExpected = 0;
  let newReturned = 0;
  let newlyDropped = 0;
  const dropped = createTally<ReasonCount>();
  const released = createTally<ReasonCount>();
  const findings = createTally<KindCount>();

  const release = (block: IssuedBlock, reason: DropReason, source: Source): void => {
    if (block.counted.released || block.counted.dropped) return;
    released.add({ reason, source, count: 1 });
    if (commit) block.counted.released = true;
  };
  for (let i = settled; i < rows.length; i++) {
    const row = rows[i] as BlockRow;
    const { block, entry } = row;
    const { counted } = block;
    if (entry === undefined && counted.expected && counted.returned) {
      fates.returned++;
      continue;
    }
    const fate = fateOf(row);
    fates[fate]++;
    if (fate === 'released') release(block, entry?.reason ?? 'unknown', entry?.source ?? 'client');
    else if (fate !== 'ignored') {
      if (!counted.expected) newExpected++;
      if (fate === 'returned' && !counted.returned) newReturned++;
      if (fate === 'dropped' && !counted.dropped) {
        newlyDropped++;
        dropped.add({ reason: entry?.reason ?? 'unknown', source: entry?.source ?? 'client', count: 1 });
      }
      if (commit) {
        counted.expected = true;
        if (fate === 'returned') counted.returned = true;
        if (fate === 'dropped') counted.dropped = true;
      }
    }
    if (entry !== undefined && !counted.kinds.has(entry.kind)) {
      findings.add({ kind: entry.kind, source: entry.source, count: 1 });
      if (commit) counted.kinds.add(entry.kind);
    }
  }
  for (const { block, reason } of planned) release(block, reason, 'client');
  for (const { kind, source, count, answer } of others) {
    const before = answer?.counted.get(kind) ?? 0;
    if (count > before) findings.add({ kind, source, count: count - before });
    if (commit) answer?.counted.set(kind, Math.max(before, count));
  }
  const { returned, damaged } = fates;
  return {
    blocks: {
      issued,
      expected: returned + damaged + fates.dropped,
      returned,
      dropped: fates.dropped,
      damaged,
      newlyDropped,
    },
    firstSeen: {
      expected: newExpected,
      returned: newReturned,
      dropped: dropped.rows(),
      released: released.rows(),
      findings: findings.rows(),
    },
  };
}

/** Adds up rows that differ in nothing but their count. */
function createTally<T extends { readonly count: number }>(): { add(row: T): void; rows(): readonly T[] } {
  const rows = new Map<string, T>();
  return {
    add(row) {
      const { count, ...labels } = row;
      const key = Object.values(labels).join();
      const known = rows.get(key);
      rows.set(key, known === undefined ? row : { ...known, count: known.count + count });
    },
    rows: () => [...rows.values()],
  };
}
