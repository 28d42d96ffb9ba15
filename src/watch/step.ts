import type { ApiName } from '../dialects/dialect.ts';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_BLOCKS_DAMAGED,
  ATTR_REASONING_BLOCKS_DROPPED,
  ATTR_REASONING_BLOCKS_EXPECTED,
  ATTR_REASONING_BLOCKS_ISSUED,
  ATTR_REASONING_BLOCKS_NEWLY_DROPPED,
  ATTR_REASONING_BLOCKS_RETURNED,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_FINDING_CERTAINTY,
  ATTR_REASONING_FINDING_COUNT,
  ATTR_REASONING_FINDING_CULPRIT,
  ATTR_REASONING_FINDING_KIND,
  ATTR_REASONING_FINDING_PATH,
  ATTR_REASONING_FINDING_SEVERITY,
  ATTR_REASONING_PREFIX_CHANGED,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_RUN_ID,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_SWITCH_FROM,
  ATTR_REASONING_SWITCH_TO,
  ATTR_REASONING_TOKENS_RESENT,
  EVENT_REASONING_FINDING,
  OPERATION_INVOKE_AGENT,
} from '../semconv.ts';
import type { AttributeValue, ReceivedEvent, ReceivedSpan } from './otlp-json.ts';

export interface StepFinding {
  readonly kind: string;
  readonly count: number;
  readonly reason?: string;
  readonly path?: string;
  /** Whose code on the client's side: `app` or `sdk`. */
  readonly culprit?: string;
  readonly loss: boolean;
  readonly inferred: boolean;
}

/** One model call as its span tells it. Counts in blocks, as in `Judgement.blocks`. */
export interface Step {
  readonly id: string;
  readonly runId: string;
  readonly service: string;
  readonly startMs: number;
  readonly model: string;
  readonly api?: ApiName;
  readonly continuity: string;
  readonly issued: number;
  readonly expected: number;
  readonly returned: number;
  readonly dropped: number;
  readonly damaged: number;
  readonly newlyDropped: number;
  /** Reasoning tokens sent again, an estimate; undefined where nothing is known. */
  readonly resent?: number;
  readonly findings: readonly StepFinding[];
  readonly prefixChanged?: string;
  /** Class of the refusal. */
  readonly rejection?: string;
  readonly error?: string;
  readonly assertionFailed: boolean;
  readonly modelSwitch?: { readonly from: string; readonly to: string; readonly direction: string };
}

const text = (value: AttributeValue | undefined): string | undefined =>
  typeof value === 'string' && value ? value : undefined;
