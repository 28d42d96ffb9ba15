/** A user's rows of a model table, by normalised id. */
export type ExtraRows<Row> = Readonly<Record<string, Row>>;

/** Ids that are remembered for each set of rows; a process that invents more resolves them anew. */
const MAX_RESOLVED = 500;

/** Remembers what a model id comes to: a process uses few models, and asks for each at every block. */
export function createModelResolver<Row, Resolved>(
  resolve: (model: string, extra: ExtraRows<Row>) => Resolved,
): (model: string, extra?: ExtraRows<Row>) => Resolved {
  const resolved = new WeakMap<ExtraRows<Row>, Map<string, Resolved>>();
  const noRows: ExtraRows<Row> = {};
  return (model, extra = noRows) => {
    let known = resolved.get(extra);
    if (known === undefined) {
      known = new Map();
      resolved.set(extra, known);
    }
    let found = known.get(model);
    if (found === undefined) {
      found = resolve(model, extra);
      if (known.size < MAX_RESOLVED) known.set(model, found);
    }
    return found;
  };
}
