import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BOARDS } from '../../dashboards/generator/boards/index.ts';
import { pageOf } from '../../dashboards/generator/rules/alert.ts';
import { ALERTS } from '../../dashboards/generator/rules/alerts.ts';
import { DROP_REASONS } from '../../src/continuity/vocabulary.ts';
import { readBoard, readDashboards } from './support/board-json.ts';
import { readPromql } from './support/read-promql.ts';

const RUNBOOKS = new URL('../../docs/runbooks/', import.meta.url);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = parse(readDashboards('rules/reasoning.alerts.yaml')).groups[0].rules;

test('names are unique', () => expect(new Set(rules.map(({ alert }) => alert)).size).toBe(ALERTS.length));

describe.each(rules)('$alert', ({ alert, labels, annotations }) => {
  test('is named, graded and described by the conventions', () => {
    expect(alert).toMatch(/^Reasoning[A-Z][A-Za-z]+$/);
    expect(['critical', 'warning', 'info']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^[A-Z][^{}]+\.$/);
    expect(annotations.description).toContain('{{ $labels.job }}');
    expect(annotations.description).toContain('{{ $value | ');
  });

  test('names only labels that its expression keeps', () => {
    const { expr } = rules.find((rule) => rule.alert === alert) ?? { expr: '' };
    const { labels: kept } = readPromql(expr);
    const named = Object.values(annotations).flatMap((text) =>
      [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label),
    );
    // The burn rates keep what their recorded series have, and join on it.
    for (const label of named) expect(kept).toContain(label);
  });

  test('has a runbook, which tells what it means and how to find and mend it', () => {
    const page = new URL(`${pageOf(alert)}.md`, RUNBOOKS);
    expect(annotations.runbook_url).toMatch(new RegExp(`/${pageOf(alert)}\\.md$`));
    expect(existsSync(page)).toBe(true);
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(new RegExp(`^# ${alert}\n`));
    for (const heading of ['## What it means', '## Find the traces', '## Mend it']) expect(text).toContain(heading);
  });

  test('leads to the panel that shows it', () => {
    const { pathname, searchParams } = new URL(annotations.dashboard_url ?? '');
    const [, file = ''] =
      Object.entries(BOARDS)
        .map(([name, { uid }]) => [uid, name])
        .find(([uid]) => pathname === `/d/${uid}`) ?? [];
    const panel = readBoard(file).panels?.find(({ id }) => String(id) === searchParams.get('viewPanel'));
    expect(panel?.title).toBe(ALERTS.find(({ name }) => name === alert)?.panel[1]);
  });
});

test('every runbook belongs to an alert, and the index lists them all', () => {
  const pages = readdirSync(RUNBOOKS).filter((file) => file !== 'README.md');
  expect(pages.sort()).toEqual(rules.map(({ alert }) => `${pageOf(alert)}.md`).sort());
  const index = readFileSync(new URL('README.md', RUNBOOKS), 'utf8');
  for (const page of pages) expect(index).toContain(`](${page})`);
});

test('every drop reason has a section', () => {
  const index = readFileSync(new URL('README.md', RUNBOOKS), 'utf8');
  const sections = [...index.matchAll(/^### Reason (\w+)$/gm)].map(([, reason]) => reason);
  expect(sections.sort()).toEqual([...DROP_REASONS].sort());
});

test('Alertmanager silences only alerts that exist', () => {
  const { inhibit_rules: inhibitions, route, receivers } = parse(readDashboards('alertmanager.yaml'));
  const named = inhibitions.flatMap(({ source_matchers, target_matchers }: Record<string, string[]>) =>
    [...(source_matchers ?? []), ...(target_matchers ?? [])].flatMap((matcher) =>
      (/^alertname=~?"(.+)"$/.exec(matcher)?.[1] ?? '').split('|'),
    ),
  );
  const all = rules.map(({ alert }) => alert);
  for (const name of named) expect(all).toContain(name);
  const known = receivers.map(({ name }: { name: string }) => name);
  for (const { receiver } of [route, ...route.routes]) expect(known).toContain(receiver);
});

test('the operator gets the very rules of the two files', () => {
  const { groups } = parse(readDashboards('kubernetes/prometheus-rule.yaml')).spec;
  const files = ['rules/reasoning.rules.yaml', 'rules/reasoning.alerts.yaml'];
  expect(groups).toEqual(files.flatMap((file) => parse(readDashboards(file)).groups));
});

describe('the copy for Grafana', () => {
  const [group] = parse(readDashboards('grafana/provisioning/alerting/reasoning-otel.yaml')).groups;

  test('has the same alerts', () =>
    expect(group.rules.map(({ title }: { title: string }) => title)).toEqual(rules.map(({ alert }) => alert)));

  test.each(group.rules as ReadonlyArray<Record<string, unknown> & { uid: string; title: string }>)(
    '$title stands on its own',
    (rule) => {
      expect(rule.uid.length).toBeLessThanOrEqual(40);
      const [query, reduce, threshold] = rule.data as ReadonlyArray<{ refId: string; model: Record<string, unknown> }>;
      expect([query?.refId, reduce?.refId, threshold?.refId, rule.condition]).toEqual(['A', 'B', 'C', 'C']);
      expect([reduce?.model.expression, threshold?.model.expression]).toEqual(['A', 'B']);
      const { errors, selectors } = readPromql(String(query?.model.expr));
      expect(errors).toEqual([]);
      // Recorded series have colons in their names.
      for (const { metric = '' } of selectors) expect(metric).not.toContain(':');
      // Provisioning would read `$` as an environment variable.
      expect(JSON.stringify(rule)).not.toContain('$');
      expect(rule.noDataState).toBe('OK');
    },
  );
});
