import { asList, asText, isWire, type Wire } from './json.ts';

/** A call that a conversation shows, with its result where that is there. */
export interface VisibleCall {
  readonly name: string;
  readonly input: Wire;
  /** JSON is read; any other text stays as it is. */
  readonly result?: unknown;
}

interface Reading {
  readonly calls: readonly { readonly id: unknown; readonly name: unknown; readonly input: unknown }[];
  readonly results: readonly { readonly id: unknown; readonly content: unknown }[];
}

/** Calls and results of a request of the Messages API. */
export function callsOfMessages({ messages }: Wire): VisibleCall[] {
  const blocks = wires(messages).flatMap(({ content }) => wires(content));
  return paired({
    calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, input })),
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id, content }) => ({ id: tool_use_id, content })),
  });
}

/** The same of a Responses request that brings its whole history. */
export function callsOfInput({ input }: Wire): VisibleCall[] {
  const items = wires(input);
  return paired({
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id, name, arguments: args }) => ({ id: call_id, name, input: args })),
    results: items
      .filter(({ type }) => type === 'function_call_output')
      .map(({ call_id, output }) => ({ id: call_id, content: output })),
  });
}

/** The same of a Chat Completions request. */
export function callsOfChat({ messages }: Wire): VisibleCall[] {
  const all = wires(messages);
  return paired({
    calls: all
      .flatMap(({ tool_calls }) => wires(tool_calls))
      .map(({ id, function: made }) => ({
        id,
        name: isWire(made) ? made.name : '',
        input: isWire(made) ? made.arguments : {},
      })),
    results: all
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => ({ id: tool_call_id, content })),
  });
}

const wires = (value: unknown): Wire[] => asList(value).filter(isWire);

function paired({ calls, results }: Reading): VisibleCall[] {
  return calls.map(({ id, name, input }) => {
    const result = results.find((one) => one.id === id);
    const read = typeof input === 'string' ? parsed(input) : input;
    return {
      name: String(name),
      input: isWire(read) ? read : {},
      ...(result !== undefined && { result: parsed(textOf(result.content)) }),
    };
  });
}

/** A text, or a list of pieces of text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return wires(content)
    .map(({ text }) => asText(text) ?? '')
    .join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
