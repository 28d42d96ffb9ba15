import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** As in package.json. */
export const OTEL_RANGE = '>=0.200.0 <0.302.0';
/** First of the line whose SDK packages are 3.x, which need Node 22.15. */
const LINE_3 = 300;

const own = createRequire(import.meta.url);

/** Packages of one OpenTelemetry installation, all from the place where one of them stands, so that they fit together. */
export interface OtelPackages {
  readonly version: string | undefined;
  /** SDK packages 3.x. */
  readonly isLine3: boolean;
  /**
   * The exports of a package; the caller says what they are.
   * @param through the package that depends on it, where sdk-node itself does not
   * @throws where the package is not there, or does not load
   */
  load<T>(name: string, through?: string): T;
}

/** The packages as `@opentelemetry/sdk-node` sees them. CommonJS, so that they can be had without waiting. */
export function otelPackages(): OtelPackages {
  const main = own.resolve('@opentelemetry/sdk-node');
  const theirs = createRequire(main);
  const version = versionAt(main);
  return {
    version,
    isLine3: version !== undefined && minorOf(version) >= LINE_3,
    load: <T>(name: string, through?: string): T =>
      (through === undefined ? theirs : createRequire(theirs.resolve(through)))(name) as T,
  };
}

/** What to say of a version outside the range; undefined where all is well. */
export function rangeProblem(): string | undefined {
  for (const name of ['@opentelemetry/instrumentation', '@opentelemetry/sdk-node']) {
    const version = versionAt(own.resolve(name));
    if (version === undefined || isInRange(version)) continue;
    return `${name} ${version} is outside the supported range ${OTEL_RANGE}. Mend it with: npm install ${name}@"${OTEL_RANGE}"`;
  }
  return undefined;
}

const minorOf = (version: string): number => Number(version.split('.')[1]);

export function isInRange(version: string): boolean {
  const minor = minorOf(version);
  return version.startsWith('0.') && minor >= 200 && minor < 302;
}

/** Looked for upwards from the main file: the packages do not export their package.json. */
function versionAt(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
    } catch {
      // Not in this folder.
    }
    if (folder === dirname(folder)) return undefined;
  }
}
