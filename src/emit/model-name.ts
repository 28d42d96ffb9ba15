import { VALUE_OTHER } from '../semconv.ts';

/**
 * What platforms put around a model's name, taken off in this order. Sources: Amazon Bedrock "Supported foundation
 * models" and "Inference profiles", Vertex AI "Claude models", the model pages of OpenAI and Gemini, OpenRouter's ids.
 */
const AFFIXES: ReadonlyArray<readonly [affix: RegExp, instead: string]> = [
  // A resource path or ARN: publishers/…/models/NAME, arn:aws:bedrock:…/NAME, vendor/NAME
  [/^.*\//, ''],
  // Bedrock: global.anthropic.NAME-v1:0. A bare -v1 belongs to Bedrock only behind a vendor: deepseek-v3 is a name.
  [
    /^(?:[a-z]{2,6}(?:-gov)?\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|openai|qwen)\.(.+?)(?:-v\d+)?(?::\w+)*$/,
    '$1',
  ],
  [/-v\d+:\d+(?::\w+)?$/, ''],
  // OpenRouter's variants: NAME:free
  [/:[a-z]+$/, ''],
  // Vertex: NAME@20250929
  [/@[\w-]+$/, ''],
  // Dates: NAME-20250929, NAME-2024-08-06, NAME-preview-09-2025
  [/-(?:19|20)\d{2}-?\d{2}-?\d{2}$/, ''],
  [/-\d{2}-(?:19|20)\d{2}$/, ''],
];

/**
 * A model's name without dates and platform prefixes, so that one model is one series.
 * @returns `_OTHER` where nothing is left
 */
export function metricModel(model: string): string {
  let name = model;
  for (const [affix, instead] of AFFIXES) name = name.replace(affix, instead);
  return name === '' ? VALUE_OTHER : name;
}
