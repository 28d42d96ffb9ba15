import type { Answer } from './answer.ts';
import { assertionOf } from './assertion.ts';
import type { Judgement, ModelSwitch, ProducerRef, ResentTokens, ToolCallSeen } from './judgement.ts';
import { producersOf } from './producers.ts';
import {
  type BlockRow,
  continuityOf,
  countBlocks,
  type Entry,
  type ReleasedBlock,
  toFindings,
  verdictOf,
} from './summary.ts';
import type { Culprit, Expectation, PrefixChange, Remark, Visibility } from './vocabulary.ts';

/** What judging a request against its history has left. */
export interface JudgedRequest {
  readonly rows: readonly BlockRow[];
  readonly others: readonly Entry[];
  readonly released: readonly ReleasedBlock[];
  /** So many of the first rows came back whole and have been counted. Absent: none. */
  readonly settled?: number;
  readonly sideline: boolean;
  readonly prefixChanged: PrefixChange;
}

/** The cycle that a request continues. */
export interface CycleSoFar {
  readonly open: boolean;
  /** Steps of it before this one. */
  readonly steps: number;
  readonly toolCalls: number;
}

/** One step, request and whatever has come of it, as its dialect has read it. */
export interface JudgedStep {
  /** As planned in the arm of an experiment. */
  readonly request: JudgedRequest;
  readonly cycle: CycleSoFar;
  readonly answer: Answer | undefined;
  /** Blocks that the response delivered. */
  readonly issued: number;
  readonly expectation: Expectation;
  readonly present: boolean | undefined;
  readonly visibility: Visibility | undefined;
  readonly mode: string | undefined;
  readonly modelSwitch: ModelSwitch | undefined;
  readonly rejection: string | undefined;
  readonly tokens: ResentTokens | undefined;
  readonly runId: string;
  /** Where the same request was refused before. */
  readonly refusedAt: ProducerRef | undefined;
  readonly toolCalls: readonly ToolCallSeen[];
  readonly remarks?: readonly Remark[];
  /** Whose code it was, where an entry does not say. */
  readonly culpritOf?: (entry: Entry) => Culprit | undefined;
}

/**
 * Counts a step and sums it up.
 * @param commit remembers what has been counted; done once, at the end of the call.
 */
export function toJudgement(step: JudgedStep, commit: boolean): Judgement {
  const { request, cycle, answer, expectation, present, visibility, mode, modelSwitch, rejection, tokens } = step;
  const { rows, others, released, settled = 0, sideline, prefixChanged } = request;
  const findings = toFindings(entriesOf(step));
  const { blocks, firstSeen } = countBlocks(rows, others, released, step.issued, commit, settled);
  const closes = cycle.open && answer?.complete === true && !answer.unfinished && step.toolCalls.length === 0;
  return {
    verdict: verdictOf(findings),
    continuity: continuityOf(blocks),
    findings,
    blocks,
    firstSeen,
    cycle: { state: cycle.open ? 'open' : 'closed', step: cycle.open ? cycle.steps + 1 : 1 },
    expectation: present === true && expectation === 'not_applicable' ? 'expected' : expectation,
    ...(present !== undefined && { present }),
    assertion: assertionOf(expectation, present),
    ...(visibility !== undefined && { visibility }),
    ...(mode !== undefined && { mode }),
    ...(modelSwitch !== undefined && { modelSwitch }),
    prefixChanged: sideline ? 'none' : prefixChanged,
    ...(rejection !== undefined && { rejection }),
    ...(tokens !== undefined && { tokens }),
    runId: step.runId,
    producers: producersOf(rows, step.refusedAt),
    toolCalls: step.toolCalls,
    ...(step.remarks !== undefined && step.remarks.length > 0 && { remarks: step.remarks }),
    ...(closes && { closedCycle: { steps: cycle.steps + 1, toolCalls: cycle.toolCalls } }),
  };
}

function entriesOf({ request, culpritOf }: JudgedStep): readonly Entry[] {
  const { rows, others, settled = 0 } = request;
  const entries: Entry[] = [];
  for (let i = settled; i < rows.length; i++) {
    const entry = rows[i]?.entry;
    if (entry !== undefined) entries.push(entry);
  }
  entries.push(...others);
  if (culpritOf === undefined) return entries;
  return entries.map((entry) => {
    const culprit = culpritOf(entry);
    return culprit === undefined ? entry : { ...entry, culprit };
  });
}
