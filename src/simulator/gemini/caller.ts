import type { Exchange } from '../http/exchange.ts';

export interface ProjectOptions {
  /** Any name. Signatures and stored interactions belong to it. Default: the API key. */
  readonly id?: string;
  /** How long interactions are kept: 55 days, or one. Default `paid`. */
  readonly tier?: 'paid' | 'free';
}

export interface ProjectsOptions {
  /** The project of every key that `projects` does not name. */
  readonly project?: ProjectOptions;
  /** Projects by API key. On Vertex the path names the project. */
  readonly projects?: Readonly<Record<string, ProjectOptions>>;
}

export type GeminiHost = 'developer' | 'vertex';

/** Who asks, and through which door. */
export interface Caller {
  readonly host: GeminiHost;
  readonly project: string;
  readonly tier: 'paid' | 'free';
  readonly key: string;
}

/** From the API key, in a header or in the query, or a bearer token; undefined without any. */
export function callerOf({ path, headers, query }: Exchange, options: ProjectsOptions): Caller | undefined {
  const key =
    headers['x-goog-api-key'] || query.get('key') || headers.authorization?.replace(/^Bearer\s*/i, '') || undefined;
  if (key === undefined) return undefined;
  const { projects = {}, project = {} } = options;
  const own = projects[key];
  const named = /\/projects\/([^/]+)\//.exec(path)?.[1];
  return {
    host: named !== undefined || path.includes('/publishers/') ? 'vertex' : 'developer',
    project: named ?? (own ? (own.id ?? key) : (project.id ?? 'default')),
    tier: (own ?? project).tier ?? 'paid',
    key,
  };
}
