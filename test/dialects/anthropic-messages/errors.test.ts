import { describe, expect, it } from 'vitest';
import { check, judge } from './check.ts';
import { openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL } from './models.ts';

/** Refusals are classed by the loosest stable fragment of their text; the words around it change. */

const rejectionOf = (status: number, message: string, model = KEEPS_ALL): string | undefined =>
  [...judge(openLoop(model).send().fails(status, message).steps).values()].at(-1)?.rejection;

const FRAGMENTS = {
  prefix: 'messages.1.content.0: This `thinking` block is bound to a different conversation than the one it is in.',
  signature: 'messages.1.content.0: Invalid `signature` in `thinking` block',
  latest:
    'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
  empty: 'messages.3.content.0.thinking: each thinking block must contain thinking',
  leading: 'messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  blockBinding: 'thinking.block_binding: Extra inputs are not permitted',
  noResult: 'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: c1.',
  strayResult: 'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: c9.',
  forcedTool: 'tool_choice: type "tool" and "any" are not supported with this model',
  systemPlace: "messages.3: role 'system' must follow a 'user' message",
  prefill: 'This model does not support assistant message prefill.',
  disabledFinal:
    'messages.3: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.',
  fieldMissing: 'messages.1.content.0.thinking.signature: Field required',
  otherMaker: 'The `content[].thinking` in the thinking mode must be passed back to the API.',
};

describe('every class has a name of its own', () => {
  it.each(Object.entries(FRAGMENTS))('%s', (_name, message) => {
    const rejection = rejectionOf(400, message);
    expect(rejection).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(rejection).not.toBe('unclassified');
  });

  it.each([
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" instead.',
    '"thinking.type.disabled" is not supported for this model.',
    'To turn thinking off on this model, use "between_tools".',
    '"thinking.type.between_tools" is not supported with this model.',
    'adaptive thinking is not supported on this model',
    'effort "xhigh" is not supported when thinking is disabled on this model',
    'effort cannot change when thinking is disabled',
  ])('configuration: %s', (message) => {
    expect(rejectionOf(400, message)).not.toBe('unclassified');
    expect(rejectionOf(400, message)).toBeDefined();
  });

  it('no two of the main classes share one', () => {
    const names = Object.values(FRAGMENTS).map((message) => rejectionOf(400, message));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('precedence and the rest', () => {
  it('a refusal of the prefix that also speaks of a signature is one of the prefix', () => {
    const both =
      'messages.1.content.0: Invalid `signature` in `thinking` block: the block is bound to a different conversation. ' +
      'Content that preceded this block when it was created is missing.';
    expect(rejectionOf(400, both, CHECKED)).toBe(rejectionOf(400, FRAGMENTS.prefix, CHECKED));
    expect(rejectionOf(400, FRAGMENTS.prefix, CHECKED)).toBe('prefix_mismatch');
  });

  it('the redacted variant of an invalid seal', () =>
    expect(rejectionOf(400, 'messages.1.content.0: Invalid `signature` in `redacted_thinking` block')).toBe(
      rejectionOf(400, FRAGMENTS.signature),
    ));

  it('words that no row knows are unclassified', () =>
    expect(rejectionOf(400, 'The moon is in the wrong house.')).toBe('unclassified'));

  it('not refused: no class', () => {
    const judged = judge(openLoop(KEEPS_ALL).send().steps);
    expect([...judged.values()].map(({ rejection }) => rejection)).toEqual([undefined, undefined, undefined]);
  });
});

describe('a refusal for another cause says nothing about the blocks', () => {
  it.each([
    FRAGMENTS.forcedTool,
    FRAGMENTS.systemPlace,
    FRAGMENTS.prefill,
    '"thinking.type.enabled" is not supported for this model.',
    'max_tokens: must be greater than thinking.budget_tokens',
    'The moon is in the wrong house.',
  ])('%s', (message) => check(openLoop(KEEPS_ALL).send().fails(400, message)));
});
