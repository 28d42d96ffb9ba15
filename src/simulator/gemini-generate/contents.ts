import { failure, type GeminiFailure } from '../gemini/api-failure.ts';
import type { GeminiHost } from '../gemini/caller.ts';
import { asList, asText, digest, isWire, stableJson, type Wire } from '../json.ts';
import type { GeminiConflicts } from './conflicts.ts';

export interface PlacedPart {
  readonly path: string;
  /** From 0, in its content. */
  readonly at: number;
  readonly part: Wire;
  /** Undefined where there is none, or an empty one. */
  readonly signature: string | undefined;
}

export interface PlacedContent {
  readonly role: 'user' | 'model';
  /** From 0, in the request's own list; of a context cache: in that one's. */
  readonly index: number;
  readonly parts: readonly PlacedPart[];
}

/** Reads `contents`. Of its members in camel case. */
export function placeContents(
  value: unknown,
  host: GeminiHost,
  root = 'contents',
): readonly PlacedContent[] | GeminiFailure {
  const contents = asList(value);
  if (contents.length === 0) return failure('* GenerateContentRequest.contents: contents is not specified\n');
  const placed: PlacedContent[] = [];
  for (const [index, content] of contents.entries()) {
    const { role = 'user', parts } = isWire(content) ? content : {};
    if (role !== 'user' && role !== 'model' && role !== 'function') {
      return failure('Please use a valid role: user, model.');
    }
    if (asList(parts).length === 0) {
      return failure(
        host === 'vertex'
          ? 'Unable to submit request because it must include at least one parts field, which describes the prompt input.'
          : `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`,
      );
    }
    placed.push({
      role: role === 'model' ? 'model' : 'user',
      index,
      parts: asList(parts)
        .filter(isWire)
        .map((part, at) => ({
          path: `${root}.${index}.parts.${at}`,
          at,
          part,
          signature: asText(part.thoughtSignature) || undefined,
        })),
    });
  }
  return placed;
}

export function callOf({ part }: PlacedPart): Wire | undefined {
  return isWire(part.functionCall) ? part.functionCall : undefined;
}

export function resultOf({ part }: PlacedPart): Wire | undefined {
  return isWire(part.functionResponse) ? part.functionResponse : undefined;
}

export function isCall(part: PlacedPart): boolean {
  return callOf(part) !== undefined;
}

export function isResult(part: PlacedPart): boolean {
  return resultOf(part) !== undefined;
}

/** Where the current turn begins: behind the newest content of the user that is more than results. */
export function turnStart(contents: readonly PlacedContent[], { mixedContent }: GeminiConflicts): number {
  return 1 + contents.findLastIndex((content) => opensTurn(content, mixedContent));
}

export function opensTurn({ role, parts }: PlacedContent, mixed: GeminiConflicts['mixedContent']): boolean {
  if (role !== 'user') return false;
  return mixed === 'new_turn' ? !parts.every(isResult) : !parts.some(isResult);
}

/** Answers: adjacent contents of the model are one. */
export function answersOf(contents: readonly PlacedContent[]): readonly (readonly PlacedContent[])[] {
  const answers: PlacedContent[][] = [];
  for (const [at, content] of contents.entries()) {
    if (content.role !== 'model') continue;
    if (contents[at - 1]?.role === 'model') answers.at(-1)?.push(content);
    else answers.push([content]);
  }
  return answers;
}

/** What a signature stands beside, the same whether or not ids were added to calls. */
export function payloadDigest(part: Wire): string {
  const { functionCall, text, inlineData, toolCall, toolResponse, executableCode, codeExecutionResult } = part;
  if (isWire(functionCall)) return digest('call', String(functionCall.name), stableJson(functionCall.args ?? {}));
  if (typeof text === 'string') return digest('text', text);
  return digest('data', stableJson({ inlineData, toolCall, toolResponse, executableCode, codeExecutionResult }));
}

export function contentText({ parts }: PlacedContent): string {
  return parts.map(({ part }) => (part.thought === true ? '' : String(part.text ?? ''))).join('');
}
