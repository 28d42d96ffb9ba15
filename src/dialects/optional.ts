/** One member, or none where its value is undefined. */
export function optional<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
}

/** The members that have a value. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
