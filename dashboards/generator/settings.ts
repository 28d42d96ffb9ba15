import { parseArgs } from 'node:util';

/** What a team sets to its own when it generates boards and rules for itself. */
export interface Settings {
  /** Address of an alert's runbook; `{page}` stands for the page's name. */
  readonly runbookUrl: string;
  /** Address of Grafana. */
  readonly grafanaUrl: string;
  /** Address of Jaeger, as the browser reaches it. */
  readonly jaegerUrl: string;
  /** Uid of the Tempo data source that TraceQL links open. */
  readonly tempoUid: string;
  /** Uid of the Prometheus data source that Grafana-managed alerts ask. */
  readonly prometheusUid: string;
  /** Share of the expected blocks that should come back. */
  readonly objective: number;
  /** Severity by alert, where it is not ours. */
  readonly severities: Readonly<Record<string, string>>;
  /** Labels on every alert. */
  readonly labels: Readonly<Record<string, string>>;
}

const SEVERITIES: readonly string[] = ['critical', 'warning', 'info'];

export const DEFAULTS: Settings = {
  // A name that is nobody's (RFC 2606), until a team puts the pages where its people read.
  runbookUrl: 'https://runbooks.example/reasoning-otel/{page}.md',
  grafanaUrl: 'http://localhost:3000',
  jaegerUrl: 'http://localhost:16686',
  tempoUid: 'tempo',
  prometheusUid: 'prometheus',
  objective: 0.99,
  severities: {},
  labels: {},
};

const OPTIONS = {
  out: { type: 'string' },
  'runbook-url': { type: 'string' },
  'grafana-url': { type: 'string' },
  'jaeger-url': { type: 'string' },
  'tempo-uid': { type: 'string' },
  'prometheus-uid': { type: 'string' },
  objective: { type: 'string' },
  severity: { type: 'string', multiple: true },
  label: { type: 'string', multiple: true },
} as const;

function pairs(option: string, values: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    values.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new Error(`--${option} ${pair}: expected NAME=VALUE`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

function objectiveFrom(text: string): number {
  const objective = Number(text);
  if (!(objective > 0 && objective < 1)) throw new Error(`--objective ${text}: expected a share between 0 and 1`);
  return objective;
}

/**
 * Reads the options of `npm run dashboards`. Throws an Error of one line that names the option.
 * @param alerts names that `--severity` may give
 */
export function readSettings(
  args: readonly string[],
  alerts: readonly string[],
): { readonly settings: Settings; readonly out: string | undefined } {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const severities = pairs('severity', values.severity);
  for (const [alert, severity] of Object.entries(severities)) {
    if (!alerts.includes(alert)) throw new Error(`--severity ${alert}: there is no such alert`);
    if (!SEVERITIES.includes(severity)) {
      throw new Error(`--severity ${alert}=${severity}: expected one of ${SEVERITIES.join(', ')}`);
    }
  }
  return {
    out: values.out,
    settings: {
      runbookUrl: values['runbook-url'] ?? DEFAULTS.runbookUrl,
      grafanaUrl: withoutSlash(values['grafana-url'] ?? DEFAULTS.grafanaUrl),
      jaegerUrl: withoutSlash(values['jaeger-url'] ?? DEFAULTS.jaegerUrl),
      tempoUid: values['tempo-uid'] ?? DEFAULTS.tempoUid,
      prometheusUid: values['prometheus-uid'] ?? DEFAULTS.prometheusUid,
      objective: values.objective === undefined ? DEFAULTS.objective : objectiveFrom(values.objective),
      severities,
      labels: pairs('label', values.label),
    },
  };
}
