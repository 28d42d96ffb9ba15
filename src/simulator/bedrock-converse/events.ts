import type { StreamEvent } from '../http/exchange.ts';
import { asList, isWire, type Wire } from '../json.ts';

/**
 * The events of ConverseStream that an answer comes in. Reasoning and text have no start event, and a signature comes in
 * a delta of its own (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html).
 */
export function converseEvents(answer: Wire): readonly StreamEvent[] {
  const output = isWire(answer.output) && isWire(answer.output.message) ? answer.output.message : {};
  const events: StreamEvent[] = [{ event: 'messageStart', data: { role: 'assistant' } }];
  for (const [contentBlockIndex, block] of asList(output.content).filter(isWire).entries()) {
    const delta = (value: Wire): void => {
      events.push({ event: 'contentBlockDelta', data: { contentBlockIndex, delta: value } });
    };
    if (typeof block.text === 'string') for (const text of pieces(block.text)) delta({ text });
    if (isWire(block.reasoningContent)) for (const part of reasoningDeltas(block.reasoningContent)) delta(part);
    if (isWire(block.toolUse)) {
      const { toolUseId, name, input } = block.toolUse;
      events.push({ event: 'contentBlockStart', data: { contentBlockIndex, start: { toolUse: { toolUseId, name } } } });
      for (const part of pieces(JSON.stringify(input ?? {}))) delta({ toolUse: { input: part } });
    }
    events.push({ event: 'contentBlockStop', data: { contentBlockIndex } });
  }
  const { stopReason, additionalModelResponseFields: fields, usage, metrics } = answer;
  events.push({
    event: 'messageStop',
    data: { stopReason, ...(fields !== undefined && { additionalModelResponseFields: fields }) },
  });
  events.push({ event: 'metadata', data: { usage, metrics } });
  return events;
}

function reasoningDeltas({ reasoningText, redactedContent }: Wire): Wire[] {
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }];
  const { text, signature } = isWire(reasoningText) ? reasoningText : ({} as Wire);
  return [
    ...(typeof text === 'string' ? pieces(text).map((part) => ({ reasoningContent: { text: part } })) : []),
    ...(signature === undefined ? [] : [{ reasoningContent: { signature } }]),
  ];
}

const PIECE = 24;

function pieces(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, 'gu')) ?? [''];
}

const STREAM_EXCEPTIONS: Readonly<Record<string, string>> = {
  invalid_request_error: 'validationException',
  rate_limit_error: 'throttlingException',
  overloaded_error: 'serviceUnavailableException',
  timeout_error: 'modelStreamErrorException',
};

/** An exception in mid-stream is an event of that name. */
export function exceptionEvent(type: string, message: string): StreamEvent {
  const name = STREAM_EXCEPTIONS[type] ?? (type.endsWith('Exception') ? type : 'internalServerException');
  return { event: name, data: { message } };
}
