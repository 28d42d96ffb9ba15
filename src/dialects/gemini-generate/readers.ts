import type { ResolvedModel } from './models.ts';

export interface Reading {
  readonly readable: boolean;
  /** A page or a report settles it. */
  readonly known: boolean;
}

/**
 * Whether a model accepts the seals of another Gemini model. Refusals (`Corrupted`, `Invalid thought signature`) are
 * reported for other models in general; inside one family (3.7 and 3.8) nobody has settled it, which counts as readable.
 */
export function canRead(producer: ResolvedModel, reader: ResolvedModel): Reading {
  if (producer.id === reader.id) return { readable: true, known: true };
  if (producer.row === undefined || reader.row === undefined) return { readable: true, known: false };
  return { readable: familyOf(producer.row.generation) === familyOf(reader.row.generation), known: false };
}

const familyOf = (generation: number): number => Math.floor(generation / 10);

/** Seals of the Developer API and of Vertex AI are foreign to one another; behind a gateway nobody can tell. */
export type Route = 'developer' | 'vertex';

/** From the client class, the host, or the path by which Vertex AI names a model. */
export function routeOf(provider: string | undefined, endpoint: string | undefined, model: string): Route | undefined {
  if (provider === 'gcp.vertex_ai') return 'vertex';
  if (provider === 'gcp.gemini') return 'developer';
  if (/^projects\/|^publishers\//.test(model)) return 'vertex';
  if (endpoint === undefined || /generativelanguage|ai\.google\.dev/i.test(endpoint)) return 'developer';
  return /aiplatform|vertex/i.test(endpoint) ? 'vertex' : undefined;
}
