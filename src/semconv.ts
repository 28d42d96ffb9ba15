/**
 * Every telemetry name of this package, with unit, type and allowed values. Code, documentation, dashboards and rules
 * take names from here and spell none themselves. One registry in one file, on purpose, however long it grows.
 *
 * The GenAI names are those of the newest open-telemetry/semantic-conventions-genai, all of stability "development".
 * They are copied, not imported: `@opentelemetry/semantic-conventions` stopped at 1.41, which lacks several of them and
 * has others under an older spelling.
 */
import {
  ASSERTION_RESULTS,
  CERTAINTIES,
  CLIENT_DROP_REASONS,
  CONTINUITY_STATES,
  CULPRITS,
  CYCLE_STATES,
  DROP_REASONS,
  EXPECTATIONS,
  FINDING_KINDS,
  PLANNED_REASONS,
  PREFIX_CHANGES,
  REMARKS,
  SERVER_DROP_REASONS,
  SEVERITIES,
  SOURCES,
  SURVIVALS,
  SWITCH_DIRECTIONS,
  VISIBILITIES,
} from './continuity/vocabulary.ts';
import { VERSION } from './version.ts';

export const SCOPE_NAME = 'reasoning-otel';
export const SCOPE_VERSION = VERSION;
/** Of the GenAI names; stated in the README of semantic-conventions-genai. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/gen-ai/1.42.0';

// --- Ours, on spans, events and metrics ---------------------------------------------------------------------------

export const ATTR_REASONING_CONTINUITY = 'reasoning.continuity';
export const ATTR_REASONING_DROPPED = 'reasoning.dropped';
export const ATTR_REASONING_DROP_REASON = 'reasoning.drop.reason';
export const ATTR_REASONING_DROP_REASONS = 'reasoning.drop.reasons';
export const ATTR_REASONING_DROP_SOURCE = 'reasoning.drop.source';
export const ATTR_REASONING_BLOCKS_ISSUED = 'reasoning.blocks.issued';
export const ATTR_REASONING_BLOCKS_EXPECTED = 'reasoning.blocks.expected';
export const ATTR_REASONING_BLOCKS_RETURNED = 'reasoning.blocks.returned';
export const ATTR_REASONING_BLOCKS_DROPPED = 'reasoning.blocks.dropped';
export const ATTR_REASONING_BLOCKS_DAMAGED = 'reasoning.blocks.damaged';
export const ATTR_REASONING_BLOCKS_NEWLY_DROPPED = 'reasoning.blocks.newly_dropped';
export const ATTR_REASONING_FINDING_KIND = 'reasoning.finding.kind';
export const ATTR_REASONING_FINDING_KINDS = 'reasoning.finding.kinds';
export const ATTR_REASONING_FINDING_COUNT = 'reasoning.finding.count';
export const ATTR_REASONING_FINDING_TOKENS = 'reasoning.finding.tokens';
export const ATTR_REASONING_FINDING_SEVERITY = 'reasoning.finding.severity';
export const ATTR_REASONING_FINDING_CERTAINTY = 'reasoning.finding.certainty';
export const ATTR_REASONING_FINDING_SOURCE = 'reasoning.finding.source';
export const ATTR_REASONING_FINDING_PATH = 'reasoning.finding.path';
export const ATTR_REASONING_FINDING_CYCLE = 'reasoning.finding.cycle';
export const ATTR_REASONING_FINDING_CULPRIT = 'reasoning.finding.culprit';
export const ATTR_REASONING_REMARKS = 'reasoning.remarks';
export const ATTR_REASONING_PRODUCER_SPAN_ID = 'reasoning.producer.span_id';
export const ATTR_REASONING_EXPECTED = 'reasoning.expected';
export const ATTR_REASONING_PRESENT = 'reasoning.present';
export const ATTR_REASONING_ASSERTION = 'reasoning.assertion';
export const ATTR_REASONING_VISIBILITY = 'reasoning.visibility';
export const ATTR_REASONING_MODE = 'reasoning.mode';
export const ATTR_REASONING_CYCLE_STATE = 'reasoning.cycle.state';
export const ATTR_REASONING_CYCLE_STEP = 'reasoning.cycle.step';
export const ATTR_REASONING_SWITCH_DIRECTION = 'reasoning.switch.direction';
export const ATTR_REASONING_SWITCH_FROM = 'reasoning.switch.from';
export const ATTR_REASONING_SWITCH_TO = 'reasoning.switch.to';
export const ATTR_REASONING_SWITCH_SURVIVES = 'reasoning.switch.survives';
export const ATTR_REASONING_PREFIX_CHANGED = 'reasoning.prefix.changed';
export const ATTR_REASONING_REJECTED = 'reasoning.rejected';
export const ATTR_REASONING_REJECTION = 'reasoning.rejection';
export const ATTR_REASONING_TOKENS_RESENT = 'reasoning.tokens.resent';
export const ATTR_REASONING_TOKENS_RESENT_CACHED = 'reasoning.tokens.resent_cached';
export const ATTR_REASONING_TOKENS_RESENT_FRESH = 'reasoning.tokens.resent_fresh';
export const ATTR_REASONING_RUN_ID = 'reasoning.run.id';
export const ATTR_REASONING_RUN_OUTCOME = 'reasoning.run.outcome';
export const ATTR_REASONING_RUN_CALLS = 'reasoning.run.calls';
export const ATTR_REASONING_RUN_TOOL_CALLS = 'reasoning.run.tool_calls';
export const ATTR_REASONING_RUN_REPEATED_TOOL_CALLS = 'reasoning.run.repeated_tool_calls';
export const ATTR_REASONING_EXPERIMENT_ARM = 'reasoning.experiment.arm';
export const ATTR_REASONING_CACHE_STATE = 'reasoning.cache.state';
export const ATTR_REASONING_TOOL_CALL_REPEATED = 'reasoning.tool_call.repeated';
export const ATTR_REASONING_COST_KIND = 'reasoning.cost.kind';
export const ATTR_REASONING_INSTRUMENTATION_VERSION = 'reasoning.instrumentation.version';
export const ATTR_REASONING_INSTRUMENTATION_SDK = 'reasoning.instrumentation.sdk';
export const ATTR_REASONING_INSTRUMENTATION_SDK_VERSION = 'reasoning.instrumentation.sdk_version';
export const ATTR_REASONING_INSTRUMENTATION_SEEN_BY = 'reasoning.instrumentation.seen_by';
export const ATTR_REASONING_INSTRUMENTATION_SPAN = 'reasoning.instrumentation.span';

export const EVENT_REASONING_FINDING = 'reasoning.finding';

export const METRIC_REASONING_CALLS = 'reasoning.calls';
export const METRIC_REASONING_BLOCKS_EXPECTED = 'reasoning.blocks.expected';
export const METRIC_REASONING_BLOCKS_RETURNED = 'reasoning.blocks.returned';
export const METRIC_REASONING_BLOCKS_DROPPED = 'reasoning.blocks.dropped';
export const METRIC_REASONING_BLOCKS_RELEASED = 'reasoning.blocks.released';
export const METRIC_REASONING_FINDINGS = 'reasoning.findings';
export const METRIC_REASONING_REJECTIONS = 'reasoning.rejections';
export const METRIC_REASONING_ASSERTIONS = 'reasoning.assertions';
export const METRIC_REASONING_MODEL_SWITCHES = 'reasoning.model.switches';
export const METRIC_REASONING_TOKENS_RESENT = 'reasoning.tokens.resent';
export const METRIC_REASONING_TOOL_CALLS = 'reasoning.tool_calls';
export const METRIC_REASONING_CYCLE_STEPS = 'reasoning.cycle.steps';
export const METRIC_REASONING_CYCLE_TOOL_CALLS = 'reasoning.cycle.tool_calls';
export const METRIC_REASONING_RUNS = 'reasoning.runs';
export const METRIC_REASONING_COST = 'reasoning.cost';
export const METRIC_REASONING_INSTRUMENTATION_INFO = 'reasoning.instrumentation.info';

// --- GenAI and general names, copied ------------------------------------------------------------------------------

export const ATTR_ERROR_TYPE = 'error.type';
export const ATTR_SERVER_ADDRESS = 'server.address';
export const ATTR_SERVER_PORT = 'server.port';
export const ATTR_GEN_AI_OPERATION_NAME = 'gen_ai.operation.name';
export const ATTR_GEN_AI_PROVIDER_NAME = 'gen_ai.provider.name';
export const ATTR_GEN_AI_CONVERSATION_COMPACTED = 'gen_ai.conversation.compacted';
export const ATTR_GEN_AI_REQUEST_MODEL = 'gen_ai.request.model';
export const ATTR_GEN_AI_REQUEST_STREAM = 'gen_ai.request.stream';
export const ATTR_GEN_AI_REQUEST_MAX_TOKENS = 'gen_ai.request.max_tokens';
export const ATTR_GEN_AI_REQUEST_TEMPERATURE = 'gen_ai.request.temperature';
export const ATTR_GEN_AI_REQUEST_TOP_P = 'gen_ai.request.top_p';
export const ATTR_GEN_AI_REQUEST_TOP_K = 'gen_ai.request.top_k';
export const ATTR_GEN_AI_REQUEST_REASONING_LEVEL = 'gen_ai.request.reasoning.level';
export const ATTR_GEN_AI_RESPONSE_ID = 'gen_ai.response.id';
export const ATTR_GEN_AI_RESPONSE_MODEL = 'gen_ai.response.model';
export const ATTR_GEN_AI_RESPONSE_FINISH_REASONS = 'gen_ai.response.finish_reasons';
export const ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK = 'gen_ai.response.time_to_first_chunk';
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = 'gen_ai.usage.input_tokens';
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
export const ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS = 'gen_ai.usage.cache_read.input_tokens';
export const ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS = 'gen_ai.usage.cache_write.input_tokens';
export const ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS = 'gen_ai.usage.reasoning.output_tokens';
export const ATTR_GEN_AI_TOKEN_MODALITY = 'gen_ai.token.modality';
export const ATTR_GEN_AI_TOOL_NAME = 'gen_ai.tool.name';
export const ATTR_GEN_AI_AGENT_NAME = 'gen_ai.agent.name';
export const ATTR_GEN_AI_CONVERSATION_ID = 'gen_ai.conversation.id';

export const METRIC_GEN_AI_CLIENT_INFERENCE_DURATION = 'gen_ai.client.inference.duration';
export const METRIC_GEN_AI_CLIENT_OPERATION_DURATION = 'gen_ai.client.operation.duration';
export const METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK = 'gen_ai.client.inference.time_to_first_chunk';
export const METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK = 'gen_ai.client.inference.time_per_output_chunk';
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS = 'gen_ai.client.inference.usage.input_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS = 'gen_ai.client.inference.usage.output_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS =
  'gen_ai.client.inference.usage.cache_read.input_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS =
  'gen_ai.client.inference.usage.cache_write.input_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS =
  'gen_ai.client.inference.usage.reasoning.output_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS = 'gen_ai.client.inference.operation.input_tokens';
export const METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS = 'gen_ai.client.inference.operation.output_tokens';
export const METRIC_GEN_AI_INVOKE_AGENT_DURATION = 'gen_ai.invoke_agent.duration';
export const METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS = 'gen_ai.invoke_agent.inference_calls';
export const METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS = 'gen_ai.invoke_agent.tool_calls';

/** Operations that are one model call; a span that carries one of them is a call's span, whoever made it. */
export const INFERENCE_OPERATIONS = ['chat', 'generate_content', 'text_completion'] as const;
/** The operation of the span of a run, and of the one that an SDK's tool runner makes around its calls. */
export const OPERATION_INVOKE_AGENT = 'invoke_agent';
/** Stands where a value is missing or is not of the allowed shape (`error.type`, and names on metrics). */
export const VALUE_OTHER = '_OTHER';
/** `gen_ai.token.modality`: no provider judged here breaks its usage down by modality. */
export const MODALITY_UNKNOWN = 'unknown';
/** `gen_ai.response.finish_reasons` of an answer that never came to its end. */
export const FINISH_REASON_ERROR = 'error';
/** `reasoning.rejection` of a refusal that no row of a dialect's error table matches. */
export const REJECTION_UNCLASSIFIED = 'unclassified';

