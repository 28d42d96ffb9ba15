import type { DropReason, FindingKind, PrefixChange } from './continuity/vocabulary.ts';
import type { ApiName } from './dialects/dialect.ts';

/** One fault in plain words: what happened to the reasoning, and the change in the agent that mends it. */
export interface Advice {
  /** A few words, for a line of a list. */
  readonly title: string;
  /** `{blocks}` stands for the count with its noun, `2 reasoning blocks`. */
  readonly what: string;
  /** Absent where there is nothing to mend. */
  readonly mend?: string;
  /** Where one API has its own way to mend it. */
  readonly mendBy?: Partial<Readonly<Record<ApiName, string>>>;
}

type BrokenBy = Exclude<PrefixChange, 'none'>;
type AdviceKey = FindingKind | DropReason | `prefix_broken/${BrokenBy}` | 'dropped/sdk';

const ECHO_WHOLE = 'Append the assistant turn whole and in order, as it was received; never pick blocks by type.';
const ECHO_WHOLE_CLAUDE = `messages.push({ role: 'assistant', content: response.content }): the whole array, never a selection by type.`;
const ECHO_WHOLE_RESPONSES =
  'input.push(...response.output): every item with its id and encrypted_content; or chain by previous_response_id throughout.';
const ECHO_WHOLE_CHAT =
  'messages.push(choices[0].message) whole, with the members that the SDK has no type for: reasoning_content, reasoning_details.';
const ECHO_WHOLE_CONVERSE =
  'messages.push(response.output.message): the whole message, its `reasoningContent` with it.';
const ECHO_WHOLE_GENERATE =
  'contents.push(candidates[0].content) whole: every part as it came, its `thoughtSignature` with it, those of a stream too.';
const ECHO_WHOLE_INTERACTIONS =
  'Name the newest interaction in `previous_interaction_id` throughout, or send every step back, `thought` steps among them.';
const ECHO_WHOLE_BY = {
  'anthropic.messages': ECHO_WHOLE_CLAUDE,
  'openai.responses': ECHO_WHOLE_RESPONSES,
  'openai.chat': ECHO_WHOLE_CHAT,
  'bedrock.converse': ECHO_WHOLE_CONVERSE,
  'gemini.generateContent': ECHO_WHOLE_GENERATE,
  'gemini.interactions': ECHO_WHOLE_INTERACTIONS,
} as const;
const APPEND_ONLY =
  'Treat the history as append-only: system, tools and earlier messages stay as they were first sent.';

/**
 * Keyed by drop reason, by finding kind, for a broken prefix by the part that changed, and by whose code it was.
 * The mends are those of the providers' guides (platform.claude.com: build-with-claude/thinking, preserved-thinking,
 * mid-conversation-system-messages, context-editing, compaction; developers.openai.com: guides/reasoning,
 * guides/keep-prefix-unchanged; api-docs.deepseek.com: thinking_mode; ai.google.dev: gemini-api/docs/thought-signatures,
 * interactions).
 */
