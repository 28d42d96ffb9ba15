/** An estimate of tokens: a quarter of the characters. Real tokenizers differ; the sums here agree with one another. */
export function textTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