/** Names that other instrumentations put on the span of one model call, beside `gen_ai.operation.name`. */
export const FOREIGN_CALL_MARKS: ReadonlyArray<readonly [name: string, values: readonly string[]]> = [
  // Arize OpenInference, spec/semantic_conventions.md
  ['openinference.span.kind', ['LLM']],
  // Traceloop OpenLLMetry, SpanAttributes.LLM_REQUEST_TYPE
  ['llm.request.type', ['chat', 'completion']],
];

/** Scopes of the spans that provider SDKs make themselves; a platform's package appends its name. */
export const NATIVE_SCOPES: readonly string[] = ['com.anthropic.sdk.typescript'];

export const CACHE_STATES = ['cached', 'fresh'] as const;
export const COST_KINDS = ['generated', 'resent_cached', 'resent_fresh'] as const;
/** How a run ended, where the application says nothing else: it returned, threw, or was given up before its end. */
export const RUN_OUTCOMES = ['completed', 'failed', 'abandoned'] as const;
/** `hook`: the module was hooked at load. `client`: the client was handed to `instrumentClient`. */
export const SEEN_BY = ['hook', 'client'] as const;
/** Whose span the call is on: the SDK's own, another instrumentation's, or ours. */
export const SPAN_OWNERS = ['native', 'other', 'own'] as const;

