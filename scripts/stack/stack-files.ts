import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './programs.ts';

/** The configuration files as they are shipped. */
export const config = (name: string): string => join(ROOT, 'collector', name);

/** Addresses in prometheus.yaml: names of services in Compose, which are addresses on this machine here. */
export interface LocalAddresses {
  readonly alertmanager: string;
  readonly collectors: readonly string[];
}

/**
 * Writes prometheus.yaml for this machine. Prometheus reads no environment variables in it, so the two addresses that
 * differ are replaced in the text, and the rule files are named by their whole path; all else stays as shipped.
 * @param change for tests: what else to replace
 * @throws where the file does not hold what is to be replaced
 */
export function writePrometheusConfig(
  file: string,
  { alertmanager, collectors }: LocalAddresses,
  change: ReadonlyArray<readonly [from: string, to: string]> = [],
): void {
  let text = readFileSync(config('prometheus.yaml'), 'utf8');
  const replacements = [
    ['[alertmanager:9093]', `[${alertmanager}]`],
    ['[collector:8888]', `[${collectors.join(', ')}]`],
    ['- ../dashboards/rules/', `- ${resolve(ROOT, 'dashboards', 'rules')}/`],
    ...change,
  ] as const;
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`prometheus.yaml has no ${from}`);
    text = text.replaceAll(from, to);
  }
  writeFileSync(file, text);
}
