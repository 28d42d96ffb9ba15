import { type Form, type Item, type Spelling, type Step, seal, Talk } from './talk.ts';

/** generateContent as short builders. */
const asPart = (part: Item | string): Item => (typeof part === 'string' ? { text: part } : part);
export const user = (...parts: readonly (Item | string)[]): Item => ({ role: 'user', parts: parts.map(asPart) });
export const model = (...parts: readonly Item[]): Item => ({ role: 'model', parts });
export const S = (name: string): Item => ({ thoughtSignature: seal(name) });
/** A call; the second word names its seal, if it has one. */
export const fc = (name: string, signed?: string, args: Item = { key: name }): Item => ({
  functionCall: { name, args },
  ...(signed === undefined ? {} : S(signed)),
});
export const text = (value: string, signed?: string): Item => ({
  text: value,
  ...(signed === undefined ? {} : S(signed)),
});
export const fr = (name: string): Item => ({ functionResponse: { name, response: { out: `result of ${name}` } } });
export const UNSIGNED = { thoughtSignature: undefined };
export const SKIP = { thoughtSignature: 'skip_thought_signature_validator' };

const answer = (parts: readonly Item[]): Item => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
});
/** A chunk for each part, an unsigned text in two. */
const chunks = (parts: readonly Item[]): readonly Item[] => {
  const pieces = parts.flatMap((part) => {
    if (typeof part.text !== 'string' || part.thoughtSignature !== undefined || part.text.length < 4) return [part];
    return [
      { ...part, text: part.text.slice(0, 3) },
      { ...part, text: part.text.slice(3) },
    ];
  });
  return pieces.map((part, index) => ({
    candidates: [
      {
        content: { role: 'model', parts: [part] },
        ...(index === pieces.length - 1 ? { finishReason: 'STOP' } : {}),
      },
    ],
  }));
};
export const GENERATE: Form = {
  api: 'gemini.generateContent',
  history: 'contents',
  parts: 'parts',
  model: 'model',
  assistant: 'model',
  response: (parts, name) => ({ modelVersion: name, ...answer(parts) }),
  user,
  result: fr,
  stream: chunks,
};
export const gem = (name: string, config: Item = {}, meta?: Item): Talk =>
  new Talk(GENERATE, { model: name, ...config }, meta);

const SNAKE: Readonly<Record<string, string>> = {
  thoughtSignature: 'thought_signature',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  inlineData: 'inline_data',
  mimeType: 'mime_type',
  generationConfig: 'generation_config',
  thinkingConfig: 'thinking_config',
  thinkingBudget: 'thinking_budget',
  thinkingLevel: 'thinking_level',
  includeThoughts: 'include_thoughts',
  finishReason: 'finish_reason',
  modelVersion: 'model_version',
};
const snake = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [SNAKE[key] ?? key, snake(member)]));
};
const isGenerate = ({ api }: Step) => api === GENERATE.api;
const partsOf = (response: Item): readonly Item[] | undefined => {
  const { candidates, stream } = response;
  return stream === undefined && Array.isArray(candidates) ? candidates[0]?.content?.parts : undefined;
};
const streamed =
  (assembled: boolean): Spelling =>
  (steps) =>
    steps.map((step) => {
      const parts = step.response && isGenerate(step) ? partsOf(step.response) : undefined;
      if (parts === undefined || parts.length === 0) return step;
      return { ...step, response: { ...(assembled ? step.response : {}), stream: chunks(parts) } };
    });
/** Hand-written REST, streams beside the assembled answer, and streams alone. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  snake_case: (steps) =>
    steps.map((step) =>
      isGenerate(step)
        ? {
            ...step,
            ...(step.request ? { request: snake(step.request) as Item } : {}),
            ...(step.response ? { response: snake(step.response) as Item } : {}),
          }
        : step,
    ),
  'snake_case requests': (steps) =>
    steps.map((step) => (isGenerate(step) && step.request ? { ...step, request: snake(step.request) as Item } : step)),
  streamed: streamed(true),
  'streamed, chunks alone': streamed(false),
};
