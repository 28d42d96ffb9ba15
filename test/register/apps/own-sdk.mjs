// An application's own OpenTelemetry, which reports to OWN_URL. `startOwn` starts it; preloaded with OWN_START set it starts.
import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';

const ofSdkNode = createRequire(import.meta.resolve('@opentelemetry/sdk-node'));
const { OTLPMetricExporter } = ofSdkNode('@opentelemetry/exporter-metrics-otlp-http');

export function startOwn() {
  const sdk = new NodeSDK({
    serviceName: 'own',
    traceExporter: new OTLPTraceExporter({ url: `${process.env.OWN_URL}/v1/traces` }),
    metricReaders: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${process.env.OWN_URL}/v1/metrics` }),
      }),
    ],
    logRecordProcessors: [],
  });
  sdk.start();
  process.once('beforeExit', () => sdk.shutdown());
}

if (process.env.OWN_START) startOwn();
