/** Writes docs/telemetry.md from src/semconv.ts: what the package emits, by name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { prometheusName } from '../dashboards/generator/prometheus-name.ts';
import {
  ATTRIBUTES,
  type AttributeSpec,
  EVENT_REASONING_FINDING,
  GEN_AI_METRIC_ATTRIBUTES,
  METRICS,
  type Place,
  REASONING_METRIC_ATTRIBUTES,
  SCHEMA_URL,
  SCOPE_NAME,
} from '../src/semconv.ts';

const SHAPE_NAMES: Readonly<Record<NonNullable<AttributeSpec['shape']>, string>> = {
  word: 'a lower-case word',
  label: 'a name of up to four words',
  code: 'a word',
  error: 'an error type',
  model: 'a model name',
  tool: 'a tool name',
  id: 'an id',
  span_id: '16 hexadecimal digits',
  path: 'a path',
  host: 'a host',
  version: 'a version',
};

const isOurs = ({ name }: { readonly name: string }) => name.startsWith('reasoning.');

const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (text: string) => `\`${text}\``;
const list = (values: readonly string[]) => values.map(code).join(', ');

function valuesOf({ type, values, shape, unit }: AttributeSpec): string {
  if (values !== undefined) return list(values);
  if (shape !== undefined) return SHAPE_NAMES[shape];
  if (type === 'boolean') return list(['true', 'false']);
  return unit === undefined ? '' : `in ${code(unit)}`;
}

const attributesAt = (place: Place, ours: boolean): string =>
  table(
    ['name', 'type', 'values', 'meaning'],
    ATTRIBUTES.filter((attribute) => attribute.places.includes(place) && isOurs(attribute) === ours).map(
      (attribute) => [code(attribute.name), attribute.type, valuesOf(attribute), attribute.brief],
    ),
  );

const metricsOf = (ours: boolean): string =>
  table(
    ['name', 'kind, unit', 'in Prometheus', 'own attributes', 'meaning'],
    METRICS.filter((metric) => isOurs(metric) === ours).map((metric) => [
      code(metric.name),
      `${metric.instrument} ${code(metric.unit)}`,
      code(prometheusName(metric.name)),
      list(metric.attributes),
      metric.brief,
    ]),
  );

const page = `# Telemetry

Written by \`scripts/generate-telemetry-doc.ts\` from \`src/semconv.ts\`, where every name stands.

Scope ${code(SCOPE_NAME)}, schema URL ${code(SCHEMA_URL)}. Content is never recorded: no prompt, no reasoning, no seal, no
arguments, no results, no message of an error. The last step before anything is written lets pass only the names below, with
values of the type, the closed set or the shape given here (at most 256 bytes, without spaces); everything else is left out.

## The span of a call

Where the provider's SDK makes a span for the call, or another instrumentation's span for it is the active one, the
\`reasoning.*\` attributes go on that span. Otherwise the call gets a span \`{operation} {model}\` of kind CLIENT. A finding
leaves the span's status unset; only a call that failed has status ERROR, without a description.

Counts describe the request: expected = returned + dropped + damaged, so a block lost at step 2 is still missing at step 4.

${attributesAt('call', true)}

On a span of our own, by the GenAI conventions:

${attributesAt('call', false)}

A span has one link to each of the newest eight steps whose blocks the request sends again.

## Events

One event ${code(EVENT_REASONING_FINDING)} for each finding, at most 128 on a span (losses before notes).

${attributesAt('event', true)}

## The span of a run

On the span of \`withRun()\`, or of the SDK's own tool runner, while it is open: the worst state of its calls and the sums.
Blocks count once there, however often they are re-sent, so these are not the sums of the calls' attributes. Whoever derives
metrics from spans sums \`reasoning.blocks.newly_dropped\`, which stands on calls only.

${attributesAt('run', true)}

On that of \`withRun()\` also the attributes that it was given, and by the GenAI conventions:

${attributesAt('run', false)}

## Metrics

Every call counts, sampled or not. A block counts once, at the first request that shows it. Each carries
${list(REASONING_METRIC_ATTRIBUTES)} (the last inside an experiment only) beside its own; the info gauge has its own alone.
Model names are without dates and platform prefixes. A name that is none, and each beyond the first 200 of one attribute, is
\`_OTHER\`. Closed sets of values start at 0 when a provider and model are first seen. Attributes that \`withRun()\` was given
stand on the metrics of the run and of its calls where the setting \`metricAttributes\` names them.

${metricsOf(true)}

Each of the GenAI metrics carries ${list(GEN_AI_METRIC_ATTRIBUTES)} where known.

${metricsOf(false)}
`;

mkdirSync(new URL('../docs/', import.meta.url), { recursive: true });
writeFileSync(new URL('../docs/telemetry.md', import.meta.url), page);
