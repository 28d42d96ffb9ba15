import type { Attributes } from '@opentelemetry/api';
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
import { type Gated, gateLabels, passes } from './gate.ts';
import type { CallCircumstances } from './gen-ai-attributes.ts';
import { metricModel } from './model-name.ts';

/** Distinct values of one open attribute before the rest becomes `_OTHER`: an SDK keeps 2,000 series a metric. */
const MAX_VALUES = 200;
const known = new Map<string, Map<string, string>>();

/**
 * A value for an attribute whose set is not closed, by `spell` where the wire has several spellings of one thing.
 * `_OTHER` where it is no name, or one name too many.
 */
export function openValue(name: string, value: string, spell: (value: string) => string = (same) => same): string {
  const values = known.get(name) ?? new Map<string, string>();
  known.set(name, values);
  const before = values.get(value);
  if (before !== undefined) return before;
  const spelt = spell(value);
  if (values.size >= MAX_VALUES || !passes('metric', name, spelt)) return VALUE_OTHER;
  values.set(value, spelt);
  return spelt;
}

/** What every `reasoning.*` metric carries. */
export const reasoningLabels = (
  facts: Pick<CallFacts, 'provider' | 'requestModel'> | undefined,
  experimentArm: string | undefined,
  runLabels: Attributes = {},
): Gated =>
  gateLabels(
    'metric',
    [
      [ATTR_GEN_AI_PROVIDER_NAME, facts && openValue(ATTR_GEN_AI_PROVIDER_NAME, facts.provider)],
      [ATTR_GEN_AI_REQUEST_MODEL, facts && openValue(ATTR_GEN_AI_REQUEST_MODEL, facts.requestModel, metricModel)],
      [ATTR_REASONING_EXPERIMENT_ARM, experimentArm],
    ],
    runLabels as Gated,
  );

/** What every `gen_ai.*` metric carries: those of ours, and where known the rest. */
export const genAiLabels = (ours: Gated, facts: CallFacts, { address, port }: CallCircumstances): Gated =>
  gateLabels(
    'metric',
    [
      [ATTR_GEN_AI_OPERATION_NAME, facts.operation],
      [
        ATTR_GEN_AI_RESPONSE_MODEL,
        facts.responseModel && openValue(ATTR_GEN_AI_RESPONSE_MODEL, facts.responseModel, metricModel),
      ],
      [ATTR_SERVER_ADDRESS, address],
      [ATTR_SERVER_PORT, port],
    ],
    ours,
  );
