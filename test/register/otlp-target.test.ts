import { describe, expect, it } from 'vitest';
import { originOf, otlpTarget } from '../../src/register/otlp-target.ts';

const GRPC = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

describe('where traces go', () => {
  it.each([
    [{}, 'http/protobuf', 'http://localhost:4318/v1/traces'],
    [{ PROTOCOL: 'http/json' }, 'http/json', 'http://localhost:4318/v1/traces'],
    [{ PROTOCOL: 'carrier pigeon' }, 'http/protobuf', 'http://localhost:4318/v1/traces'],
    [{ PROTOCOL: 'http/json', TRACES_PROTOCOL: 'http/protobuf' }, 'http/protobuf', 'http://localhost:4318/v1/traces'],
    [{ ENDPOINT: 'https://otel.example/base/' }, 'http/protobuf', 'https://otel.example/base/v1/traces'],
    [{ ENDPOINT: 'http://a:1', TRACES_ENDPOINT: 'http://b:2/x' }, 'http/protobuf', 'http://b:2/x'],
    [{ ENDPOINT: 'nonsense' }, 'http/protobuf', undefined],
    [{ PROTOCOL: 'grpc' }, 'grpc', `http://localhost:4317${GRPC}`],
    [{ PROTOCOL: 'grpc', ENDPOINT: 'http://a:1/ignored' }, 'grpc', `http://a:1${GRPC}`],
    [{ PROTOCOL: 'grpc', ENDPOINT: 'a:1' }, 'grpc', `https://a:1${GRPC}`],
    [{ PROTOCOL: 'grpc', ENDPOINT: 'a:1', INSECURE: 'TRUE' }, 'grpc', `http://a:1${GRPC}`],
    [{ PROTOCOL: 'grpc', ENDPOINT: 'unix:/run/otel.sock' }, 'grpc', undefined],
  ])('%o', (given: Record<string, string>, protocol, url) => {
    const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [`OTEL_EXPORTER_OTLP_${name}`, value]));
    expect(otlpTarget('traces', env)).toMatchObject({ signal: 'traces', protocol, url });
  });

  it('headers: decoded, those of the signal over the general ones, nonsense left out', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a,x-one=1,nonsense,=2,x-bad=%',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: ' x-one = b=c ',
    };
    expect(otlpTarget('traces', env).headers).toEqual({ authorization: 'Bearer a', 'x-one': '1', 'x-bad': '%' });
    expect(otlpTarget('metrics', env).headers).toMatchObject({ authorization: 'Bearer a', 'x-one': 'b=c' });
  });

  it('certificates, by their files', () => {
    const env = {
      OTEL_EXPORTER_OTLP_CERTIFICATE: 'ca.pem',
      OTEL_EXPORTER_OTLP_CLIENT_KEY: 'key.pem',
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: 'traces.pem',
    };
    expect(otlpTarget('traces', env).tls).toEqual({ ca: 'ca.pem', key: 'traces.pem' });
    expect(otlpTarget('metrics', env).tls).toEqual({ ca: 'ca.pem', key: 'key.pem' });
  });

  it('credentials of a URL are not shown', () => {
    const target = otlpTarget('traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:secret@otel.example' });
    expect(originOf(target)).toBe('https://otel.example');
  });
});