const ADVICE: Readonly<Record<AdviceKey, Advice>> = {
  // Left out by the client.
  omitted_in_cycle: {
    title: 'left out inside a tool loop',
    what: '{blocks} left out in the middle of a tool loop: the model cannot see why it called the tool.',
    mend: ECHO_WHOLE,
    mendBy: ECHO_WHOLE_BY,
  },
  omitted_after_cycle: {
    title: 'left out after the answer',
    what: '{blocks} of a finished answer left out, which this model would still have read.',
    mend: 'Keep earlier answers as they came; to shrink the history, use what the provider offers for it.',
    mendBy: {
      'anthropic.messages':
        'Keep earlier answers as they came; to shrink the history use context_management (clear_thinking) or compaction.',
      'openai.responses':
        'Keep earlier items as they came; to shrink the history use `responses.compact` or context_management.',
    },
  },
  partial_run: {
    title: 'only part of a row sent',
    what: '{blocks} left out of a row of reasoning blocks that is only valid whole.',
    mend: ECHO_WHOLE,
    mendBy: ECHO_WHOLE_BY,
  },
  seal_missing: {
    title: 'sent without its seal',
    what: '{blocks} sent back without the seal that makes reasoning valid.',
    mend: 'Store and send every member of a block as received, known or not; do not map blocks to a type of your own.',
    mendBy: {
      'anthropic.messages':
        'Store and send every member of a block as received, `signature` and `data` too; do not map blocks to a type of your own.',
      'openai.responses':
        'Store and send every member of an item as received, `encrypted_content` too; do not map items to a type of your own.',
      'openai.chat': 'Store and send every member of a message as received, signatures and `reasoning_details` too.',
      'gemini.generateContent':
        'Send parts as received: `thoughtSignature` stands beside `functionCall`, and is lost when a part is built anew.',
    },
  },
  redacted_filtered: {
    title: 'redacted block filtered out',
    what: '{blocks} left out: encrypted by the provider (redacted), yet part of the reasoning like any other.',
    mend: 'Forward the blocks you cannot read as well: append the whole turn rather than listing the types you know.',
  },
  empty_text_filtered: {
    title: 'empty-text block filtered out',
    what: '{blocks} left out: the text is empty, but the reasoning itself is in the seal.',
    mend: 'Do not filter on empty text: an empty block under a seal is a whole block.',
    mendBy: {
      'anthropic.messages':
        'Do not filter on empty `thinking`: with display "omitted" the `signature` holds the reasoning.',
    },
  },
  converted_to_text: {
    title: 'sent as ordinary text',
    what: '{blocks} sent again as ordinary text, which the model does not take for its own reasoning.',
    mend: 'Send reasoning back in its own block type, unchanged, or leave an unfinished block out.',
  },

  // Removed by the provider.
  model_mismatch: {
    title: 'unreadable for this model',
    what: '{blocks} kept from the model by the provider: it cannot read reasoning of the model that wrote it.',
    mend: 'Do not fall back to an older model inside a turn: retry the same model, or start the turn again on the other.',
  },
  prefix_mismatch: {
    title: 'history changed in front of it',
    what: '{blocks} kept from the model by the provider: something in front of the reasoning has changed.',
    mend: APPEND_ONLY,
    mendBy: {
      'openai.responses':
        '`tools`, `text.format` and earlier items stay as they were first sent; only ever append to `input`.',
    },
  },
  organization_mismatch: {
    title: 'of another account',
    what: '{blocks} kept from the model by the provider: another account produced the reasoning.',
    mend: 'Go on with the account that began the conversation, or link the two.',
  },
  end_user_mismatch: {
    title: 'of another end user',
    what: '{blocks} kept from the model by the provider: the reasoning was produced for another end user.',
    mend: 'Send the same end-user id through a whole conversation.',
  },
  missing_signature: {
    title: 'no signature',
    what: '{blocks} without the signature that the provider asks for.',
    mend: 'Store and send signatures with the part that they arrived on.',
  },

  // Planned.
  turn_boundary: {
    title: 'end of a turn',
    what: '{blocks} left behind at the end of a turn.',
  },
  context_edit: {
    title: 'context editing',
    what: '{blocks} cleared by the context editing that the request asked for.',
  },
  compaction: {
    title: 'compaction',
    what: '{blocks} replaced by a compaction.',
  },
  history_reset: {
    title: 'history begun anew',
    what: '{blocks} gone with a history that was begun anew.',
  },
  model_switch: {
    title: 'model switched',
    what: '{blocks} left out, which the new model could not have read.',
  },
  fallback: {
    title: 'fallback of the provider',
    what: '{blocks} left behind by a fallback of the provider.',
  },
  experiment: {
    title: 'experiment',
    what: '{blocks} left out by an experiment.',
  },
  unknown: {
    title: 'reason unknown',
    what: '{blocks} missing; the reason could not be told.',
    mend: ECHO_WHOLE,
  },

  // Findings without a drop reason.
  dropped: {
    title: 'missing',
    what: '{blocks} missing.',
    mend: ECHO_WHOLE,
    mendBy: ECHO_WHOLE_BY,
  },
  'dropped/sdk': {
    title: 'left out by a helper of the SDK',
    what: '{blocks} left out by a helper of the SDK, which sends only the members that it knows.',
    mend: 'Write the loop around `create` in place of the helper (`runTools`, `stream`), and push each message whole.',
  },
  foreign: {
    title: 'unreadable for this target',
    what: '{blocks} of another model, vendor or account, which this target cannot read.',
    mend: 'Do not switch inside a turn: retry the same model, or start the turn again without the old reasoning.',
  },
  edited: {
    title: 'changed on the way back',
    what: '{blocks} changed on the way back.',
    mend: 'Echo blocks byte for byte: no trimming, no re-encoding, no rewriting of text, ids or seals.',
    mendBy: {
      'bedrock.converse':
        'Send `signature` and `redactedContent` as they came: bytes as a Uint8Array, which JSON does not keep.',
      'openai.responses':
        'Take items from `response.output_item.done` or the final response, never from the added event, and send them unchanged.',
      'openai.chat':
        'Send the whole string, all pieces of a stream joined, unchanged and under the name of the member that it came in.',
    },
  },
  misplaced: {
    title: 'in the wrong place',
    what: '{blocks} sent back in another place than issued.',
    mend: 'Keep each block in the message, and at the position, in which it arrived.',
    mendBy: {
      'gemini.generateContent':
        'Keep each `thoughtSignature` on the part that it came with; join no signed part with another, in a stream neither.',
    },
  },
  reordered: {
    title: 'out of order',
    what: '{blocks} out of order.',
    mend: 'Send the blocks of an answer in the order in which they arrived.',
  },
  prefix_broken: {
    title: 'history changed in front of it',
    what: '{blocks} no longer valid: something in front has changed.',
    mend: APPEND_ONLY,
  },
  'prefix_broken/system': {
    title: 'system prompt changed',
    what: '{blocks} no longer valid: the system prompt has changed since.',
    mend: 'Leave the system prompt as it was; append a reminder as a new message at the end.',
    mendBy: {
      'anthropic.messages':
        'Leave `system` as it was; append the reminder to `messages` as { role: "system" }, which then stays there.',
    },
  },
  'prefix_broken/tools': {
    title: 'tools changed',
    what: '{blocks} no longer valid: the tool definitions have changed since.',
    mend: 'Declare all tools at the start of a run, or add them by the mechanism that the provider has for it.',
    mendBy: {
      'anthropic.messages':
        'Declare the tool at the start with `defer_loading: true`, or add it by a `tool_addition` block in a system message.',
      'openai.responses':
        'Declare all tools at the start and keep their order; `tool_choice` of type `allowed_tools` narrows them from step to step.',
    },
  },
  'prefix_broken/messages': {
    title: 'earlier messages changed',
    what: '{blocks} no longer valid: an earlier message has changed since.',
    mend: 'Only ever append to the history; to shrink it, use the compaction or context editing of the provider.',
    mendBy: {
      'anthropic.messages':
        'Only ever append to `messages`; to shrink the history use compaction or context_management, not your own edits.',
      'openai.responses':
        'Only ever append to `input`; to shrink the history use `responses.compact` or context_management, not your own edits.',
    },
  },
  'prefix_broken/config': {
    title: 'configuration changed',
    what: '{blocks} no longer valid: the configuration has changed since.',
    mend: 'Keep the reasoning configuration the same through a run.',
    mendBy: {
      'openai.responses': 'Keep `text.format` the same through a run.',
    },
  },
  trimmed: {
    title: 'gone with its message',
    what: '{blocks} gone together with the whole message.',
    mend: 'Fine once the turn is over; inside a turn use the compaction or context editing of the provider.',
  },
  carried: {
    title: 'carried for nothing',
    what: '{blocks} sent along, which this target has no use for.',
    mend: 'Once a tool loop has given its final answer, its reasoning need not be sent again.',
    mendBy: {
      'bedrock.converse': 'Leave `reasoningContent` out of what goes to a model that refuses it (Nova, DeepSeek).',
    },
  },
  unsigned_on_arrival: {
    title: 'arrived without a seal',
    what: '{blocks} arrived without a seal.',
    mend: 'Look at the gateway or proxy in between: it has to pass the seal on to the client.',
  },
  duplicated: {
    title: 'sent twice',
    what: '{blocks} sent twice.',
    mend: 'Append each answer once; look for a retry that appends again.',
  },
  merged: {
    title: 'answers joined',
    what: '{blocks} in answers that were joined into one.',
    mend: 'Keep each answer a message of its own.',
  },
  split: {
    title: 'answer cut up',
    what: '{blocks} in an answer that was cut up.',
    mend: 'Keep each answer in one message, as it arrived.',
  },
  split_results: {
    title: 'tool results split',
    what: 'The results of one batch of parallel tool calls came in several messages: the model learns to call one by one.',
    mend: 'Collect the results of all calls of an answer and send them in one user message.',
  },
  orphaned: {
    title: 'separated from its partner',
    what: '{blocks} separated from the item that belongs to it.',
    mend: 'Keep a reasoning item and the item after it together, ids on both or on neither.',
  },
  unsealed: {
    title: 'sent by id alone',
    what: '{blocks} sent by id alone, though the provider stored nothing.',
    mend: 'With storage off, ask for the encrypted content and send it back.',
    mendBy: {
      'openai.responses':
        "With `store: false`, ask for it by include: ['reasoning.encrypted_content'] and send it back with the item.",
    },
  },
  fabricated: {
    title: 'invented',
    what: '{blocks} that no answer contained.',
    mend: 'Never write reasoning or seals yourself; send only what was received.',
    mendBy: {
      'gemini.generateContent':
        'Send the `thoughtSignature` that was received; the documented bypass is for calls that this API never made.',
    },
  },
  mode_toggled: {
    title: 'thinking off mid-loop',
    what: 'Thinking was switched off in the middle of a tool loop: this step runs without reasoning.',
    mend: 'Keep the thinking configuration the same from the first tool call to the final answer.',
    mendBy: {
      'anthropic.messages':
        'Keep `thinking` the same from the first tool call to the final answer; change it at the next user message.',
      'openai.responses':
        'Keep `reasoning.effort` the same from the first tool call to the final answer; change it at the next user message.',
      'openai.chat': 'Keep the parameter that switches thinking the same from the first tool call to the final answer.',
      'gemini.generateContent': 'Keep `thinkingConfig` the same from the first function call to the final answer.',
    },
  },
};

