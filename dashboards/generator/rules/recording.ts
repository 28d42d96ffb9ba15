/** Series that rules compute ahead: how much a counter grew in a window, births included. */
import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_ASSERTION,
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_DROP_REASON,
  ATTR_REASONING_DROP_SOURCE,
  ATTR_REASONING_REJECTION,
  ATTR_REASONING_SWITCH_DIRECTION,
  ATTR_REASONING_TOOL_CALL_REPEATED,
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  METRIC_REASONING_ASSERTIONS,
  METRIC_REASONING_BLOCKS_DROPPED,
  METRIC_REASONING_BLOCKS_EXPECTED,
  METRIC_REASONING_MODEL_SWITCHES,
  METRIC_REASONING_REJECTIONS,
  METRIC_REASONING_TOKENS_RESENT,
  METRIC_REASONING_TOOL_CALLS,
} from '../../../src/semconv.ts';
import { labelName } from '../prometheus-name.ts';
import { type Matcher, select, sumBy } from '../promql.ts';
import { RULES, within } from '../scope.ts';

export type Window = '5m' | '15m' | '30m' | '1h' | '6h';

export interface Recording {
  /** Between `reasoning:` and `:increase5m`. */
  readonly name: string;
  readonly metric: string;
  readonly by: readonly string[];
  readonly windows: readonly Window[];
}

/** One model of one service: what alerts are about. */
export const SERVICE_AND_MODEL: readonly string[] = ['job', ATTR_GEN_AI_PROVIDER_NAME, ATTR_GEN_AI_REQUEST_MODEL];

const BURN_WINDOWS: readonly Window[] = ['5m', '30m', '1h', '6h'];

const recording = (name: string, metric: string, own: readonly string[], windows: readonly Window[]): Recording => ({
  name,
  metric,
  by: [...SERVICE_AND_MODEL, ...own],
  windows,
});

export const DROPPED = recording(
  'blocks_dropped',
  METRIC_REASONING_BLOCKS_DROPPED,
  [ATTR_REASONING_DROP_REASON, ATTR_REASONING_DROP_SOURCE],
  BURN_WINDOWS,
);
export const EXPECTED = recording('blocks_expected', METRIC_REASONING_BLOCKS_EXPECTED, [], BURN_WINDOWS);
export const REJECTIONS = recording('rejections', METRIC_REASONING_REJECTIONS, [ATTR_REASONING_REJECTION], ['5m']);
export const ASSERTIONS = recording('assertions', METRIC_REASONING_ASSERTIONS, [ATTR_REASONING_ASSERTION], ['15m']);
export const SWITCHES = recording(
  'model_switches',
  METRIC_REASONING_MODEL_SWITCHES,
  [ATTR_REASONING_SWITCH_DIRECTION],
  ['15m'],
);
export const RESENT = recording('tokens_resent', METRIC_REASONING_TOKENS_RESENT, [ATTR_REASONING_CACHE_STATE], ['30m']);
export const GENERATED = recording(
  'tokens_generated',
  METRIC_GEN_AI_CLIENT_INFERENCE_USAGE_REASONING_OUTPUT_TOKENS,
  [],
  ['30m'],
);
export const TOOL_CALLS = recording(
  'tool_calls',
  METRIC_REASONING_TOOL_CALLS,
  [ATTR_REASONING_TOOL_CALL_REPEATED],
  ['30m'],
);

const RECORDINGS: readonly Recording[] = [
  DROPPED,
  EXPECTED,
  REJECTIONS,
  ASSERTIONS,
  SWITCHES,
  RESENT,
  GENERATED,
  TOOL_CALLS,
];

/**
 * How much counters grew in a window, their first values included. `increase` takes the first value that it sees as given,
 * so a process that lives for one export counts nothing. Here a series that was not there in the hour before the window
 * counts in full. An hour, and not a moment, because a service whose telemetry fell silent for ten minutes would
 * otherwise seem to be born again with all that it ever counted.
 * @param ago how long ago the window ended
 */
function grown(selector: string, window: string, ago?: string): string {
  const at = ago === undefined ? '' : ` offset ${ago}`;
  const before = ago === undefined ? window : `${window}${ago}`;
  return `(last_over_time(${selector}[${window}]${at}) unless last_over_time(${selector}[1h] offset ${before})) or increase(${selector}[${window}]${at})`;
}

/** What was recorded under a name, spelt out. */
export const spelt = (
  { metric, by }: Recording,
  window: string,
  where: readonly Matcher[] = [],
  ago?: string,
): string => sumBy(metric, by, grown(select(within(RULES, { metric, where })), window, ago));

const recordedName = ({ name }: Recording, window: Window): string => `reasoning:${name}:increase${window}`;
const ratioName = (window: Window): string => `reasoning:drop_ratio:ratio${window}`;

/** Labels that `by` becomes. */
export const by = (attributes: readonly string[]): string => attributes.map(labelName).join(', ');

/** Where an alert's expression takes its series from. */
export interface Source {
  /** How much something grew in a window. */
  grown(recording: Recording, window: Window, where?: readonly Matcher[]): string;
  /** Share of the expected blocks that was dropped. */
  dropRatio(window: Window): string;
}

const dropRatio = (source: Pick<Source, 'grown'>, window: Window): string =>
  `sum by (${by(SERVICE_AND_MODEL)}) (${source.grown(DROPPED, window)}) / (${source.grown(EXPECTED, window)} > 0)`;

/** Recorded series, for Prometheus. */
export const RECORDED: Source = {
  grown(recording, window, where = []) {
    if (!recording.windows.includes(window)) throw new Error(`${recordedName(recording, window)} is not recorded`);
    const conditions = where.map(({ attribute, operator, value }) => `${labelName(attribute)}${operator}"${value}"`);
    return recordedName(recording, window) + (conditions.length > 0 ? `{${conditions.join(', ')}}` : '');
  },
  dropRatio: ratioName,
};

/** The same spelt out, for alerts that Grafana evaluates by itself. */
export const SPELT_OUT: Source = {
  grown: (recording, window, where) => `(${spelt(recording, window, where)})`,
  dropRatio: (window) => `(${dropRatio(SPELT_OUT, window)})`,
};

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

/** In the order of evaluation: the ratios read what stands above them. */
export const RECORDING_RULES: readonly RecordingRule[] = [
  ...RECORDINGS.flatMap((each) =>
    each.windows.map((window) => ({ record: recordedName(each, window), expr: spelt(each, window) })),
  ),
  ...BURN_WINDOWS.map((window) => ({ record: ratioName(window), expr: dropRatio(RECORDED, window) })),
];
