import type { ApiName } from '../dialects/dialect.ts';

type Fields = Readonly<Record<string, unknown>>;
type Event = Fields;

const typeOf = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;

/**
 * A recorded stream may lack its envelope (start and stop events). What those carry, the model and the
 * stop reason among it, stands in the assembled result beside the stream, so it is put back from there.
 * A stream that was aborted, or that an `error` event ended, gets no end: that it has none is what happened.
 */
function anthropicMessages(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const has = (type: string): boolean => events.some((event) => typeOf(event) === type);
  const { stream, content, stop_reason, stop_sequence, usage, ...rest } = response;
  const whole = [...events];
  if (!has('message_start')) {
    const message = { type: 'message', role: 'assistant', ...rest, content: [], stop_reason: null, usage };
    whole.unshift({ type: 'message_start', message });
  }
  if (aborted || has('error')) return whole;
  if (!has('message_delta')) {
    const delta = { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage };
    const stop = whole.findIndex((event) => typeOf(event) === 'message_stop');
    whole.splice(stop < 0 ? whole.length : stop, 0, delta);
  }
  if (!has('message_stop')) whole.push({ type: 'message_stop' });
  return whole;
}

const RESPONSE_ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

function openaiResponses(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const types = new Set(events.map(typeOf));
  const { stream, ...rest } = response;
  const whole = [...events];
  if (!types.has('response.created')) {
    whole.unshift({ type: 'response.created', response: { ...rest, status: 'in_progress', output: [], usage: null } });
  }
  if (aborted || RESPONSE_ENDS.some((type) => types.has(type))) return whole;
  const end = rest.status === 'incomplete' || rest.status === 'failed' ? rest.status : 'completed';
  whole.push({ type: `response.${end}`, response: rest });
  return whole;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Chunks of a stream are responses of their own; the last one says why it ended. */
function geminiGenerateContent(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const { stream, candidates, ...rest } = response;
  const whole = [rest, ...events];
  const candidatesOf = (from: unknown): readonly unknown[] => (Array.isArray(from) ? from : []);
  const reasonOf = (one: unknown): unknown => (isFields(one) ? (one.finishReason ?? one.finish_reason) : undefined);
  const ended = events.some((event) => candidatesOf(event.candidates).some((one) => reasonOf(one) !== undefined));
  if (aborted || ended || events.some((event) => event.error !== undefined)) return whole;
  const finishReason = reasonOf(candidatesOf(candidates)[0]) ?? 'FINISH_REASON_UNSPECIFIED';
  return [...whole, { candidates: [{ finishReason }] }];
}

/** Chunks name the model and the route each by themselves; the last ones say why the answer ended and what it took. */
function openaiChat(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const { stream, choices, usage, ...rest } = response;
  const choicesOf = (from: unknown): readonly Fields[] => (Array.isArray(from) ? from.filter(isFields) : []);
  const whole = [{ ...rest, choices: [] }, ...events];
  const ended = events.some((event) => choicesOf(event.choices).some((one) => typeof one.finish_reason === 'string'));
  if (aborted || events.some((event) => (event.error ?? undefined) !== undefined)) return whole;
  if (!ended) {
    whole.push({
      choices: choicesOf(choices).map(({ index = 0, finish_reason }) => ({ index, delta: {}, finish_reason })),
    });
  }
  const counted = events.some((event) => isFields(event.usage));
  return counted || !isFields(usage) ? whole : [...whole, { choices: [], usage }];
}

function geminiInteractions(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const types = new Set(events.map(({ event_type }) => event_type));
  const { stream, steps, ...interaction } = response;
  const { usage, ...begun } = interaction;
  const whole = [...events];
  if (!types.has('interaction.created')) {
    whole.unshift({ event_type: 'interaction.created', interaction: { ...begun, status: 'in_progress' } });
  }
  if (aborted || types.has('interaction.completed') || types.has('error')) return whole;
  return [...whole, { event_type: 'interaction.completed', interaction: { status: 'completed', ...interaction } }];
}

/** An event is a union with one member; one that is named an exception ended the stream. */
function bedrockConverse(response: Fields, events: readonly Event[], aborted: boolean): readonly Event[] {
  const { stopReason, usage, additionalModelResponseFields } = response;
  const has = (member: string): boolean => events.some((event) => event[member] !== undefined);
  const whole = has('messageStart') ? [...events] : [{ messageStart: { role: 'assistant' } }, ...events];
  const failed = events.some((event) => Object.keys(event).some((member) => member.endsWith('Exception')));
  if (aborted || failed || has('messageStop')) return whole;
  return [
    ...whole,
    { messageStop: { stopReason, additionalModelResponseFields } },
    ...(usage === undefined || has('metadata') ? [] : [{ metadata: { usage } }]),
  ];
}

const COMPLETERS: Partial<Record<ApiName, typeof anthropicMessages>> = {
  'anthropic.messages': anthropicMessages,
  'bedrock.converse': bedrockConverse,
  'openai.chat': openaiChat,
  'openai.responses': openaiResponses,
  'gemini.generateContent': geminiGenerateContent,
  'gemini.interactions': geminiInteractions,
};

/** The events of a recorded response, with the envelope that shortening took off. */
export function wholeStream(
  api: ApiName,
  response: Fields,
  events: readonly Event[],
  aborted: boolean,
): readonly Event[] {
  return COMPLETERS[api]?.(response, events, aborted) ?? events;
}
