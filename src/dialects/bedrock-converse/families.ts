/**
 * What a model family on Bedrock does with reasoning that is sent back. Read 2026-11-30: AWS documentation for Claude;
 * for the rest the refusals that users reported (I can1357/oh-my-pi#9086, langchain-ai/langchain-aws#401).
 */
export type Replay =
  /** Judged by the rules of the Messages API. */
  | 'claude'
  /** Sealed: has to come back in an open cycle. */
  | 'sealed'
  /** Refused: `User messages cannot contain reasoning content`. */
  | 'refused'
  /** Nobody knows. */
  | 'unknown';

const FAMILIES: readonly (readonly [RegExp, Replay])[] = [
  [/claude/, 'claude'],
  [/amazon\.nova|nova-/, 'refused'],
  [/deepseek/, 'refused'],
  [/openai\.gpt-(?!oss)/, 'sealed'],
];

export function replayOf(modelId: string): Replay {
  const id = modelId.toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(id))?.[1] ?? 'unknown';
}