// --- The registry -------------------------------------------------------------------------------------------------

export type AttributeType = 'string' | 'string[]' | 'int' | 'double' | 'boolean';

/** What a string may look like where its set is not closed; `src/emit/gate.ts` holds the patterns. */
export type Shape =
  | 'word'
  | 'label'
  | 'code'
  | 'error'
  | 'model'
  | 'tool'
  | 'id'
  | 'span_id'
  | 'path'
  | 'host'
  | 'version';

/** `call`: the span of one model call. `run`: the span of `withRun()` or of a tool runner. `event`: a finding. */
export type Place = 'call' | 'run' | 'event' | 'metric';

export interface AttributeSpec {
  readonly name: string;
  readonly type: AttributeType;
  /** The closed set of values. A string attribute has either this or `shape`. */
  readonly values?: readonly string[];
  readonly shape?: Shape;
  readonly places: readonly Place[];
  readonly unit?: string;
  readonly brief: string;
}

const CALL: readonly Place[] = ['call'];
const RUN: readonly Place[] = ['run'];
const EVENT: readonly Place[] = ['event'];
const METRIC: readonly Place[] = ['metric'];
const CALL_AND_RUN: readonly Place[] = ['call', 'run'];
const CALL_AND_METRIC: readonly Place[] = ['call', 'metric'];
const CALL_RUN_AND_METRIC: readonly Place[] = ['call', 'run', 'metric'];
const EVERYWHERE: readonly Place[] = ['call', 'run', 'event', 'metric'];

