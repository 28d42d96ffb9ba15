import * as v from 'valibot';
import type { Simulator } from '../../../src/simulator/index.ts';
import { type Loop, STEPS, TOKENS } from './agent.ts';

/** Blocks that a whole loop should send back: one of each answer but the last. */
const BLOCKS = STEPS - 1;

/** What one loop adds to each counter, by the values of the labels named in COUNTERS. Worked out by hand. */
type Adds = Readonly<Record<string, Readonly<Record<string, number>>>>;

const SOUND: Adds = {
  reasoning_calls_total: { not_applicable: 1, intact: BLOCKS },
  reasoning_blocks_expected_total: { '': BLOCKS },
  reasoning_blocks_returned_total: { '': BLOCKS },
  reasoning_assertions_total: { pass: STEPS },
  reasoning_tool_calls_total: { look_up: BLOCKS },
  // The first block is sent again with each of five requests, the second with four … None of it from a cache.
  reasoning_tokens_resent_total: { 'fresh open': (TOKENS * STEPS * BLOCKS) / 2 },
  // A dollar a token: apps/prices.json.
  reasoning_cost_total: { generated: TOKENS * STEPS, resent_fresh: (TOKENS * STEPS * BLOCKS) / 2 },
};
const STRIPPED: Adds = {
  reasoning_calls_total: { not_applicable: 1, stripped: BLOCKS },
  reasoning_blocks_expected_total: { '': BLOCKS },
  reasoning_blocks_dropped_total: { 'omitted_in_cycle client': BLOCKS },
  reasoning_findings_total: { 'dropped client': BLOCKS },
  reasoning_assertions_total: { pass: STEPS },
  reasoning_tool_calls_total: { look_up: BLOCKS },
  reasoning_cost_total: { generated: TOKENS * STEPS },
};
/** No price is set for this model. */
const { reasoning_cost_total: _, ...RESPONSES } = STRIPPED;
/** The second request is refused, and the loop ends there. */
const UNSEALED: Adds = {
  reasoning_calls_total: { not_applicable: 1, stripped: 1 },
  reasoning_blocks_expected_total: { '': 1 },
  reasoning_findings_total: { 'edited client': 1 },
  reasoning_rejections_total: { member_missing: 1 },
  reasoning_assertions_total: { pass: 1, skip: 1 },
  reasoning_tool_calls_total: { look_up: 1 },
  reasoning_cost_total: { generated: TOKENS },
};

const ADDS: Readonly<Record<Loop, Adds>> = {
  sound: SOUND,
  stripped: STRIPPED,
  responses: RESPONSES,
  unsealed: UNSEALED,
};

/** Every counter that the library writes, and the labels by which it is compared. */
const COUNTERS: Readonly<Record<string, readonly string[]>> = {
  reasoning_calls_total: ['reasoning_continuity'],
  reasoning_blocks_expected_total: [],
  reasoning_blocks_returned_total: [],
  reasoning_blocks_dropped_total: ['reasoning_drop_reason', 'reasoning_drop_source'],
  reasoning_blocks_released_total: ['reasoning_drop_reason'],
  reasoning_findings_total: ['reasoning_finding_kind', 'reasoning_finding_source'],
  reasoning_rejections_total: ['reasoning_rejection'],
  reasoning_assertions_total: ['reasoning_assertion'],
  reasoning_model_switches_total: ['reasoning_switch_direction'],
  reasoning_tokens_resent_total: ['reasoning_cache_state', 'reasoning_cycle_state'],
  reasoning_runs_total: ['reasoning_run_outcome'],
  reasoning_cost_total: ['reasoning_cost_kind'],
  reasoning_tool_calls_total: ['gen_ai_tool_name'],
};

/** By which labels a counter is compared; token counters as a whole. */
export const labelsOf = (metric: string): readonly string[] => COUNTERS[metric] ?? [];

/** Totals of each `reasoning.*` counter after these loops. A counter to which nothing was added is empty. */
export function expectedTotals(loops: readonly Loop[]): Record<string, Record<string, number>> {
  const sums: Record<string, Record<string, number>> = Object.fromEntries(
    Object.keys(COUNTERS).map((name) => [name, {}]),
  );
  for (const loop of loops) {
    for (const [metric, adds] of Object.entries(ADDS[loop])) {
      const sum = sums[metric] ?? {};
      for (const [key, count] of Object.entries(adds)) sum[key] = (sum[key] ?? 0) + count;
    }
  }
  return sums;
}

const count = v.optional(v.number(), 0);
/** Both providers' wire, as the simulator answered it. */
const Answered = v.object({
  usage: v.object({
    input_tokens: v.number(),
    output_tokens: v.number(),
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    input_tokens_details: v.optional(v.object({ cached_tokens: count, cache_write_tokens: count }), {}),
    output_tokens_details: v.optional(v.object({ thinking_tokens: count, reasoning_tokens: count }), {}),
  }),
});
type Usage = v.InferOutput<typeof Answered>['usage'];

/** Anthropic counts cached input beside the rest, OpenAI within it. */
const TOKENS_OF: Readonly<Record<string, (usage: Usage) => number>> = {
  input_tokens: (usage) => usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
  output_tokens: (usage) => usage.output_tokens,
  cache_read_input_tokens: (usage) => usage.cache_read_input_tokens + (usage.input_tokens_details.cached_tokens ?? 0),
  cache_write_input_tokens: (usage) =>
    usage.cache_creation_input_tokens + (usage.input_tokens_details.cache_write_tokens ?? 0),
  reasoning_output_tokens: ({ output_tokens_details: { thinking_tokens, reasoning_tokens } }) =>
    (thinking_tokens ?? 0) + (reasoning_tokens ?? 0),
};

/** Totals of the token counters, from what the provider itself said in its answers. */
export function answeredTokens({ requests }: Simulator): Record<string, Record<string, number>> {
  const usages = requests.flatMap(({ verdict }) => {
    const answered = v.safeParse(Answered, verdict.answer);
    return answered.success ? [answered.output.usage] : [];
  });
  return Object.fromEntries(
    Object.entries(TOKENS_OF).map(([name, read]): [string, Record<string, number>] => {
      const sum = usages.reduce((whole, usage) => whole + read(usage), 0);
      return [`gen_ai_client_inference_usage_${name}_total`, sum === 0 ? {} : { '': sum }];
    }),
  );
}
