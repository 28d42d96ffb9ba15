/** How OTLP travels. */
export type OtlpProtocol = 'http/json' | 'http/protobuf' | 'grpc';
export type Signal = 'traces' | 'metrics';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where one signal goes, by the standard variables: what the exporters read for themselves, for those who need it beside them. */
export interface OtlpTarget {
  readonly signal: Signal;
  readonly protocol: OtlpProtocol;
  /** With path; undefined where the variable holds no URL that can be dialled from here (a Unix socket). */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Paths of PEM files. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}

const PROTOCOLS: readonly string[] = ['http/json', 'http/protobuf', 'grpc'] satisfies OtlpProtocol[];
const isProtocol = (text: string | undefined): text is OtlpProtocol => text !== undefined && PROTOCOLS.includes(text);

const GRPC_PATHS: Readonly<Record<Signal, string>> = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
};

/**
 * Reads the variables of https://opentelemetry.io/docs/specs/otel/protocol/exporter/ for one signal. An unknown protocol
 * is `http/protobuf`, as for the SDK.
 */
export function otlpTarget(signal: Signal, env: Environment = process.env): OtlpTarget {
  const general = (name: string): string | undefined => env[`OTEL_EXPORTER_OTLP_${name}`]?.trim() || undefined;
  const specific = (name: string): string | undefined => general(`${signal.toUpperCase()}_${name}`);
  const read = (name: string): string | undefined => specific(name) ?? general(name);
  const asked = read('PROTOCOL');
  const protocol = isProtocol(asked) ? asked : 'http/protobuf';
  const ca = read('CERTIFICATE');
  const cert = read('CLIENT_CERTIFICATE');
  const key = read('CLIENT_KEY');
  return {
    signal,
    protocol,
    url:
      protocol === 'grpc'
        ? grpcUrl(read('ENDPOINT'), signal, read('INSECURE')?.toLowerCase() === 'true')
        : httpUrl(specific('ENDPOINT'), general('ENDPOINT'), signal),
    headers: { ...keyPairs(general('HEADERS')), ...keyPairs(specific('HEADERS')) },
    tls: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
  };
}

/** For people: without path, and without the credentials that a URL can hold. */
export const originOf = ({ url }: OtlpTarget): string => (url === undefined ? 'the collector' : new URL(url).origin);

/** An endpoint of one signal is taken as it is; the general one is a base. */
function httpUrl(specific: string | undefined, base: string | undefined, signal: Signal): string | undefined {
  const url = specific ?? `${(base ?? 'http://localhost:4318').replace(/\/$/, '')}/v1/${signal}`;
  return URL.canParse(url) ? url : undefined;
}

/** The path of an endpoint means nothing to gRPC. Without a scheme it is TLS, unless that is switched off. */
function grpcUrl(endpoint = 'http://localhost:4317', signal: Signal, insecure: boolean): string | undefined {
  const dialled = /^https?:\/\//.test(endpoint) ? endpoint : `${insecure ? 'http' : 'https'}://${endpoint}`;
  if (!URL.canParse(dialled) || /^(?:unix|dns|ipv[46]):/.test(endpoint)) return undefined;
  return new URL(GRPC_PATHS[signal], dialled).href;
}

/** `name=value,name=value`, percent-encoded; what has no `=` is left out. */
function keyPairs(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[decode(pair.slice(0, at)).toLowerCase(), decode(pair.slice(at + 1))] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}