export const ATTRIBUTES: readonly AttributeSpec[] = [
  {
    name: ATTR_REASONING_CONTINUITY,
    type: 'string',
    values: CONTINUITY_STATES,
    places: ['call', 'run', 'metric'],
    brief:
      'Whether the reasoning that should come back did: partial is any dropped or damaged block, stripped is none returned. On a run: the worst of its calls.',
  },
  {
    name: ATTR_REASONING_DROPPED,
    type: 'boolean',
    places: CALL_AND_RUN,
    brief: 'Whether any block was dropped unplanned. Written when false too, so that both can be searched for.',
  },
  {
    name: ATTR_REASONING_DROP_REASON,
    type: 'string',
    values: DROP_REASONS,
    places: EVERYWHERE,
    brief: 'Why blocks were dropped; of several reasons the one with most blocks.',
  },
  {
    name: ATTR_REASONING_DROP_REASONS,
    type: 'string[]',
    values: DROP_REASONS,
    places: CALL_AND_RUN,
    brief: 'All reasons, most blocks first.',
  },
  {
    name: ATTR_REASONING_DROP_SOURCE,
    type: 'string',
    values: SOURCES,
    places: ['call', 'run', 'metric'],
    brief: 'Who dropped: client, the application before sending; server, the provider after.',
  },
  {
    name: ATTR_REASONING_BLOCKS_ISSUED,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{block}',
    brief: 'Reasoning blocks that the response delivered. On a run: the sum.',
  },
  {
    name: ATTR_REASONING_BLOCKS_EXPECTED,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{block}',
    brief: 'Blocks that this request should carry: returned + dropped + damaged. On a run: each block once.',
  },
  {
    name: ATTR_REASONING_BLOCKS_RETURNED,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{block}',
    brief: 'Expected blocks that this request does carry intact. On a run: each block once.',
  },
  {
    name: ATTR_REASONING_BLOCKS_DROPPED,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{block}',
    brief:
      'Expected blocks that the model was not shown; a block lost earlier counts on every later request. On a run: each block once.',
  },
  {
    name: ATTR_REASONING_BLOCKS_DAMAGED,
    type: 'int',
    places: CALL,
    unit: '{block}',
    brief: 'Expected blocks that are there but not as issued, or not readable there.',
  },
  {
    name: ATTR_REASONING_BLOCKS_NEWLY_DROPPED,
    type: 'int',
    places: CALL,
    unit: '{block}',
    brief: 'Blocks dropped here for the first time. The one to sum where metrics are derived from spans.',
  },
  {
    name: ATTR_REASONING_FINDING_KIND,
    type: 'string',
    values: FINDING_KINDS,
    places: EVERYWHERE,
    brief: 'What is wrong; on a span the primary one.',
  },
  {
    name: ATTR_REASONING_FINDING_KINDS,
    type: 'string[]',
    values: FINDING_KINDS,
    places: CALL_AND_RUN,
    brief: 'All kinds found, losses before notes.',
  },
  {
    name: ATTR_REASONING_FINDING_COUNT,
    type: 'int',
    places: EVENT,
    brief: 'How many units of the kind.',
  },
  {
    name: ATTR_REASONING_FINDING_TOKENS,
    type: 'int',
    places: EVENT,
    unit: '{token}',
    brief: 'Of blocks that were carried for nothing: their reasoning tokens, an estimate.',
  },
  {
    name: ATTR_REASONING_FINDING_SEVERITY,
    type: 'string',
    values: SEVERITIES,
    places: EVENT,
    brief: 'loss: reasoning the model would have read is gone or spoilt, or the shape is refused. note: worth a line.',
  },
  {
    name: ATTR_REASONING_FINDING_CERTAINTY,
    type: 'string',
    values: CERTAINTIES,
    places: EVENT,
    brief: 'certain: both sides were seen or the provider said it. inferred: everything else.',
  },
  {
    name: ATTR_REASONING_FINDING_SOURCE,
    type: 'string',
    values: SOURCES,
    places: ['event', 'metric'],
    brief: 'Whose doing it is.',
  },
  {
    name: ATTR_REASONING_FINDING_PATH,
    type: 'string',
    shape: 'path',
    places: EVENT,
    brief: 'Where in the request as sent, as in messages.3.content.0.',
  },
  {
    name: ATTR_REASONING_FINDING_CYCLE,
    type: 'string',
    values: CYCLE_STATES,
    places: EVENT,
    brief: 'Whether the tool loop that it concerns was unfinished.',
  },
  {
    name: ATTR_REASONING_FINDING_CULPRIT,
    type: 'string',
    values: CULPRITS,
    places: EVENT,
    brief: "Whose code on the client's side, where that can be told: the application's, or a helper of the SDK.",
  },
  {
    name: ATTR_REASONING_REMARKS,
    type: 'string[]',
    values: REMARKS,
    places: CALL,
    brief: 'What is worth knowing about the run and no fault of this request; each is said once a run.',
  },
  {
    name: ATTR_REASONING_PRODUCER_SPAN_ID,
    type: 'string',
    shape: 'span_id',
    places: EVENT,
    brief: 'Span of the step that issued the block, 16 hexadecimal digits.',
  },
  {
    name: ATTR_REASONING_EXPECTED,
    type: 'string',
    values: EXPECTATIONS,
    places: CALL,
    brief: 'Whether this response should hold reasoning, by the resolved configuration.',
  },
  {
    name: ATTR_REASONING_PRESENT,
    type: 'boolean',
    places: CALL,
    brief: 'Whether the response held reasoning.',
  },
  {
    name: ATTR_REASONING_ASSERTION,
    type: 'string',
    values: ASSERTION_RESULTS,
    places: ['call', 'run', 'metric'],
    brief: 'Result of comparing expected with present. On a run: the worst.',
  },
  {
    name: ATTR_REASONING_VISIBILITY,
    type: 'string',
    values: VISIBILITIES,
    places: CALL,
    brief: 'How much of the reasoning the client can read.',
  },
  {
    name: ATTR_REASONING_MODE,
    type: 'string',
    shape: 'word',
    places: CALL,
    brief: "The resolved setting, in the API's own word.",
  },
  {
    name: ATTR_REASONING_CYCLE_STATE,
    type: 'string',
    values: CYCLE_STATES,
    places: CALL_AND_METRIC,
    brief: 'open: the request continues an unfinished tool loop. On re-sent tokens: the loop that produced them.',
  },
  {
    name: ATTR_REASONING_CYCLE_STEP,
    type: 'int',
    places: CALL,
    unit: '{step}',
    brief: 'Calls of this tool loop so far, this one included.',
  },
  {
    name: ATTR_REASONING_SWITCH_DIRECTION,
    type: 'string',
    values: SWITCH_DIRECTIONS,
    places: CALL_AND_METRIC,
    brief: 'Which way the model was switched since the step before.',
  },
  {
    name: ATTR_REASONING_SWITCH_FROM,
    type: 'string',
    shape: 'model',
    places: CALL,
    brief: 'Model before the switch.',
  },
  { name: ATTR_REASONING_SWITCH_TO, type: 'string', shape: 'model', places: CALL, brief: 'Model after the switch.' },
  {
    name: ATTR_REASONING_SWITCH_SURVIVES,
    type: 'string',
    values: SURVIVALS,
    places: CALL_AND_METRIC,
    brief: 'Whether the new model can read the reasoning of the old one.',
  },
  {
    name: ATTR_REASONING_PREFIX_CHANGED,
    type: 'string',
    values: PREFIX_CHANGES,
    places: CALL,
    brief: 'What changed in front of the blocks since the step that produced them.',
  },
  {
    name: ATTR_REASONING_REJECTED,
    type: 'boolean',
    places: CALL_AND_RUN,
    brief: 'Whether the provider refused the request because of its reasoning.',
  },
  {
    name: ATTR_REASONING_REJECTION,
    type: 'string',
    shape: 'word',
    places: CALL_AND_METRIC,
    brief: `Class of the refusal; ${REJECTION_UNCLASSIFIED} where no known class matches.`,
  },
  {
    name: ATTR_REASONING_TOKENS_RESENT,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{token}',
    brief: 'Estimate: reasoning tokens that this request sends again. No provider reports it. On a run: the sum.',
  },
  {
    name: ATTR_REASONING_TOKENS_RESENT_CACHED,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{token}',
    brief: 'Estimate: the part of them inside the cached prefix.',
  },
  {
    name: ATTR_REASONING_TOKENS_RESENT_FRESH,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{token}',
    brief: 'Estimate: the part of them outside the cached prefix.',
  },
  {
    name: ATTR_REASONING_RUN_ID,
    type: 'string',
    shape: 'id',
    places: CALL_AND_RUN,
    brief: "The chain of steps that re-send one another's blocks, or what withRun() brackets. Random, made here.",
  },
  {
    name: ATTR_REASONING_RUN_OUTCOME,
    type: 'string',
    shape: 'word',
    places: ['run', 'metric'],
    brief: 'How a run ended: completed, failed, abandoned, or what the application says.',
  },
  {
    name: ATTR_REASONING_RUN_CALLS,
    type: 'int',
    places: RUN,
    unit: '{call}',
    brief: 'Model calls of the run.',
  },
  {
    name: ATTR_REASONING_RUN_TOOL_CALLS,
    type: 'int',
    places: RUN,
    unit: '{call}',
    brief: 'Tool calls that its responses made.',
  },
  {
    name: ATTR_REASONING_RUN_REPEATED_TOOL_CALLS,
    type: 'int',
    places: RUN,
    unit: '{call}',
    brief: 'Of them, those that the run had made before with equal arguments.',
  },
  {
    name: ATTR_REASONING_EXPERIMENT_ARM,
    type: 'string',
    shape: 'word',
    places: ['call', 'run', 'metric'],
    brief: 'Arm of an experiment; absent outside one. May stand on every metric.',
  },
  {
    name: ATTR_REASONING_CACHE_STATE,
    type: 'string',
    values: CACHE_STATES,
    places: METRIC,
    brief: 'Whether re-sent tokens lie inside the cached prefix.',
  },
  {
    name: ATTR_REASONING_TOOL_CALL_REPEATED,
    type: 'boolean',
    places: METRIC,
    brief: 'Whether the run has made the same call, with equal arguments, before.',
  },
  {
    name: ATTR_REASONING_COST_KIND,
    type: 'string',
    values: COST_KINDS,
    places: METRIC,
    brief: 'What was paid for.',
  },
  {
    name: ATTR_REASONING_INSTRUMENTATION_VERSION,
    type: 'string',
    shape: 'version',
    places: METRIC,
    brief: 'Version of this package.',
  },
  {
    name: ATTR_REASONING_INSTRUMENTATION_SDK,
    type: 'string',
    shape: 'tool',
    places: METRIC,
    brief: 'Provider SDK seen, as its npm name.',
  },
  {
    name: ATTR_REASONING_INSTRUMENTATION_SDK_VERSION,
    type: 'string',
    shape: 'version',
    places: METRIC,
    brief: 'Version of that SDK.',
  },
  {
    name: ATTR_REASONING_INSTRUMENTATION_SEEN_BY,
    type: 'string',
    values: SEEN_BY,
    places: METRIC,
    brief: 'How its calls are seen: by the load hook, or because the client was handed to instrumentClient().',
  },
  {
    name: ATTR_REASONING_INSTRUMENTATION_SPAN,
    type: 'string',
    values: SPAN_OWNERS,
    places: METRIC,
    brief: "Whose span its calls are on: the SDK's own, another instrumentation's, or ours.",
  },

  // GenAI. Written on spans of our own only; a borrowed span has them from its owner.
  {
    name: ATTR_GEN_AI_AGENT_NAME,
    type: 'string',
    shape: 'label',
    places: ['run', 'metric'],
    brief: 'Name of the agent, as `withRun()` was given it; on metrics of runs only.',
  },
  {
    name: ATTR_GEN_AI_CONVERSATION_ID,
    type: 'string',
    shape: 'id',
    places: CALL_AND_RUN,
    brief: 'The conversation, as `withRun()` was given it; never made up, never on a metric.',
  },
  {
    name: ATTR_GEN_AI_OPERATION_NAME,
    type: 'string',
    values: [...INFERENCE_OPERATIONS, OPERATION_INVOKE_AGENT],
    places: CALL_RUN_AND_METRIC,
    brief: 'The operation.',
  },
  {
    name: ATTR_GEN_AI_PROVIDER_NAME,
    type: 'string',
    shape: 'code',
    places: CALL_AND_METRIC,
    brief: 'The provider, by the API format that the client sees.',
  },
  {
    name: ATTR_GEN_AI_REQUEST_MODEL,
    type: 'string',
    shape: 'model',
    places: CALL_AND_METRIC,
    brief: 'The model asked for; on metrics without date and platform prefix.',
  },
  { name: ATTR_GEN_AI_REQUEST_STREAM, type: 'boolean', places: CALL, brief: 'True for a stream, else absent.' },
  { name: ATTR_GEN_AI_REQUEST_MAX_TOKENS, type: 'int', places: CALL, unit: '{token}', brief: 'Limit of the output.' },
  { name: ATTR_GEN_AI_REQUEST_TEMPERATURE, type: 'double', places: CALL, brief: 'Temperature.' },
  { name: ATTR_GEN_AI_REQUEST_TOP_P, type: 'double', places: CALL, brief: 'top_p.' },
  { name: ATTR_GEN_AI_REQUEST_TOP_K, type: 'int', places: CALL, brief: 'top_k.' },
  {
    name: ATTR_GEN_AI_REQUEST_REASONING_LEVEL,
    type: 'string',
    shape: 'word',
    places: CALL,
    brief: 'The effort asked for, as sent.',
  },
  { name: ATTR_GEN_AI_RESPONSE_ID, type: 'string', shape: 'id', places: CALL, brief: 'Id of the response.' },
  {
    name: ATTR_GEN_AI_RESPONSE_MODEL,
    type: 'string',
    shape: 'model',
    places: CALL_AND_METRIC,
    brief: 'The model that answered; on metrics without date and platform prefix.',
  },
  {
    name: ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
    type: 'string[]',
    shape: 'code',
    places: CALL,
    brief: 'Why the answer ended; error where it never came to its end.',
  },
  {
    name: ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
    type: 'double',
    places: CALL,
    unit: 's',
    brief: 'From the request to the first chunk of a stream.',
  },
  {
    name: ATTR_GEN_AI_CONVERSATION_COMPACTED,
    type: 'boolean',
    places: CALL,
    brief: 'True where the provider compacted the conversation, else absent.',
  },
  {
    name: ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{token}',
    brief: 'All input, cached included. On a run: the sum.',
  },
  {
    name: ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    type: 'int',
    places: CALL_AND_RUN,
    unit: '{token}',
    brief: 'All output, reasoning included. On a run: the sum.',
  },
  {
    name: ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
    type: 'int',
    places: CALL,
    unit: '{token}',
    brief: 'Input read from the cache.',
  },
  {
    name: ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
    type: 'int',
    places: CALL,
    unit: '{token}',
    brief: 'Input written to the cache.',
  },
  {
    name: ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
    type: 'int',
    places: CALL,
    unit: '{token}',
    brief: 'Output spent on reasoning, as the provider reports it.',
  },
  {
    name: ATTR_GEN_AI_TOKEN_MODALITY,
    type: 'string',
    values: ['text', 'image', 'audio', MODALITY_UNKNOWN],
    places: METRIC,
    brief: 'Modality of the tokens.',
  },
  { name: ATTR_GEN_AI_TOOL_NAME, type: 'string', shape: 'tool', places: METRIC, brief: 'Tool that was called.' },
  {
    name: ATTR_SERVER_ADDRESS,
    type: 'string',
    shape: 'host',
    places: CALL_AND_METRIC,
    brief: 'Host that the client sends to.',
  },
  { name: ATTR_SERVER_PORT, type: 'int', places: CALL_AND_METRIC, brief: 'Its port.' },
  {
    name: ATTR_ERROR_TYPE,
    type: 'string',
    shape: 'error',
    places: CALL_RUN_AND_METRIC,
    brief: "The provider's error type, else the HTTP status, else the class of the error.",
  },
];

