import type { DropReason, FindingKind } from '../src/continuity/vocabulary.ts';

/** One agent loop of the demo, and what is known to be wrong with it. */
export interface Harness {
  /** The file in harnesses/, and the service name under which it reports, `demo-` in front. */
  readonly name: string;
  readonly title: string;
  /** Findings that are losses; none for a loop that is sound. */
  readonly losses: readonly FindingKind[];
  readonly notes?: readonly FindingKind[];
  /** Why blocks were dropped. */
  readonly reasons?: readonly DropReason[];
  /** Class of the refusal that ends the run. */
  readonly refused?: string;
  /** Reasoning of finished turns is sent again. */
  readonly carries?: true;
}

export const HARNESSES: readonly Harness[] = [
  { name: 'healthy', title: 'every answer goes back whole', losses: [] },
  {
    name: 'filter-by-type',
    title: 'only the tool calls are sent back',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
  },
  {
    name: 'redacted-dropped',
    title: 'blocks that cannot be read are not sent back',
    losses: ['dropped'],
    reasons: ['redacted_filtered'],
    refused: 'latest_message_edited',
  },
  {
    name: 'empty-text-dropped',
    title: 'blocks without text are not sent back',
    losses: ['dropped'],
    reasons: ['empty_text_filtered'],
  },
  {
    name: 're-serialised',
    title: 'the history goes through a store that does not know signatures',
    losses: ['edited'],
    reasons: ['seal_missing'],
    refused: 'member_missing',
  },
  {
    name: 'reminder-in-system',
    title: 'a reminder is appended to the system prompt',
    losses: ['prefix_broken'],
    reasons: ['prefix_mismatch'],
  },
  {
    name: 'tool-added',
    title: 'a tool is added in the middle of a run',
    losses: ['prefix_broken'],
    refused: 'prefix_mismatch',
  },
  {
    name: 'thinking-toggled',
    title: 'thinking is switched off between call and result',
    losses: ['mode_toggled'],
  },
  {
    name: 'downgrade-fallback',
    title: 'an overload makes it fall back to an older model',
    losses: ['foreign'],
    reasons: ['model_mismatch'],
  },
  {
    name: 'history-summarised',
    title: 'older messages are replaced by a summary',
    losses: ['prefix_broken'],
    notes: ['trimmed'],
    refused: 'prefix_mismatch',
  },
  {
    name: 'carried-for-ever',
    title: 'the reasoning of finished tasks is carried along',
    losses: [],
    carries: true,
  },
  {
    name: 'split-results',
    title: 'the results of parallel calls are sent one by one',
    losses: ['split_results'],
  },
];
