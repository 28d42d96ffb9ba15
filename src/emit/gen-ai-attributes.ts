import type { CallFacts } from '../dialects/dialect.ts';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_CONVERSATION_COMPACTED,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_REASONING_LEVEL,
  ATTR_GEN_AI_REQUEST_STREAM,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_K,
  ATTR_GEN_AI_REQUEST_TOP_P,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  FINISH_REASON_ERROR,
} from '../semconv.ts';
import type { Phase } from './call-attributes.ts';
import { type AttributeRow, type Gated, gate, passes } from './gate.ts';

/** What is known of a call beside what its dialect reads. Times in seconds. */
export interface CallCircumstances {
  readonly address?: string;
  readonly port?: number;
  /** As the application has given it to the run. */
  readonly conversationId?: string;
  readonly timeToFirstChunk?: number;
  readonly errorType?: string;
  /** A stream that had begun and never came to its end. */
  readonly cutShort?: boolean;
}

interface Source {
  readonly facts: CallFacts;
  readonly circumstances: CallCircumstances;
}

/** Those that the conventions ask for when the span starts, for samplers. */
const START: ReadonlyArray<AttributeRow<Source>> = [
  [ATTR_GEN_AI_OPERATION_NAME, ({ facts }) => facts.operation],
  [ATTR_GEN_AI_PROVIDER_NAME, ({ facts }) => facts.provider],
  [ATTR_GEN_AI_REQUEST_MODEL, ({ facts }) => facts.requestModel],
  [ATTR_SERVER_ADDRESS, ({ circumstances }) => circumstances.address],
  [ATTR_SERVER_PORT, ({ circumstances }) => circumstances.port],
];

const REQUEST: ReadonlyArray<AttributeRow<Source>> = [
  [ATTR_GEN_AI_CONVERSATION_ID, ({ circumstances }) => circumstances.conversationId],
  [ATTR_GEN_AI_REQUEST_STREAM, ({ facts }) => facts.stream || undefined],
  [ATTR_GEN_AI_REQUEST_MAX_TOKENS, ({ facts }) => facts.maxTokens],
  [ATTR_GEN_AI_REQUEST_TEMPERATURE, ({ facts }) => facts.temperature],
  [ATTR_GEN_AI_REQUEST_TOP_P, ({ facts }) => facts.topP],
  [ATTR_GEN_AI_REQUEST_TOP_K, ({ facts }) => facts.topK],
  [ATTR_GEN_AI_REQUEST_REASONING_LEVEL, ({ facts }) => facts.reasoningLevel],
];

const END: ReadonlyArray<AttributeRow<Source>> = [
  [ATTR_GEN_AI_RESPONSE_ID, ({ facts }) => facts.responseId],
  [ATTR_GEN_AI_RESPONSE_MODEL, ({ facts }) => facts.responseModel],
  [
    ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
    ({ facts, circumstances }) => facts.finishReasons ?? (circumstances.cutShort ? [FINISH_REASON_ERROR] : undefined),
  ],
  [ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK, ({ circumstances }) => circumstances.timeToFirstChunk],
  [ATTR_GEN_AI_USAGE_INPUT_TOKENS, ({ facts }) => facts.usage?.input],
  [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, ({ facts }) => facts.usage?.output],
  [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS, ({ facts }) => facts.usage?.cacheRead],
  [ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS, ({ facts }) => facts.usage?.cacheWrite],
  [ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS, ({ facts }) => facts.usage?.reasoning],
  [ATTR_GEN_AI_CONVERSATION_COMPACTED, ({ facts }) => facts.compacted || undefined],
  [ATTR_ERROR_TYPE, ({ circumstances }) => circumstances.errorType],
];

const ROWS: Readonly<Record<Phase, ReadonlyArray<AttributeRow<Source>>>> = { start: START, request: REQUEST, end: END };

/** The GenAI attributes of a span of our own, phase by phase; a borrowed span has them from its owner. */
export const genAiAttributes = (phase: Phase, facts: CallFacts, circumstances: CallCircumstances): Gated =>
  gate('call', ROWS[phase], { facts, circumstances });

/** `{operation} {model}`, as the conventions name the span; the operation alone where the model is no name. */
export const spanName = ({ operation, requestModel }: CallFacts): string =>
  [
    passes('call', ATTR_GEN_AI_OPERATION_NAME, operation) ? operation : 'chat',
    ...(passes('call', ATTR_GEN_AI_REQUEST_MODEL, requestModel) ? [requestModel] : []),
  ].join(' ');
