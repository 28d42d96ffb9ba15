import { stringify } from 'yaml';
import { buildBoard } from './board.ts';
import { BOARDS } from './boards/index.ts';
import { dashboardProvider, datasources } from './grafana.ts';
import { alertmanager } from './rules/alertmanager.ts';
import { alertGroups, grafanaAlerting, prometheusRule, recordingGroups } from './rules/render.ts';
import type { Settings } from './settings.ts';

const yaml = (head: string, content: unknown): string =>
  `# ${head}\n# Written by scripts/generate-dashboards.ts from dashboards/generator/.\n${stringify(content, {
    // Expressions and sentences stay on their line; the same object twice is written twice.
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })}`;

/** Every generated file, by its path under dashboards/. */
export const outputs = (settings: Settings): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries(BOARDS).map(
      ([file, board]) => [`${file}.json`, `${JSON.stringify(buildBoard(board, settings), null, 2)}\n`] as const,
    ),
    [
      'rules/reasoning.rules.yaml',
      yaml('Recording rules for Prometheus: growth of counters, births included.', { groups: recordingGroups() }),
    ],
    [
      'rules/reasoning.alerts.yaml',
      yaml('Alert rules for Prometheus. They read the recorded series of reasoning.rules.yaml.', {
        groups: alertGroups(settings),
      }),
    ],
    ['kubernetes/prometheus-rule.yaml', yaml('Both rule files for the Prometheus operator.', prometheusRule(settings))],
    ['alertmanager.yaml', yaml('An example for Alertmanager: one page for one cause.', alertmanager)],
    ['grafana/provisioning/datasources/reasoning-otel.yaml', yaml('Data sources for Grafana.', datasources)],
    ['grafana/provisioning/dashboards/reasoning-otel.yaml', yaml('Where Grafana finds the boards.', dashboardProvider)],
    [
      'grafana/provisioning/alerting/reasoning-otel.yaml',
      yaml('The same alerts, evaluated by Grafana itself. They need no recorded series.', grafanaAlerting(settings)),
    ],
  ]);
