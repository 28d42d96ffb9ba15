import { expect, test } from 'vitest';
import { BOARDS } from '../../dashboards/generator/boards/index.ts';
import { ATTRIBUTES } from '../../src/semconv.ts';
import { linksOf, readBoard } from './support/board-json.ts';

const links = Object.keys(BOARDS).flatMap((file) =>
  (readBoard(file).panels ?? []).flatMap((panel) =>
    linksOf(panel).map(({ title, url }) => ({ panel: `${file}: ${panel.title}`, title, url })),
  ),
);
const to = (title: string) => links.filter((link) => link.title === title);

/** Searchable on a span, with what a span says of it. */
const onSpans = new Map(
  ATTRIBUTES.filter(({ places }) => places.some((place) => place !== 'metric')).map((each) => [each.name, each]),
);

/** As Grafana fills it in. */
const filledIn = (url: string): string =>
  url
    .replace('${jaegerUrl:raw}', 'http://jaeger:16686')
    .replaceAll('${jaegerService}', 'agent')
    .replaceAll('${__from}', '1000')
    .replaceAll('${__to}', '2000')
    .replaceAll(/\$\{__(?:field\.labels|data\.fields)\.\w+\}/g, 'value');

function checkValue(name: string, value: string): void {
  const spec = onSpans.get(name);
  expect(spec, name).toBeDefined();
  if (value === 'value') return;
  if (spec?.values !== undefined) expect(spec.values).toContain(value);
  if (spec?.type === 'boolean') expect(['true', 'false']).toContain(value);
}

test('both kinds of link are there', () => {
  expect(to('Traces in Jaeger').length).toBeGreaterThan(15);
  expect(to('Traces in Tempo').length).toBe(to('Traces in Jaeger').length);
  expect(links.length).toBe(2 * to('Traces in Jaeger').length);
});

test.each(to('Traces in Jaeger'))('$panel: a search that Jaeger understands', ({ url }) => {
  const { origin, pathname, searchParams } = new URL(filledIn(url));
  expect([origin, pathname]).toEqual(['http://jaeger:16686', '/search']);
  // Microseconds, from Grafana's milliseconds.
  expect([searchParams.get('service'), searchParams.get('start'), searchParams.get('end')]).toEqual([
    'agent',
    '1000000',
    '2000000',
  ]);
  const tags: Record<string, string> = JSON.parse(searchParams.get('tags') ?? '');
  for (const [name, value] of Object.entries(tags)) checkValue(name, value);
  // With date and platform prefix on a span, without on a metric.
  expect(Object.keys(tags)).not.toContain('gen_ai.request.model');
});

test.each(to('Traces in Tempo'))('$panel: a query in TraceQL', ({ url }) => {
  const { pathname, searchParams } = new URL(filledIn(url), 'http://grafana:3000');
  expect(pathname).toBe('/explore');
  const { traces } = JSON.parse(searchParams.get('panes') ?? '');
  expect(traces.range).toEqual({ from: '1000', to: '2000' });
  const [{ query, queryType, datasource }] = traces.queries;
  expect([queryType, datasource.uid, traces.datasource]).toEqual(['traceql', 'tempo', 'tempo']);
  const conditions = /^\{ resource\.service\.name = "agent" && (.+) \}$/.exec(query)?.[1]?.split(' && ') ?? [];
  expect(conditions).not.toEqual([]);
  for (const condition of conditions) {
    const [, name = '', quoted, plain] = /^span\.(\S+) = (?:"([^"]*)"|(true|false|\d+))$/.exec(condition) ?? [];
    checkValue(name, quoted ?? plain ?? '');
    if (plain !== undefined) expect(onSpans.get(name)?.type).not.toBe('string');
    else expect(['string', 'string[]']).toContain(onSpans.get(name)?.type);
  }
});
