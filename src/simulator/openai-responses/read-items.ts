import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, missing, unknownParameter } from '../openai/api-failure.ts';
import type { ResponsesConflicts } from './conflicts.ts';
import { type PlacedItem, typeOf } from './items.ts';

/** Members of an item that may be sent. Types that are not listed take anything. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'id', 'role', 'content', 'status', 'phase'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'caller', 'async'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status', 'name', 'namespace', 'caller'],
  custom_tool_call: ['type', 'id', 'call_id', 'name', 'input', 'status', 'namespace', 'caller', 'async'],
  custom_tool_call_output: ['type', 'id', 'call_id', 'output', 'status', 'caller'],
  compaction: ['type', 'id', 'encrypted_content'],
  item_reference: ['type', 'id'],
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content'],
  reasoning: ['summary'],
  function_call: ['call_id', 'name', 'arguments'],
  function_call_output: ['call_id', 'output'],
  custom_tool_call: ['call_id', 'name', 'input'],
  custom_tool_call_output: ['call_id', 'output'],
  compaction: ['encrypted_content'],
  item_reference: ['id'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  output_text: ['type', 'text', 'annotations', 'logprobs', 'prompt_cache_breakpoint'],
  refusal: ['type', 'refusal'],
};
const ID_PREFIX: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  compaction: 'cmp',
};
const MAX_ID_LENGTH = 64;

/** Gives every item its path and checks the members it must have and may have. */
export function readItems(input: unknown, conflicts: ResponsesConflicts): PlacedItem[] | ApiFailure {
  if (typeof input === 'string') {
    const item = { type: 'message', role: 'user', content: input };
    return [{ item, type: 'message', path: 'input', stored: false }];
  }
  const placed: PlacedItem[] = [];
  for (const [index, item] of asList(input).entries()) {
    const param = `input[${index}]`;
    if (!isWire(item)) return failure(`Invalid type for '${param}': expected an input item.`, { param });
    const type = typeOf(item);
    if (type === '') return missing(`${param}.type`);
    const refusal = checkMembers(item, type, param, conflicts) ?? checkId(item.id, type, `${param}.id`);
    if (refusal) return refusal;
    placed.push({ item, type, path: `input.${index}`, stored: false });
  }
  const trigger = placed.findIndex(({ type }) => type === 'compaction_trigger');
  if (trigger >= 0 && trigger < placed.length - 1) {
    return failure('A compaction_trigger must be the last input item.', { param: `input[${trigger}]` });
  }
  return placed;
}

function checkMembers(item: Wire, type: string, param: string, conflicts: ResponsesConflicts): ApiFailure | undefined {
  for (const member of REQUIRED[type] ?? []) {
    if (item[member] === undefined) return missing(`${param}.${member}`);
  }
  const tolerated = type === 'reasoning' && conflicts.reasoningStatus === 'accept' ? 'status' : undefined;
  const unknown = Object.keys(item).find(
    (member) => member !== tolerated && !(MEMBERS[type]?.includes(member) ?? true),
  );
  if (unknown !== undefined) return unknownParameter(`${param}.${unknown}`);
  for (const [index, part] of (type === 'message' ? asList(item.content) : []).entries()) {
    const known = isWire(part) ? PARTS[String(part.type)] : undefined;
    const extra = isWire(part) && Object.keys(part).find((member) => !(known?.includes(member) ?? true));
    if (extra) return unknownParameter(`${param}.content[${index}].${extra}`);
  }
  return undefined;
}

function checkId(id: unknown, type: string, param: string): ApiFailure | undefined {
  if (typeof id !== 'string') return undefined;
  const invalid = (why: string, code = 'invalid_value') => failure(`Invalid '${param}': ${why}`, { param, code });
  const prefix = ID_PREFIX[type];
  if (prefix !== undefined && !id.startsWith(`${prefix}_`)) {
    return invalid(`'${id}'. Expected an ID that begins with '${prefix}'.`);
  }
  if (id.length > MAX_ID_LENGTH) {
    return invalid(
      `string too long. Expected a string with maximum length ${MAX_ID_LENGTH}, but got a string with length ` +
        `${id.length} instead.`,
      'string_above_max_length',
    );
  }
  if (!/^[\w-]+$/.test(id)) {
    return invalid(`'${id}'. Expected an ID that contains letters, numbers, underscores, or dashes.`);
  }
  return undefined;
}
