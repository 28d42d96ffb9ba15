import { asList, digest, isWire, stableJson, type Wire } from '../json.ts';
import type { Segment } from '../openai/prefix-cache.ts';
import { textTokens } from '../text-tokens.ts';
import { callsOf, contentText, type PlacedMessage } from './messages.ts';
import type { ChatRequest } from './request.ts';
import type { Returned } from './returned.ts';

const FILE_TOKENS = 1_600;

/** What the model reads of a request, piece by piece. */
export function renderSegments({ body, messages, mode }: ChatRequest, { shown }: Returned): Segment[] {
  const tools = asList(body.tools);
  const segments: Segment[] = [
    { hash: digest(stableJson(tools), mode), tokens: tools.length > 0 ? textTokens(stableJson(tools)) : 0 },
  ];
  for (const message of messages) {
    for (const one of shown.filter(({ message: index }) => index === message.index)) {
      segments.push({ hash: digest('reasoning', one.text), tokens: one.tokens });
    }
    segments.push(visibleSegment(message));
  }
  return segments;
}

function visibleSegment({ wire, role }: PlacedMessage): Segment {
  const text = contentText(wire);
  const calls = stableJson(callsOf(wire).map((call) => call.function));
  const callTokens = callsOf(wire).length > 0 ? textTokens(calls) : 0;
  return {
    hash: digest(role, text, calls, String(wire.tool_call_id ?? '')),
    tokens: textTokens(text) + callTokens + files(wire) * FILE_TOKENS,
  };
}

function files({ content }: Wire): number {
  return asList(content).filter(
    (part) => isWire(part) && ['image_url', 'input_audio', 'file'].includes(String(part.type)),
  ).length;
}
