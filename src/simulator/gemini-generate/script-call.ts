import type { GeminiScriptCall } from '../gemini/script.ts';
import { type CallPlace, told } from '../gemini/told.ts';
import type { Returned } from '../gemini/verdict.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import { answersOf, callOf, contentText, opensTurn, resultOf, turnStart } from './contents.ts';
import type { GeminiContext } from './context.ts';
import { callableFunctions } from './functions.ts';
import type { GenerateRequest } from './request.ts';

/** What the script is told. Nothing that the model would not be shown. */
export function scriptCall(
  { seed, conflicts }: GeminiContext,
  request: GenerateRequest,
  returned: Pick<Returned, 'shown'>,
  place: CallPlace,
): GeminiScriptCall {
  const { contents, model, body, config } = request;
  const start = turnStart(contents, conflicts);
  const user = contents[start - 1];
  const userText = user ? contentText(user) : '';
  const turn = contents.filter((content) => opensTurn(content, conflicts.mixedContent)).length;
  const format = config.responseJsonSchema ?? config.responseSchema;
  return {
    api: 'gemini-generate',
    model: model.id,
    ...told({ seed, api: 'gemini', ...place, turn, userText, shown: returned.shown }),
    step: answersOf(contents.slice(start)).length,
    answers: answersOf(contents).length,
    body,
    ...callableFunctions(request),
    thinking: request.thinking.mode,
    results: resultsSeen(request),
    ...(format !== undefined && { format }),
  };
}

function resultsSeen({ contents }: GenerateRequest): ToolResultSeen[] {
  const last = contents.findLastIndex(({ role }) => role === 'model');
  const calls = (contents[last]?.parts ?? []).map(callOf).filter((call) => call !== undefined);
  return contents.slice(last + 1).flatMap(({ parts }) =>
    parts.flatMap((part) => {
      const result = resultOf(part);
      if (!result) return [];
      return {
        id: String(result.id ?? ''),
        name: String(result.name),
        input: calls.find(({ name }) => name === result.name)?.args,
        content: result.response,
        isError: false,
      };
    }),
  );
}
