/** Files that Grafana reads at start. */

/** Where boards lie inside a Grafana container. */
const BOARDS_FOLDER = '/var/lib/grafana/dashboards/reasoning-otel';

export const dashboardProvider = {
  apiVersion: 1,
  providers: [
    {
      name: 'reasoning-otel',
      folder: 'Reasoning',
      folderUid: 'reasoning',
      type: 'file',
      options: { path: BOARDS_FOLDER },
    },
  ],
};

/** Names of the containers in the Compose stack. */
export const datasources = {
  apiVersion: 1,
  datasources: [
    {
      name: 'Prometheus',
      uid: 'prometheus',
      type: 'prometheus',
      access: 'proxy',
      url: 'http://prometheus:9090',
      isDefault: true,
      jsonData: {
        // As often as SDKs export by default; `$__rate_interval` is made from it and must span several exports.
        timeInterval: '60s',
        httpMethod: 'POST',
        // OpenTelemetry JS writes no exemplars; the Collector's span metrics can.
        exemplarTraceIdDestinations: [{ name: 'trace_id', datasourceUid: 'jaeger' }],
      },
    },
    { name: 'Jaeger', uid: 'jaeger', type: 'jaeger', access: 'proxy', url: 'http://jaeger:16686' },
  ],
};