export interface MetricSpec {
  readonly name: string;
  readonly instrument: 'counter' | 'histogram' | 'gauge';
  /** UCUM; counts in braces, so that the exported name is the same on every route to Prometheus. */
  readonly unit: string;
  /** Attribute names beside those that every metric of the family carries. */
  readonly attributes: readonly string[];
  /** Advice for explicit buckets. */
  readonly buckets?: readonly number[];
  /** Attribute sets that start at 0 when a provider and model are first seen. */
  readonly zeros?: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly brief: string;
}

/** Attributes of every `reasoning.*` metric but the info gauge. The arm only inside an experiment. */
export const REASONING_METRIC_ATTRIBUTES: readonly string[] = [
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_EXPERIMENT_ARM,
];
/** Attributes of every `gen_ai.*` metric. */
export const GEN_AI_METRIC_ATTRIBUTES: readonly string[] = [
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_REASONING_EXPERIMENT_ARM,
];

/** Which reasons each source can have: a reason of ours for the client, the provider's for the server. */
const DROP_PAIRS = [
  ...[...CLIENT_DROP_REASONS, 'unknown'].map((reason) => ({ reason, source: 'client' })),
  ...[...SERVER_DROP_REASONS, 'unknown'].map((reason) => ({ reason, source: 'server' })),
].map(({ reason, source }) => ({ [ATTR_REASONING_DROP_REASON]: reason, [ATTR_REASONING_DROP_SOURCE]: source }));

