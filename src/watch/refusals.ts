/** Plain words for `reasoning.rejection`; a class without a row is shown by its name. */
const REFUSALS: Readonly<Record<string, string>> = {};

/** What to tell of a request that the provider refused. */
export function refusalWords(rejection: string): string {
  const words = Object.hasOwn(REFUSALS, rejection) ? REFUSALS[rejection] : undefined;
  return words ?? `The provider refused the request (${rejection}).`;
}
