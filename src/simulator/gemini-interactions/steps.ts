import { failure, type GeminiFailure } from '../gemini/api-failure.ts';
import { asList, asText, digest, isWire, stableJson, type Wire } from '../json.ts';

export interface PlacedStep {
  readonly path: string;
  readonly type: string;
  readonly step: Wire;
  /** Undefined where there is none, or an empty one. */
  readonly signature: string | undefined;
}

/** What a client says. All else is the model's. */
const CLIENT_STEPS = new Set(['user_input', 'function_result']);

/** Reads `input`: a text, a content, a list of contents, or steps. */
export function readInput(input: unknown): readonly Wire[] | GeminiFailure {
  if (typeof input === 'string') return [userInput([{ type: 'text', text: input }])];
  const list = isWire(input) ? [input] : asList(input).filter(isWire);
  if (list.length === 0) return failure('Input must not be empty.');
  const unknown = list.find(({ type }) => typeof type !== 'string');
  if (unknown) return failure('Each input must have a type.');
  return list.every(isContent) ? [userInput(list)] : list.map((one) => (isContent(one) ? userInput([one]) : one));
}

function userInput(content: readonly Wire[]): Wire {
  return { type: 'user_input', content };
}

const CONTENTS = new Set(['text', 'image', 'audio', 'video', 'document']);

function isContent({ type }: Wire): boolean {
  return CONTENTS.has(String(type));
}

export function placeSteps(steps: readonly Wire[], root: string): readonly PlacedStep[] {
  return steps.map((step, index) => ({
    path: `${root}.${index}`,
    type: String(step.type),
    step,
    signature: asText(step.signature) || undefined,
  }));
}

export function isModelStep({ type }: PlacedStep): boolean {
  return !CLIENT_STEPS.has(type);
}

/** Steps of the provider's own tools, which are signed like thoughts. */
export function isToolStep({ type }: PlacedStep): boolean {
  return type !== 'function_call' && type !== 'function_result' && /_(?:call|result)$/.test(type);
}

/** Where the current turn begins: behind the newest input of the user. */
export function turnStart(steps: readonly PlacedStep[]): number {
  return 1 + steps.findLastIndex(({ type }) => type === 'user_input');
}

/** Answers: what the model said without a word in between. */
export function answersOf(steps: readonly PlacedStep[]): readonly (readonly PlacedStep[])[] {
  const answers: PlacedStep[][] = [];
  for (const [at, step] of steps.entries()) {
    if (!isModelStep(step)) continue;
    const before = steps[at - 1];
    if (before && isModelStep(before)) answers.at(-1)?.push(step);
    else answers.push([step]);
  }
  return answers;
}

export function stepText({ content }: Wire): string {
  return asList(content)
    .filter(isWire)
    .map(({ text }) => String(text ?? ''))
    .join('');
}

/** What a signature stands on, without the signature. */
export function stepDigest({ signature: _, summary: __, ...step }: Wire): string {
  return digest(stableJson(step));
}
