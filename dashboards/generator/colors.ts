import {
  ATTR_REASONING_CACHE_STATE,
  ATTR_REASONING_CONTINUITY,
  ATTR_REASONING_COST_KIND,
  ATTR_REASONING_CYCLE_STATE,
  ATTR_REASONING_EXPERIMENT_ARM,
  ATTR_REASONING_RUN_OUTCOME,
  ATTR_REASONING_SWITCH_SURVIVES,
} from '../../src/semconv.ts';
import { labelName } from './prometheus-name.ts';

/** What is nothing. */
export const GRAY = '#808080';

/** Values that mean good or bad look so, on every board. All others take the colours of Grafana's palette by turns. */
const COLORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [ATTR_REASONING_CONTINUITY]: { intact: 'green', partial: 'yellow', stripped: 'red', not_applicable: GRAY },
  [ATTR_REASONING_EXPERIMENT_ARM]: { intact: 'green', stripped: 'orange' },
  [ATTR_REASONING_RUN_OUTCOME]: { completed: 'green', failed: 'red', abandoned: GRAY },
  [ATTR_REASONING_SWITCH_SURVIVES]: { kept: 'green', dropped: 'red', unknown: GRAY },
  [ATTR_REASONING_CACHE_STATE]: { cached: 'blue', fresh: 'orange' },
  [ATTR_REASONING_CYCLE_STATE]: { open: 'blue', closed: 'orange' },
  [ATTR_REASONING_COST_KIND]: { generated: 'purple', resent_cached: 'blue', resent_fresh: 'orange' },
};

/** Colours of the series that a legend names, by name. */
export const colorsOf = (legend: string): ReadonlyArray<readonly [name: string, color: string]> =>
  Object.entries(COLORS).flatMap(([attribute, colors]) =>
    legend === `{{${labelName(attribute)}}}` ? Object.entries(colors) : [],
  );