const number = (value: AttributeValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Optional members are left out rather than set to undefined. */
const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** The member of a body that a path begins with, which is the history under the name that one API has for it. */
const APIS_BY_MEMBER: Readonly<Record<string, ApiName>> = {
  input: 'openai.responses',
  previous_response_id: 'openai.responses',
  conversation: 'openai.responses',
  messages: 'openai.chat',
  contents: 'gemini.generateContent',
  config: 'gemini.generateContent',
  generationConfig: 'gemini.generateContent',
  previous_interaction_id: 'gemini.interactions',
  generation_config: 'gemini.interactions',
};

/** Platforms that serve Claude by the Messages API alone; Bedrock has Converse beside it. */
const ANTHROPIC_PLATFORMS = ['anthropic', 'gcp.vertex_ai'];

/** No attribute names the API: a provider, a model and the place of a finding tell it together, where anything does. */
const apiOf = (provider: string | undefined, model: string, findings: readonly StepFinding[]): ApiName | undefined => {
  const isClaude = model.includes('claude') && (provider === undefined || ANTHROPIC_PLATFORMS.includes(provider));
  if (provider === 'anthropic' || isClaude) return 'anthropic.messages';
  const members = findings.flatMap(({ path }) => path?.split('.')[0] ?? []);
  const api = members.map((member) => APIS_BY_MEMBER[member]).find((one) => one !== undefined);
  // Interactions have `input` as well.
  if (api === 'openai.responses' && provider?.startsWith('gcp.')) return 'gemini.interactions';
  // Converse has `messages` as well, and Claude behind it is not told from Claude behind the Messages API.
  if (api !== 'openai.chat' || provider !== 'aws.bedrock') return api;
  return model.includes('claude') ? undefined : 'bedrock.converse';
};

const readFinding = ({ attributes: of }: ReceivedEvent): StepFinding => ({
  kind: text(of[ATTR_REASONING_FINDING_KIND]) ?? 'unknown',
  count: number(of[ATTR_REASONING_FINDING_COUNT]) ?? 1,
  ...given('reason', text(of[ATTR_REASONING_DROP_REASON])),
  ...given('path', text(of[ATTR_REASONING_FINDING_PATH])),
  ...given('culprit', text(of[ATTR_REASONING_FINDING_CULPRIT])),
  loss: of[ATTR_REASONING_FINDING_SEVERITY] !== 'note',
  inferred: of[ATTR_REASONING_FINDING_CERTAINTY] === 'inferred',
});

/** Reads a span as a step; undefined where it is no call that was judged. */
export function readStep(span: ReceivedSpan): Step | undefined {
  const of = span.attributes;
  const runId = text(of[ATTR_REASONING_RUN_ID]);
  const continuity = text(of[ATTR_REASONING_CONTINUITY]);
  const requestModel = text(of[ATTR_GEN_AI_REQUEST_MODEL]);
  // The span of withRun or of a tool runner carries the roll-up of its steps: it is no step itself.
  if (of[ATTR_GEN_AI_OPERATION_NAME] === OPERATION_INVOKE_AGENT) return undefined;
  if (!runId || !continuity || !requestModel) return undefined;
  const direction = text(of[ATTR_REASONING_SWITCH_DIRECTION]);
  const model = text(of[ATTR_GEN_AI_RESPONSE_MODEL]) ?? requestModel;
  const findings = span.events.filter((event) => event.name === EVENT_REASONING_FINDING).map(readFinding);
  return {
    id: `${span.traceId}/${span.spanId}`,
    runId,
    service: span.service,
    startMs: span.startMs,
    model,
    ...given('api', apiOf(text(of[ATTR_GEN_AI_PROVIDER_NAME]), model, findings)),
    continuity,
    issued: number(of[ATTR_REASONING_BLOCKS_ISSUED]) ?? 0,
    expected: number(of[ATTR_REASONING_BLOCKS_EXPECTED]) ?? 0,
    returned: number(of[ATTR_REASONING_BLOCKS_RETURNED]) ?? 0,
    dropped: number(of[ATTR_REASONING_BLOCKS_DROPPED]) ?? 0,
    damaged: number(of[ATTR_REASONING_BLOCKS_DAMAGED]) ?? 0,
    newlyDropped: number(of[ATTR_REASONING_BLOCKS_NEWLY_DROPPED]) ?? 0,
    ...given('resent', number(of[ATTR_REASONING_TOKENS_RESENT])),
    // Losses first, then in the order in which they were recorded.
    findings: [...findings.filter((one) => one.loss), ...findings.filter((one) => !one.loss)],
    ...given('prefixChanged', text(of[ATTR_REASONING_PREFIX_CHANGED])),
    ...given('rejection', text(of[ATTR_REASONING_REJECTION])),
    ...given('error', text(of[ATTR_ERROR_TYPE])),
    assertionFailed: of[ATTR_REASONING_ASSERTION] === 'fail',
    ...given(
      'modelSwitch',
      direction === undefined
        ? undefined
        : {
            direction,
            from: text(of[ATTR_REASONING_SWITCH_FROM]) ?? '?',
            to: text(of[ATTR_REASONING_SWITCH_TO]) ?? '?',
          },
    ),
  };
}
