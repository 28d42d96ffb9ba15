/** By what the names of a maker's models have in common. */
export type VendorRows = readonly (readonly [RegExp, string])[];

const VENDORS: VendorRows = [
  [/claude/i, 'anthropic'],
  [/gemini|gemma/i, 'google'],
  [/(^|\/)(gpt|o\d|codex|chatgpt|computer-use)/i, 'openai'],
  [/minimax|abab/i, 'minimax'],
  [/deepseek/i, 'deepseek'],
  [/kimi|moonshot/i, 'moonshot'],
  [/glm|zhipu/i, 'zhipu'],
  [/qwen|qwq/i, 'qwen'],
  [/grok/i, 'xai'],
  [/mistral|magistral/i, 'mistral'],
];

/**
 * Maker behind a model id, `unknown` where its name does not tell: the reasoning of one is noise to another.
 * @param own rows of one API, which come first
 */
export function vendorOf(model: string, own: VendorRows = []): string {
  for (const [pattern, vendor] of own) if (pattern.test(model)) return vendor;
  for (const [pattern, vendor] of VENDORS) if (pattern.test(model)) return vendor;
  return 'unknown';
}