/** What a provider, or a hop before the client, can be the cause of; all other kinds are the client's. */
const SERVER_KINDS: readonly string[] = ['dropped', 'foreign', 'prefix_broken', 'unsigned_on_arrival'];
const FINDING_PAIRS = FINDING_KINDS.flatMap((kind) =>
  SOURCES.filter((source) => (source === 'server' ? SERVER_KINDS.includes(kind) : kind !== 'unsigned_on_arrival')).map(
    (source) => ({ [ATTR_REASONING_FINDING_KIND]: kind, [ATTR_REASONING_FINDING_SOURCE]: source }),
  ),
);

const each = (name: string, values: readonly string[]) => values.map((value) => ({ [name]: value }));
const pairs = (a: string, as: readonly string[], b: string, bs: readonly string[]) =>
  as.flatMap((x) => bs.map((y) => ({ [a]: x, [b]: y })));

/** Buckets that the GenAI conventions advise, for seconds and for tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
/** Loops of agents are short or very long. */
const STEPS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];

const usageCounter = (name: string, brief: string): MetricSpec => ({
  name,
  instrument: 'counter',
  unit: '{token}',
  attributes: [ATTR_GEN_AI_TOKEN_MODALITY],
  brief,
});

export const METRICS: readonly MetricSpec[] = [
  {
    name: METRIC_REASONING_CALLS,
    instrument: 'counter',
    unit: '{call}',
    attributes: [ATTR_REASONING_CONTINUITY],
    zeros: each(ATTR_REASONING_CONTINUITY, CONTINUITY_STATES),
    brief: 'Model calls, by whether reasoning came back whole.',
  },
  {
    name: METRIC_REASONING_BLOCKS_EXPECTED,
    instrument: 'counter',
    unit: '{block}',
    attributes: [],
    zeros: [{}],
    brief: 'Reasoning blocks that should come back, each counted once.',
  },
  {
    name: METRIC_REASONING_BLOCKS_RETURNED,
    instrument: 'counter',
    unit: '{block}',
    attributes: [],
    zeros: [{}],
    brief: 'Of them, those that came back intact, each counted once.',
  },
  {
    name: METRIC_REASONING_BLOCKS_DROPPED,
    instrument: 'counter',
    unit: '{block}',
    attributes: [ATTR_REASONING_DROP_REASON, ATTR_REASONING_DROP_SOURCE],
    zeros: DROP_PAIRS,
    brief: 'Blocks that the model was not shown, unplanned, each counted once. Any increase is worth an alert.',
  },
  {
    name: METRIC_REASONING_BLOCKS_RELEASED,
    instrument: 'counter',
    unit: '{block}',
    attributes: [ATTR_REASONING_DROP_REASON],
    zeros: each(ATTR_REASONING_DROP_REASON, [...PLANNED_REASONS, 'omitted_after_cycle']),
    brief: 'Blocks left behind as planned, or where the model would not have read them, each counted once.',
  },
  {
    name: METRIC_REASONING_FINDINGS,
    instrument: 'counter',
    unit: '{finding}',
    attributes: [ATTR_REASONING_FINDING_KIND, ATTR_REASONING_FINDING_SOURCE],
    zeros: FINDING_PAIRS,
    brief: 'Things wrong with a request, each counted at the first request that shows it.',
  },
  {
    name: METRIC_REASONING_REJECTIONS,
    instrument: 'counter',
    unit: '{request}',
    attributes: [ATTR_REASONING_REJECTION],
    zeros: each(ATTR_REASONING_REJECTION, [REJECTION_UNCLASSIFIED]),
    brief: 'Requests that the provider refused because of their reasoning.',
  },
  {
    name: METRIC_REASONING_ASSERTIONS,
    instrument: 'counter',
    unit: '{assertion}',
    attributes: [ATTR_REASONING_ASSERTION],
    zeros: each(ATTR_REASONING_ASSERTION, ASSERTION_RESULTS),
    brief: 'Checks whether reasoning that was expected was there.',
  },
  {
    name: METRIC_REASONING_MODEL_SWITCHES,
    instrument: 'counter',
    unit: '{switch}',
    attributes: [ATTR_REASONING_SWITCH_DIRECTION, ATTR_REASONING_SWITCH_SURVIVES],
    zeros: pairs(ATTR_REASONING_SWITCH_DIRECTION, SWITCH_DIRECTIONS, ATTR_REASONING_SWITCH_SURVIVES, SURVIVALS),
    brief: 'Changes of model from one step to the next, on the model switched to.',
  },
  {
    name: METRIC_REASONING_TOKENS_RESENT,
    instrument: 'counter',
    unit: '{token}',
    attributes: [ATTR_REASONING_CACHE_STATE, ATTR_REASONING_CYCLE_STATE],
    zeros: pairs(ATTR_REASONING_CACHE_STATE, CACHE_STATES, ATTR_REASONING_CYCLE_STATE, CYCLE_STATES),
    brief: 'Estimate: reasoning tokens sent again, added up over requests.',
  },
  {
    name: METRIC_REASONING_TOOL_CALLS,
    instrument: 'counter',
    unit: '{call}',
    attributes: [ATTR_GEN_AI_TOOL_NAME, ATTR_REASONING_TOOL_CALL_REPEATED],
    brief: 'Tool calls that responses made.',
  },
  {
    name: METRIC_REASONING_CYCLE_STEPS,
    instrument: 'histogram',
    unit: '{step}',
    attributes: [],
    buckets: STEPS,
    brief: 'Model calls of a finished tool loop.',
  },
  {
    name: METRIC_REASONING_CYCLE_TOOL_CALLS,
    instrument: 'histogram',
    unit: '{call}',
    attributes: [],
    buckets: STEPS,
    brief: 'Tool calls of a finished tool loop.',
  },
  {
    name: METRIC_REASONING_RUNS,
    instrument: 'counter',
    unit: '{run}',
    attributes: [ATTR_REASONING_RUN_OUTCOME],
    zeros: each(ATTR_REASONING_RUN_OUTCOME, RUN_OUTCOMES),
    brief: 'Runs that ended, on the provider and model of their first call.',
  },
  {
    name: METRIC_REASONING_COST,
    instrument: 'counter',
    unit: '{USD}',
    attributes: [ATTR_REASONING_COST_KIND],
    brief: 'Estimate: what reasoning cost. Only where prices are configured.',
  },
  {
    name: METRIC_REASONING_INSTRUMENTATION_INFO,
    instrument: 'gauge',
    unit: '{sdk}',
    attributes: [
      ATTR_REASONING_INSTRUMENTATION_VERSION,
      ATTR_REASONING_INSTRUMENTATION_SDK,
      ATTR_REASONING_INSTRUMENTATION_SDK_VERSION,
      ATTR_REASONING_INSTRUMENTATION_SEEN_BY,
      ATTR_REASONING_INSTRUMENTATION_SPAN,
    ],
    brief: 'Always 1: which SDK is seen, and how.',
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_DURATION,
    instrument: 'histogram',
    unit: 's',
    attributes: [ATTR_ERROR_TYPE],
    buckets: SECONDS,
    brief: 'Duration of a call, its retries and the whole of its stream.',
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_TIME_TO_FIRST_CHUNK,
    instrument: 'histogram',
    unit: 's',
    attributes: [],
    buckets: SECONDS,
    brief: 'From the request to the first chunk; streams only.',
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_TIME_PER_OUTPUT_CHUNK,
    instrument: 'histogram',
    unit: 's',
    attributes: [],
    buckets: SECONDS,
    brief: 'From one chunk to the next; streams only.',
  },
  usageCounter(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_INPUT_TOKENS, 'Input tokens used, cached included.'),
  usageCounter(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_OUTPUT_TOKENS, 'Output tokens used, reasoning included.'),
  usageCounter(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_READ_INPUT_TOKENS, 'Input tokens read from the cache.'),
  usageCounter(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_CACHE_WRITE_INPUT_TOKENS, 'Input tokens written to the cache.'),
  usageCounter(METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS, 'Output tokens spent on reasoning.'),
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_INPUT_TOKENS,
    instrument: 'histogram',
    unit: '{token}',
    attributes: [],
    buckets: TOKENS,
    brief: 'Input tokens of one call that succeeded.',
  },
  {
    name: METRIC_GEN_AI_CLIENT_INFERENCE_OPERATION_OUTPUT_TOKENS,
    instrument: 'histogram',
    unit: '{token}',
    attributes: [],
    buckets: TOKENS,
    brief: 'Output tokens of one call that succeeded.',
  },
  {
    name: METRIC_GEN_AI_INVOKE_AGENT_DURATION,
    instrument: 'histogram',
    unit: 's',
    attributes: [ATTR_GEN_AI_AGENT_NAME, ATTR_ERROR_TYPE],
    buckets: SECONDS,
    brief: 'Duration of a run.',
  },
  {
    name: METRIC_GEN_AI_INVOKE_AGENT_INFERENCE_CALLS,
    instrument: 'histogram',
    unit: '{call}',
    attributes: [ATTR_GEN_AI_AGENT_NAME],
    buckets: STEPS,
    brief: 'Model calls of a run.',
  },
  {
    name: METRIC_GEN_AI_INVOKE_AGENT_TOOL_CALLS,
    instrument: 'histogram',
    unit: '{call}',
    attributes: [ATTR_GEN_AI_AGENT_NAME],
    buckets: STEPS,
    brief: 'Tool calls of a run.',
  },
];

/** What others write and we never do: boards and alerts ask it for calls that nobody judged. */
export const FOREIGN_METRICS: readonly MetricSpec[] = [
  {
    name: METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
    instrument: 'histogram',
    unit: 's',
    attributes: [],
    brief: 'Duration of a call, as instrumentations by conventions before 1.42 write it.',
  },
];
