import type { CallFacts } from '../dialects/dialect.ts';
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  VALUE_OTHER,
} from '../semconv.ts';
import { passes } from './gate.ts';
import type { CallCircumstances } from './gen-ai-attributes.ts';
import { metricModel } from './model-name.ts';

/** Distinct values of one open attribute before the rest becomes `_OTHER`: an SDK keeps 2,000 series a metric. */
const MAX_VALUES = 200;
const known = new Map<string, Set<string>>();

/** A value for an attribute whose set is not closed: `_OTHER` where it is no name, or one name too many. */
export function openValue(name: string, value: string): string {
  if (!passes('metric', name, value)) return VALUE_OTHER;
  const values = known.get(name) ?? new Set();
  known.set(name, values);
  if (!values.has(value)) {
    if (values.size >= MAX_VALUES) return VALUE_OTHER;
    values.add(value);
  }
  return value;
}

type Labels = ReadonlyArray<readonly [name: string, value: unknown]>;

/** What every `reasoning.*` metric carries. */
export const reasoningLabels = (facts: CallFacts, experimentArm: string | undefined): Labels => [
  [ATTR_GEN_AI_PROVIDER_NAME, openValue(ATTR_GEN_AI_PROVIDER_NAME, facts.provider)],
  [ATTR_GEN_AI_REQUEST_MODEL, openValue(ATTR_GEN_AI_REQUEST_MODEL, metricModel(facts.requestModel))],
  [ATTR_REASONING_EXPERIMENT_ARM, experimentArm],
];

/** What every `gen_ai.*` metric carries. */
export const genAiLabels = (
  facts: CallFacts,
  { address, port }: CallCircumstances,
  experimentArm: string | undefined,
): Labels => [
  ...reasoningLabels(facts, experimentArm),
  [ATTR_GEN_AI_OPERATION_NAME, facts.operation],
  [
    ATTR_GEN_AI_RESPONSE_MODEL,
    facts.responseModel === undefined
      ? undefined
      : openValue(ATTR_GEN_AI_RESPONSE_MODEL, metricModel(facts.responseModel)),
  ],
  [ATTR_SERVER_ADDRESS, address],
  [ATTR_SERVER_PORT, port],
];
