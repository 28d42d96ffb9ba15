import { domainOf, type Task } from './tasks.ts';

/** The three tools of a task, and what has been settled with them. */
export interface World {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: { readonly type: 'object'; readonly properties: Readonly<Record<string, object>> };
  }[];
  /** Runs one call; the result is JSON. */
  call(name: string, input: Readonly<Record<string, unknown>>): string;
  /** Id of the option that was settled on. */
  readonly settled: string | undefined;
}

export function createWorld(task: Task): World {
  const { search, inspect, settle, filters } = domainOf(task);
  const byId = { type: 'object', properties: { id: { type: 'string' } } } as const;
  let settled: string | undefined;
  const optionOf = ({ id }: Readonly<Record<string, unknown>>) => task.options.find((option) => option.id === id);

  const run: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>> = {
    [search.name]: (input) =>
      task.options
        .filter(({ listed }) => Object.entries(input).every(([filter, value]) => passes(listed, filter, value)))
        .map(({ id, listed }) => ({ id, ...listed })),
    [inspect.name]: (input) => optionOf(input)?.details ?? { error: 'no such id' },
    [settle.name]: (input) => {
      settled ??= optionOf(input)?.id;
      return { settled: settled ?? null };
    },
  };
  return {
    tools: [
      {
        ...search,
        parameters: {
          type: 'object',
          properties: Object.fromEntries(filters.map((name) => [name, { type: 'number' }])),
        },
      },
      { ...inspect, parameters: byId },
      { ...settle, parameters: byId },
    ],
    call: (name, input) => JSON.stringify(run[name]?.(input) ?? { error: 'no such tool' }),
    get settled() {
      return settled;
    },
  };
}

function passes(listed: Readonly<Record<string, unknown>>, filter: string, limit: unknown): boolean {
  const [, attribute = '', relation] = /^(\w+)_at_(most|least)$/.exec(filter) ?? [];
  const actual = Number(listed[attribute]);
  return relation === 'most' ? actual <= Number(limit) : actual >= Number(limit);
}
