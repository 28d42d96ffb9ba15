/** Roughly word-sized pieces, so that consumers of a stream have something to put together. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
