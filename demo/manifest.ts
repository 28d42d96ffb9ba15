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
  /** Model calls, and blocks summed over their requests: expected, returned, dropped, damaged. */
  readonly totals: readonly [calls: number, expected: number, returned: number, dropped: number, damaged: number];
}

export const HARNESSES: readonly Harness[] = [
  { name: 'healthy', title: 'every answer goes back whole', losses: [], totals: [4, 6, 6, 0, 0] },
  {
    name: 'filter-by-type',
    title: 'only the tool calls are sent back',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    totals: [7, 21, 0, 21, 0],
  },
  {
    name: 'redacted-dropped',
    title: 'blocks that cannot be read are not sent back',
    losses: ['dropped'],
    reasons: ['redacted_filtered'],
    refused: 'latest_message_edited',
    totals: [2, 2, 1, 1, 0],
  },
  {
    name: 'empty-text-dropped',
    title: 'blocks without text are not sent back',
    losses: ['dropped'],
    reasons: ['empty_text_filtered'],
    refused: 'latest_message_edited',
    totals: [2, 2, 1, 1, 0],
  },
  {
    name: 're-serialised',
    title: 'the history goes through a store that does not know signatures',
    losses: ['edited'],
    reasons: ['seal_missing'],
    refused: 'member_missing',
    totals: [2, 1, 0, 0, 1],
  },
  {
    name: 'reminder-in-system',
    title: 'a reminder is appended to the system prompt',
    losses: ['prefix_broken'],
    reasons: ['prefix_mismatch'],
    totals: [7, 21, 0, 21, 0],
  },
  {
    name: 'tool-added',
    title: 'a tool is added in the middle of a run',
    losses: ['prefix_broken'],
    refused: 'prefix_mismatch',
    totals: [2, 1, 0, 0, 1],
  },
  {
    name: 'thinking-toggled',
    title: 'thinking is switched off between call and result',
    losses: ['mode_toggled'],
    totals: [7, 6, 6, 0, 0],
  },
  {
    name: 'downgrade-fallback',
    title: 'an overload makes it fall back to an older model',
    losses: ['foreign'],
    reasons: ['model_mismatch'],
    totals: [6, 11, 7, 4, 0],
  },
  {
    name: 'history-summarised',
    title: 'older messages are replaced by a summary',
    losses: ['prefix_broken'],
    notes: ['trimmed'],
    refused: 'prefix_mismatch',
    totals: [3, 2, 1, 0, 1],
  },
  {
    name: 'carried-for-ever',
    title: 'the reasoning of finished tasks is carried along',
    losses: [],
    carries: true,
    totals: [8, 28, 28, 0, 0],
  },
  {
    name: 'split-results',
    title: 'the results of parallel calls are sent one by one',
    losses: ['split_results'],
    totals: [4, 6, 6, 0, 0],
  },
  {
    name: 'responses-healthy',
    title: 'OpenAI Responses: every item goes back whole',
    losses: [],
    totals: [4, 6, 6, 0, 0],
  },
  {
    name: 'responses-filtered',
    title: 'OpenAI Responses: only the tool calls are sent back',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    totals: [7, 21, 0, 21, 0],
  },
  {
    name: 'responses-ids-stripped',
    title: 'OpenAI Responses: calls lose their ids, reasoning keeps them',
    losses: ['orphaned'],
    refused: 'follower_missing',
    totals: [2, 1, 1, 0, 0],
  },
  {
    name: 'responses-added-event',
    title: 'OpenAI Responses: reasoning is taken from the stream before it is done',
    losses: ['edited'],
    refused: 'encrypted_content_invalid',
    totals: [2, 1, 0, 0, 1],
  },
  {
    name: 'responses-chain-restarted',
    title: 'OpenAI Responses: previous_response_id is lost in the middle of a run',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    totals: [5, 10, 4, 6, 0],
  },
  {
    name: 'responses-tools-changed',
    title: 'OpenAI Responses: a tool is added in the middle of a run',
    losses: ['prefix_broken'],
    reasons: ['prefix_mismatch'],
    totals: [5, 10, 6, 4, 0],
  },
  { name: 'chat-healthy', title: 'Chat Completions: reasoning_content goes back', losses: [], totals: [4, 6, 6, 0, 0] },
  {
    name: 'chat-run-tools',
    title: 'Chat Completions: the runner of the SDK leaves reasoning_content out',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    refused: 'reasoning_missing',
    totals: [2, 1, 0, 1, 0],
  },
  { name: 'gemini-healthy', title: 'Gemini: a chat of the SDK', losses: [], totals: [4, 6, 6, 0, 0] },
  {
    name: 'gemini-automatic',
    title: 'Gemini: automatic function calling',
    losses: [],
    totals: [4, 6, 6, 0, 0],
  },
  {
    name: 'gemini-rebuilt',
    title: 'Gemini: calls are rebuilt from their names and arguments',
    losses: ['dropped'],
    reasons: ['seal_missing'],
    refused: 'missing_thought_signature',
    totals: [2, 1, 0, 1, 0],
  },
  {
    name: 'gemini-bypass',
    title: 'Gemini: a bypass value stands in the place of the signature',
    losses: ['dropped', 'fabricated'],
    reasons: ['seal_missing'],
    totals: [7, 21, 0, 21, 0],
  },
  {
    name: 'gemini-stream-joined',
    title: 'Gemini: the chunks of a stream are joined, the signature goes to the text',
    losses: ['misplaced'],
    refused: 'missing_thought_signature',
    totals: [2, 1, 0, 0, 1],
  },
  {
    name: 'gemini-thinking-off',
    title: 'Gemini: thinking is switched off between call and result',
    losses: ['mode_toggled'],
    totals: [7, 6, 6, 0, 0],
  },
  {
    name: 'interactions-healthy',
    title: 'Gemini Interactions: each names the one before it',
    losses: [],
    totals: [4, 6, 6, 0, 0],
  },
  {
    name: 'interactions-restarted',
    title: 'Gemini Interactions: previous_interaction_id is lost in the middle of a run',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    totals: [5, 10, 4, 6, 0],
  },
  {
    name: 'bedrock-healthy',
    title: 'Bedrock Converse: every message goes back whole',
    losses: [],
    totals: [4, 6, 6, 0, 0],
  },
  {
    name: 'bedrock-filtered',
    title: 'Bedrock Converse: only text and tool calls are sent back',
    losses: ['dropped'],
    reasons: ['omitted_in_cycle'],
    totals: [7, 21, 0, 21, 0],
  },
  {
    name: 'bedrock-bytes-mangled',
    title: 'Bedrock Converse: bytes go through JSON',
    losses: ['edited'],
    refused: 'malformed',
    totals: [2, 2, 1, 0, 1],
  },
  {
    name: 'bedrock-nova-carried',
    title: 'Bedrock Converse: reasoning is sent to a model that refuses it',
    losses: ['carried'],
    refused: 'reasoning_refused',
    totals: [2, 0, 0, 0, 0],
  },
];
