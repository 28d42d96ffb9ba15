/**
 * Ways from a number to the traces behind it. OpenTelemetry JS writes no exemplars, so they are searches by attributes that
 * the spans carry. `${…}` in a value is filled in by Grafana.
 */
import { labelName } from './prometheus-name.ts';
import type { Settings } from './settings.ts';

/** A link as Grafana keeps it with a field. */
export interface FieldLink {
  readonly title: string;
  readonly url: string;
  readonly targetBlank: true;
}

/**
 * Attributes that a span must have, with their values. Never the model: on metrics its name is without date and platform
 * prefix, so that equality would miss spans.
 */
export type Tags = Readonly<Record<string, string>>;

/** Percent-encodes all but Grafana's variables. */
const encode = (text: string): string =>
  text
    .split(/(\$\{[^}]+\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');

/** The value of a series' label, in a trend. */
export const ofSeries = (attribute: string): string => `\${__field.labels.${labelName(attribute)}}`;
/** The value in a column of the row, in a table. */
export const ofRow = (attribute: string): string => `\${__data.fields.${labelName(attribute)}}`;

const SERVICE = '${jaegerService}';

/** Jaeger's search: every value is a string there, and all tags must be on one span. */
function jaegerSearch(tags: Tags): FieldLink {
  const query = [
    `service=${SERVICE}`,
    'start=${__from}000',
    'end=${__to}000',
    'limit=100',
    `tags=${encode(JSON.stringify(tags))}`,
  ];
  return {
    title: 'Traces in Jaeger',
    // `raw`, because an address must not be encoded again.
    url: `\${jaegerUrl:raw}/search?${query.join('&')}`,
    targetBlank: true,
  };
}

/** What stands for a boolean or a number is written without quotes in TraceQL. */
const literal = (value: string): string => (/^(true|false|\d+)$/.test(value) ? value : JSON.stringify(value));

const traceQl = (tags: Tags): string => {
  const conditions = Object.entries(tags).map(([name, value]) => `span.${name} = ${literal(value)}`);
  return `{ ${[`resource.service.name = "${SERVICE}"`, ...conditions].join(' && ')} }`;
};

/** Grafana's own Explore page with a TraceQL query. */
function tempoSearch(tags: Tags, { tempoUid }: Settings): FieldLink {
  const query = {
    refId: 'A',
    datasource: { type: 'tempo', uid: tempoUid },
    queryType: 'traceql',
    query: traceQl(tags),
    limit: 100,
  };
  const pane = { datasource: tempoUid, queries: [query], range: { from: '${__from}', to: '${__to}' } };
  return {
    title: 'Traces in Tempo',
    url: `/explore?schemaVersion=1&orgId=1&panes=${encode(JSON.stringify({ traces: pane }))}`,
    targetBlank: true,
  };
}

/** Both searches; a team without one of the stores leaves that link alone. */
export const traces = (tags: Tags, settings: Settings): readonly FieldLink[] => [
  jaegerSearch(tags),
  tempoSearch(tags, settings),
];
