import type { StreamEvent } from '../http/exchange.ts';
import { asList, isWire, type Wire } from '../json.ts';

export interface StreamOptions {
  /** Items as `output_item.done` shows them; the terminal event repeats those of the response. */
  readonly output: readonly Wire[];
  readonly terminalOutput: 'full' | 'empty' | 'absent';
  /** A compaction that the request asked for is announced while it is made. */
  readonly announcesCompaction?: boolean;
}

const TERMINAL: Readonly<Record<string, string>> = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
};

/** The events that a finished response would have arrived as. https://platform.openai.com/docs/api-reference/responses-streaming */
export function responseEvents(
  response: Wire,
  { output, terminalOutput, announcesCompaction }: StreamOptions,
): StreamEvent[] {
  const opening = { ...response, status: 'in_progress', completed_at: null, output: [], usage: null };
  const begun: Wire = { ...opening, error: null, incomplete_details: null };
  const drafts: Wire[] = [];
  if (response.background === true) {
    // The SDK's own assembler takes no other event before `response.created`.
    const queued = { ...begun, status: 'queued' };
    drafts.push({ type: 'response.created', response: queued }, { type: 'response.queued', response: queued });
  } else drafts.push({ type: 'response.created', response: begun });
  drafts.push({ type: 'response.in_progress', response: begun });
  for (const [index, item] of output.entries()) {
    drafts.push(...itemEvents(item, index, announcesCompaction === true));
  }
  const terminal = TERMINAL[String(response.status)];
  if (terminal !== undefined) drafts.push({ type: terminal, response: ending(response, terminalOutput) });
  return drafts.map((data, sequence_number) => ({ event: String(data.type), data: { ...data, sequence_number } }));
}

function ending(response: Wire, output: StreamOptions['terminalOutput']): Wire {
  if (output === 'full') return response;
  const { output: _, ...rest } = response;
  return output === 'empty' ? { ...rest, output: [] } : rest;
}

/** An error in mid-stream. It has no envelope over HTTP. */
export function errorEvent(code: string | null, message: string, param: string | null = null): StreamEvent {
  return { event: 'error', data: { type: 'error', code, message, param, sequence_number: 0 } };
}

function itemEvents(item: Wire, output_index: number, announces: boolean): Wire[] {
  const item_id = item.id;
  const { begin, between } = ITEM_EVENTS[String(item.type)]?.(item) ?? { begin: item, between: [] };
  return [
    { type: 'response.output_item.added', output_index, item: begin },
    ...(item.type === 'compaction' && announces
      ? [{ type: 'response.compaction.compacting', item_id, output_index }]
      : []),
    ...between.map((event) => ({ item_id, output_index, ...event })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

interface ItemEvents {
  /** The item as `output_item.added` shows it. */
  readonly begin: Wire;
  readonly between: readonly Wire[];
}

const ITEM_EVENTS: Readonly<Record<string, (item: Wire) => ItemEvents>> = {
  reasoning: (item) => ({
    // Documented as possibly incomplete until the item is done.
    begin: {
      ...item,
      summary: [],
      ...(typeof item.encrypted_content === 'string' && { encrypted_content: partial(item.encrypted_content) }),
    },
    between: asList(item.summary)
      .filter(isWire)
      .flatMap(({ text }, summary_index) => summaryEvents(String(text), summary_index)),
  }),
  message: (item) => ({
    begin: { ...item, status: 'in_progress', content: [] },
    between: asList(item.content)
      .filter(isWire)
      .flatMap((part, content_index) => partEvents(part, content_index)),
  }),
  function_call: (item) => ({
    begin: { ...item, status: 'in_progress', arguments: '' },
    between: argumentEvents('response.function_call_arguments', 'arguments', String(item.arguments), {
      name: item.name,
    }),
  }),
  custom_tool_call: (item) => ({
    begin: { ...item, status: 'in_progress', input: '' },
    between: argumentEvents('response.custom_tool_call_input', 'input', String(item.input), {}),
  }),
  web_search_call: (item) => ({
    begin: { id: item.id, type: item.type, status: 'in_progress' },
    between: ['in_progress', 'searching', 'completed'].map((step) => ({ type: `response.web_search_call.${step}` })),
  }),
};

function summaryEvents(text: string, summary_index: number): Wire[] {
  const type = 'response.reasoning_summary';
  return [
    { type: `${type}_part.added`, summary_index, part: { type: 'summary_text', text: '' } },
    ...pieces(text).map((delta) => ({ type: `${type}_text.delta`, summary_index, delta })),
    { type: `${type}_text.done`, summary_index, text },
    { type: `${type}_part.done`, summary_index, part: { type: 'summary_text', text } },
  ];
}

function partEvents(part: Wire, content_index: number): Wire[] {
  const isRefusal = part.type === 'refusal';
  const member = isRefusal ? 'refusal' : 'text';
  const type = isRefusal ? 'response.refusal' : 'response.output_text';
  const logprobs = isRefusal ? {} : { logprobs: [] };
  const text = String(part[member]);
  return [
    { type: 'response.content_part.added', content_index, part: { ...part, [member]: '' } },
    ...pieces(text).map((delta) => ({ type: `${type}.delta`, content_index, delta, ...logprobs })),
    { type: `${type}.done`, content_index, [member]: text, ...logprobs },
    { type: 'response.content_part.done', content_index, part },
  ];
}

function argumentEvents(type: string, member: string, text: string, more: Wire): Wire[] {
  return [
    ...pieces(text).map((delta) => ({ type: `${type}.delta`, delta })),
    { type: `${type}.done`, [member]: text, ...more },
  ];
}

function partial(token: string): string {
  return token.slice(0, Math.ceil(token.length / 3));
}

/** Roughly word-sized pieces, so that consumers have something to put together. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
