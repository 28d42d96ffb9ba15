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

/** The exports of one exporter, as they go. */
export interface Exports {
  /** Resolves once none is under way. */
  settled(): Promise<unknown>;
}

const SUCCESS = 0;
const FAILED = 1;

/**
 * Makes an exporter of ours ask whether somebody listens before it exports, and tell how each export ended. In place: an
 * object that inherits from the exporter would part its state from it.
 */
export function watchExporter<Items>(
  exporter: Exporter<Items>,
  target: OtlpTarget,
  reach: Reachability,
  ended: (items: Items, delivered: boolean) => void,
): Exports {
  const original = exporter.export.bind(exporter);
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
          original(items, finish);
        } catch (error) {
          fail(error);
        }
      };
      if (reach.isUp) send();
      else void reach.wait().then((listening) => (listening ? send() : fail()), fail);
    });

  exporter.export = (items, done) => {
    const one = start(items, done).finally(() => underWay.delete(one));
    underWay.add(one);
  };

  return { settled: () => Promise.all(underWay) };
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
export function refused(where: string, error?: Error): string {
  const code = error && 'code' in error && typeof error.code === 'number' ? ` (status ${error.code})` : '';
  return `${where} did not take the telemetry${code}. Mend it with OTEL_EXPORTER_OTLP_ENDPOINT, _PROTOCOL or _HEADERS`;
}
