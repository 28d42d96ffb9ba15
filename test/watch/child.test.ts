import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/watch/child.ts';

const of = (env: NodeJS.ProcessEnv) =>
  childEnvironment({ endpoint: 'http://127.0.0.1:9', register: 'file:///dist/register.js', env });

describe('the environment of the watched program', () => {
  it('preloads register beside the options that are there, and keeps everything else', () => {
    expect(of({ NODE_OPTIONS: '--max-old-space-size=99', HOME: '/home' })).toMatchObject({
      NODE_OPTIONS: '--max-old-space-size=99 --import=file:///dist/register.js',
      HOME: '/home',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    expect(of({}).NODE_OPTIONS).toBe('--import=file:///dist/register.js');
  });

  it('takes out what would send the data elsewhere, in another form or not at all', () => {
    const env = of({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://elsewhere',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    expect(Object.keys(env).filter((name) => /OTLP_(TRACES|METRICS|LOGS)_/.test(name))).toEqual([]);
    expect(env).toMatchObject({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'always_on' });
  });
});