export interface Fault {
  readonly kind: string;
  readonly count: number;
  readonly reason?: string | undefined;
  /** What changed in front of the reasoning, where that is known. */
  readonly prefixChanged?: string | undefined;
  readonly api?: ApiName | undefined;
  /** Whose code on the client's side. */
  readonly culprit?: string | undefined;
}

export interface Counsel {
  /** The row of the table, so that one fault is explained once. */
  readonly key: string;
  readonly title: string;
  readonly what: string;
  /** Absent where there is nothing to mend. */
  readonly mend?: string;
}

/** Whether the reason says less than the kind does. */
const tellsLess = (kind: string, reason: string): boolean =>
  reason === 'unknown' || (kind === 'trimmed' && reason === 'history_reset');

const row = (key: string): Advice | undefined => (Object.hasOwn(ADVICE, key) ? ADVICE[key as AdviceKey] : undefined);

/**
 * What to tell of one finding, by whose code it was, what changed in front of it, its reason or its kind: the first that
 * has a row.
 * Words that this version does not know are repeated as they are.
 */
export function adviceFor(fault: Fault): Counsel {
  const ofPrefix = fault.kind === 'prefix_broken' || fault.reason === 'prefix_mismatch';
  const keys = [
    ...(fault.culprit ? [`${fault.kind}/${fault.culprit}`] : []),
    ...(ofPrefix && fault.prefixChanged ? [`prefix_broken/${fault.prefixChanged}`] : []),
    ...(fault.reason && !tellsLess(fault.kind, fault.reason) ? [fault.reason] : []),
    fault.kind,
  ];
  const key = keys.find((one) => row(one)) ?? fault.kind;
  const words = [fault.kind, fault.reason].filter(Boolean).join(', ');
  const advice = row(key) ?? { title: words, what: `{blocks}: ${words}.`, mend: ECHO_WHOLE };
  const blocks = `${fault.count} reasoning block${fault.count === 1 ? '' : 's'}`;
  const mend = (fault.api && advice.mendBy?.[fault.api]) ?? advice.mend;
  return { key, title: advice.title, what: advice.what.replace('{blocks}', blocks), ...(mend ? { mend } : {}) };
}
