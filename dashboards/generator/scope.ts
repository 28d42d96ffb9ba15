/** Which series a board or a rule looks at. */
import {
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_REASONING_EXPERIMENT_ARM,
} from '../../src/semconv.ts';
import { attributesOf, type Matcher, matches, type Series, select, sumBy } from './promql.ts';

/** Narrows a series; conditions on attributes that the metric does not have are left out. */
export type Scope = readonly Matcher[];

/** The arms of an experiment. Where both are of one kind, the name of the second is numbered. */
const arm = (kind: string): string => `${kind}(_2)?`;

/** What loses reasoning on purpose pages nobody. Series outside an experiment have no arm, and are in. */
const NOT_STRIPPED: Matcher = { attribute: ATTR_REASONING_EXPERIMENT_ARM, operator: '!~', value: arm('stripped') };

export const STRIPPED_ARM: Matcher = matches(ATTR_REASONING_EXPERIMENT_ARM, arm('stripped'));
export const INTACT_ARM: Matcher = matches(ATTR_REASONING_EXPERIMENT_ARM, arm('intact'));

/** Every selector of a board follows the pickers for job and instance. */
const PICKED_TARGETS: Scope = [matches('job', '$job'), matches('instance', '$instance')];

/** What a board for people on call shows. */
export const ON_CALL: Scope = [
  ...PICKED_TARGETS,
  matches(ATTR_GEN_AI_PROVIDER_NAME, '$provider'),
  matches(ATTR_GEN_AI_REQUEST_MODEL, '$model'),
  NOT_STRIPPED,
];

/** Nothing but an experiment. */
export const EXPERIMENT: Scope = [...PICKED_TARGETS, matches(ATTR_REASONING_EXPERIMENT_ARM, '.+')];

/** What rules look at. */
export const RULES: Scope = [NOT_STRIPPED];

/** `series` within the scope. */
export function within(scope: Scope, { metric, part, where = [] }: Series): Series {
  const own = attributesOf(metric);
  const applies = ({ attribute }: Matcher): boolean =>
    own.includes(attribute) || attribute === 'job' || attribute === 'instance';
  return { metric, part, where: [...scope.filter(applies), ...where] };
}

export interface Counted extends Series {
  readonly by?: readonly string[];
}

export interface Counting {
  /** How much a counter grew in the window; by default the time that the board shows. */
  increase(counted: Counted, window?: string): string;
  /** How fast a counter grows, per second. */
  rate(counted: Counted): string;
}

/** Queries of a board. Grafana fills in the windows. */
export function counting(scope: Scope): Counting {
  const sum = (call: string, counted: Counted, window: string): string =>
    sumBy(counted.metric, counted.by ?? [], `${call}(${select(within(scope, counted))}[${window}])`);
  return {
    increase: (counted, window = '$__range') => sum('increase', counted, window),
    rate: (counted) => sum('rate', counted, '$__rate_interval'),
  };
}
