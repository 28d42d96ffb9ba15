import { createServer } from 'node:net';

/** Every port of the stack, with what it is called where it is taken. */
export interface Ports {
  readonly otlpGrpc: number;
  readonly otlpHttp: number;
  readonly collectorHealth: number;
  readonly collectorMetrics: number;
  readonly jaeger: number;
  readonly jaegerGrpc: number;
  readonly jaegerOtlp: number;
  readonly jaegerHealth: number;
  readonly prometheus: number;
  readonly alertmanager: number;
}

/** Those of each program's own documents, where two do not want the same. */
export const STANDARD_PORTS: Ports = {
  otlpGrpc: 4317,
  otlpHttp: 4318,
  collectorHealth: 13133,
  collectorMetrics: 8888,
  jaeger: 16686,
  jaegerGrpc: 16685,
  jaegerOtlp: 14317,
  jaegerHealth: 13134,
  prometheus: 9090,
  alertmanager: 9093,
};

const listen = (port: number) =>
  new Promise<{ port: number; close(): Promise<void> }>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () => new Promise((closed) => server.close(() => closed())),
      });
    });
  });

/** Ports that are free now; all are held until the last is found, so that they differ. */
export async function freePorts(): Promise<Ports> {
  const held = await Promise.all(Object.keys(STANDARD_PORTS).map(async (name) => [name, await listen(0)] as const));
  await Promise.all(held.map(([, server]) => server.close()));
  return { ...STANDARD_PORTS, ...Object.fromEntries(held.map(([name, server]) => [name, server.port])) };
}

/** @throws a sentence that names every port that something else holds */
export async function checkPorts(ports: Ports): Promise<void> {
  const taken: string[] = [];
  for (const [name, port] of Object.entries(ports)) {
    try {
      await (await listen(port)).close();
    } catch {
      taken.push(`${port} (${name})`);
    }
  }
  if (taken.length > 0) {
    throw new Error(
      `Something else listens on 127.0.0.1 at port ${taken.join(', ')}. End it (another stack, a Compose stack?), or take free ports: REASONING_OTEL_STACK_PORTS=free`,
    );
  }
}
