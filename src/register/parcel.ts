import type { OtlpTarget } from './otlp-target.ts';

/** Telemetry that is ready to be posted by somebody who knows nothing of it. Plain JSON. */
export interface Parcel {
  readonly kind: 'http' | 'grpc';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Paths of PEM files. */
  readonly tls: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
}

const CONTENT_TYPES = {
  'http/json': 'application/json',
  'http/protobuf': 'application/x-protobuf',
  grpc: 'application/grpc',
} as const;

/** @returns undefined where the target has no address that a bare request can go to */
export function parcel({ url, protocol, headers, tls }: OtlpTarget, body: Uint8Array): Parcel | undefined {
  if (url === undefined) return undefined;
  return {
    kind: protocol === 'grpc' ? 'grpc' : 'http',
    url,
    headers: { ...headers, 'content-type': CONTENT_TYPES[protocol] },
    tls: { ...tls },
    body: Buffer.from(body).toString('base64'),
  };
}
