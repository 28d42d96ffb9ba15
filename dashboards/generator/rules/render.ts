/** Rules in the formats of those who evaluate them. */
import { buildBoard } from '../board.ts';
import { BOARDS } from '../boards/index.ts';
import { labelName } from '../prometheus-name.ts';
import type { Settings } from '../settings.ts';
import { type AlertSpec, pageOf, type Say } from './alert.ts';
import { ALERTS } from './alerts.ts';
import { RECORDED, RECORDING_RULES, type Source, SPELT_OUT } from './recording.ts';

/** Templates of Prometheus. */
const TEMPLATES: Say = {
  label: (attribute) => `{{ $labels.${labelName(attribute)} }}`,
  urlLabel: (attribute) => `{{ $labels.${labelName(attribute)} | urlquery }}`,
  value: (form) => (form === 'percent' ? '{{ $value | humanizePercentage }}' : '{{ $value | printf "%.0f" }}'),
};

/** Templates of Grafana, without `$`, which its provisioning would take for an environment variable. */
const GRAFANA_TEMPLATES: Say = {
  label: (attribute) => `{{ .Labels.${labelName(attribute)} }}`,
  urlLabel: (attribute) => `{{ .Labels.${labelName(attribute)} | urlquery }}`,
  value: (form) =>
    form === 'percent' ? '{{ .Values.B.Value | humanizePercentage }}' : '{{ .Values.B.Value | printf "%.0f" }}',
};

/** Board and number of the panel that shows an alert. */
function panelOf({ name, panel: [uid, title] }: AlertSpec, settings: Settings): { uid: string; id: number } {
  const board = Object.values(BOARDS).find((each) => each.uid === uid);
  const panel = board && buildBoard(board, settings).panels?.find((each) => 'title' in each && each.title === title);
  if (panel === undefined || typeof panel.id !== 'number') throw new Error(`${name}: ${uid} has no panel ${title}`);
  return { uid, id: panel.id };
}

/** What people read when it fires; `say` fills in labels and the value. */
export function annotations(alert: AlertSpec, settings: Settings, say: Say): Record<string, string> {
  const { uid, id } = panelOf(alert, settings);
  return {
    summary: alert.summary,
    description: alert.description(say),
    runbook_url: settings.runbookUrl.replaceAll('{page}', pageOf(alert.name)),
    dashboard_url: `${settings.grafanaUrl}/d/${uid}?viewPanel=${id}&var-job=${say.urlLabel('job')}`,
  };
}

export const alertLabels = ({ name, severity }: AlertSpec, settings: Settings): Record<string, string> => ({
  severity: settings.severities[name] ?? severity,
  ...settings.labels,
});

export const recordingGroups = () => [{ name: 'reasoning.rules', rules: RECORDING_RULES }];

export const alertGroups = (settings: Settings, source: Source = RECORDED) => [
  {
    name: 'reasoning.alerts',
    rules: ALERTS.map((alert) => ({
      alert: alert.name,
      expr: alert.expr(source, settings),
      ...(alert.for !== undefined && { for: alert.for }),
      ...(alert.keepFiringFor !== undefined && { keep_firing_for: alert.keepFiringFor }),
      labels: alertLabels(alert, settings),
      annotations: annotations(alert, settings, TEMPLATES),
    })),
  },
];

/** For the Prometheus operator. */
export const prometheusRule = (settings: Settings) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'reasoning-otel', labels: { 'app.kubernetes.io/name': 'reasoning-otel' } },
  spec: { groups: [...recordingGroups(), ...alertGroups(settings)] },
});

const EXPRESSION = { type: '__expr__', uid: '__expr__' };

/** Needs no recorded series: every expression is spelt out. */
export const grafanaAlerting = (settings: Settings) => ({
  apiVersion: 1,
  groups: [
    {
      orgId: 1,
      name: 'reasoning',
      folder: 'Reasoning',
      interval: '1m',
      rules: ALERTS.map((alert) => {
        const { uid, id } = panelOf(alert, settings);
        return {
          uid: pageOf(alert.name),
          title: alert.name,
          condition: 'C',
          data: [
            {
              refId: 'A',
              relativeTimeRange: { from: 600, to: 0 },
              datasourceUid: settings.prometheusUid,
              model: { refId: 'A', expr: alert.expr(SPELT_OUT, settings), instant: true, range: false },
            },
            {
              refId: 'B',
              datasourceUid: '__expr__',
              model: { refId: 'B', datasource: EXPRESSION, type: 'reduce', expression: 'A', reducer: 'last' },
            },
            {
              refId: 'C',
              datasourceUid: '__expr__',
              model: {
                refId: 'C',
                datasource: EXPRESSION,
                type: 'threshold',
                expression: 'B',
                // A has a value only where it alerts, and each of those is above 0.
                conditions: [{ evaluator: { type: 'gt', params: [0] } }],
              },
            },
          ],
          dashboardUid: uid,
          panelId: id,
          // No value is what these expressions have when all is well.
          noDataState: 'OK',
          execErrState: 'Error',
          for: alert.for ?? '0s',
          ...(alert.keepFiringFor !== undefined && { keepFiringFor: alert.keepFiringFor }),
          annotations: annotations(alert, settings, GRAFANA_TEMPLATES),
          labels: alertLabels(alert, settings),
          isPaused: false,
        };
      }),
    },
  ],
});
