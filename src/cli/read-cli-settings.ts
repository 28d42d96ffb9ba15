import { resolveSettings } from '../config/resolve-settings.ts';
import { createDialects } from '../dialects/create-dialects.ts';
import type { ApiName, Dialect } from '../dialects/dialect.ts';

export interface CliSettings {
  /** With the user's own model rows in their tables. */
  readonly dialects: Readonly<Partial<Record<ApiName, Dialect>>>;
  /** What is wrong, one line each. Inside an application the default stands in; here nothing is done on a guess. */
  readonly problems: readonly string[];
}

/** Reads the environment for a command; `docs/configuration.md` lists the variables. */
export function readCliSettings(env: NodeJS.ProcessEnv): CliSettings {
  const { settings, problems } = resolveSettings({}, env);
  const found = problems.map((problem) => problem.replace(/; (?:using the default \(.*\)|going on without it)$/, ''));
  const { models } = settings;
  const dialects = createDialects(models?.rows, (problem) => found.push(`${models?.source}: ${problem}`));
  return { dialects, problems: found };
}
