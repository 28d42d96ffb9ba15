import { failure, type GeminiFailure, INVALID_ARGUMENT } from '../gemini/api-failure.ts';
import { answersOf, callOf, isCall, isResult, type PlacedPart, resultOf, turnStart } from './contents.ts';
import type { GeminiContext } from './context.ts';
import type { GenerateRequest } from './request.ts';

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/** Parts that have nothing but a signature, and models that want no thoughts back. */
export function checkParts(
  { conflicts }: GeminiContext,
  { contents, model }: GenerateRequest,
): GeminiFailure | undefined {
  for (const { parts, index } of contents) {
    for (const { part, at } of parts) {
      const isBare = !DATA.some((member) => part[member] !== undefined);
      if (isBare && !(part.thoughtSignature !== undefined && conflicts.bareSignature === 'accept')) {
        return failure(
          `* GenerateContentRequest.contents[${index}].parts[${at}].data: required oneof field 'data' must have one ` +
            'initialized field\n',
        );
      }
      if (model.refusesThoughts && (part.thought === true || part.thoughtSignature !== undefined)) {
        return INVALID_ARGUMENT;
      }
    }
  }
  return undefined;
}

/**
 * In the current turn the first call of each step must have its signature. A content is a step.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function checkSignatures(
  { conflicts }: GeminiContext,
  { contents, model, caller }: GenerateRequest,
): GeminiFailure | undefined {
  if (!model.requiresSignatures) return undefined;
  const turn = contents.slice(turnStart(contents, conflicts));
  const steps =
    conflicts.adjacentContents === 'steps'
      ? turn.filter(({ role }) => role === 'model').map((content) => [content])
      : answersOf(turn);
  for (const step of steps) {
    const parts = step.flatMap((content) => content.parts.map((placed) => ({ ...placed, content })));
    const first = parts.find(isCall);
    if (first && first.signature === undefined) return unsigned(first, first.content.index + 1, caller.host);
    // Stripping what a tool of the provider's returned was refused; no source gives the text.
    if (parts.some(({ part, signature }) => part.toolCall !== undefined && signature === undefined)) {
      return INVALID_ARGUMENT;
    }
  }
  if (model.signs !== 'images' || caller.host === 'vertex' || conflicts.unsignedImages === 'accept') return undefined;
  for (const { role, index, parts } of contents) {
    const bare = parts.find(({ part, signature }) => part.inlineData !== undefined && signature === undefined);
    if (role === 'model' && bare) {
      return failure(
        `Image part is missing a thought_signature in content position ${index + 1}, part position ${bare.at + 1}.`,
      );
    }
  }
  return undefined;
}

function unsigned(call: PlacedPart, position: number, host: GenerateRequest['caller']['host']): GeminiFailure {
  const name = String(callOf(call)?.name);
  return failure(
    host === 'vertex'
      ? `Unable to submit request because function call \`${name}\` in the ${position}. content block is missing a ` +
          '`thought_signature`. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures'
      : 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work ' +
          'correctly, and missing thought_signature may lead to degraded model performance. Additional data, function ' +
          `call \`default_api:${name}\` , position ${position}. Please refer to ` +
          'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  );
}

const COUNT = failure(
  'Please ensure that the number of function response parts is equal to the number of function call parts of the ' +
    'function call turn.',
);

/** As many results as calls, directly behind them. */
export function checkCounts({ conflicts }: GeminiContext, { contents }: GenerateRequest): GeminiFailure | undefined {
  let calls = 0;
  for (const [at, content] of contents.entries()) {
    if (content.role === 'model') {
      if (contents[at - 1]?.role !== 'model' && calls > 0) return COUNT;
      calls += content.parts.filter(isCall).length;
      continue;
    }
    const results = content.parts.filter(isResult).length;
    const isSplit = results < calls && results > 0 && contents[at + 1]?.role === 'user';
    if (isSplit && conflicts.splitResults === 'accept') calls -= results;
    else if (results !== calls) return COUNT;
    else calls = 0;
  }
  return undefined;
}

/**
 * Whether results answer calls by other names or ids, which no error tells: the answer is empty. Ids count where calls
 * have them. https://ai.google.dev/gemini-api/docs/function-calling
 */
export function hasUnpairedResults({ conflicts }: GeminiContext, { contents, model }: GenerateRequest): boolean {
  if (conflicts.unpairedResults === 'answer' || !model.callIds) return false;
  const open: { name: unknown; id: unknown }[] = [];
  for (const content of contents) {
    for (const part of content.parts) {
      const call = callOf(part);
      if (call) open.push({ name: call.name, id: call.id });
      const result = resultOf(part);
      if (!result) continue;
      const at = open.findIndex(({ name, id }) => name === result.name && (id == null || id === result.id));
      if (at < 0) return true;
      open.splice(at, 1);
    }
  }
  return false;
}
