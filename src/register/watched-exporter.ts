import { type OtlpTarget, originOf } from './otlp-target.ts';
import type { Reachability } from './reachability.ts';
import { sayOnce } from './say.ts';

interface ExportResult {
  /** 0 is success, 1 failure. */
  code: number;
  error?: Error;
}

/** What span exporters and metric exporters of every version have in common. */
export interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

export interface WatchedExporter<E> {
  readonly exporter: E;
  /** Resolves once no export is under way. */
  settled(): Promise<unknown>;
}

const SUCCESS = 0;
const FAILED = 1;

/**
 * An exporter that asks whether somebody listens before it exports, and tells how each export ended. Everything but
 * `export` is the exporter's own.
 */
export function watchedExporter<Items, E extends Exporter<Items>>(
  exporter: E,
  target: OtlpTarget,
  reach: Reachability,
  ended: (items: Items, delivered: boolean) => void,
): WatchedExporter<E> {
  const underWay = new Set<Promise<void>>();

  const start = (items: Items, done: (result: ExportResult) => void): Promise<void> =>
    new Promise((resolve) => {
      const finish = (result: ExportResult): void => {
        if (result.code !== SUCCESS) {
          reportFailure(target, reach, result.error);
          reach.doubt();
        }
        ended(items, result.code === SUCCESS);
        resolve();
        done(result);
      };
      const fail = (error?: unknown): void =>
        finish({ code: FAILED, error: error instanceof Error ? error : new Error('nobody listens') });
      const send = (): void => {
        try {
          exporter.export(items, finish);
        } catch (error) {
          fail(error);
        }
      };
      if (reach.isUp) send();
      else void reach.wait().then((listening) => (listening ? send() : fail()));
    });

  return {
    exporter: Object.create(exporter, {
      export: {
        value(items: Items, done: (result: ExportResult) => void): void {
          const one = start(items, done).finally(() => underWay.delete(one));
          underWay.add(one);
        },
      },
    }) as E,
    settled: () => Promise.all(underWay),
  };
}

/** One line a process, however many exports fail. */
function reportFailure(target: OtlpTarget, reach: Reachability, error: Error | undefined): void {
  const where = originOf(target);
  sayOnce('warn', 'undelivered', reach.isDown ? nobodyListens(where) : refused(where, error));
}

/** What to say where telemetry has nowhere to go. */
export const nobodyListens = (where: string): string =>
  `nothing listens at ${where}, so telemetry is not delivered. Mend it with a collector there, with ` +
  'OTEL_EXPORTER_OTLP_ENDPOINT, or with: npx reasoning-otel watch -- node app.js';

/** The code alone: a message of the collector can hold anything. */
function refused(where: string, error: Error | undefined): string {
  const code = error && 'code' in error && typeof error.code === 'number' ? ` (status ${error.code})` : '';
  return `${where} did not take the telemetry${code}. Mend it with OTEL_EXPORTER_OTLP_ENDPOINT, _PROTOCOL or _HEADERS`;
}
