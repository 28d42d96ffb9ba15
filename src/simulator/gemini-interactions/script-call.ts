import type { GeminiScriptCall } from '../gemini/script.ts';
import { type CallPlace, told } from '../gemini/told.ts';
import type { Returned } from '../gemini/verdict.ts';
import { asList, isWire, type Wire } from '../json.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import type { InteractionsContext } from './context.ts';
import type { InteractionRequest } from './request.ts';
import { answersOf, isModelStep, stepText, turnStart } from './steps.ts';

/** What the script is told. Nothing that the model would not be shown. */
export function scriptCall(
  { seed }: InteractionsContext,
  request: InteractionRequest,
  returned: Pick<Returned, 'shown'>,
  place: CallPlace,
): GeminiScriptCall {
  const { steps, model, body } = request;
  const start = turnStart(steps);
  const user = steps[start - 1];
  const userText = user ? stepText(user.step) : '';
  const turn = steps.filter(({ type }) => type === 'user_input').length;
  return {
    api: 'gemini-interactions',
    model: model.id,
    ...told({ seed, api: 'interactions', ...place, turn, userText, shown: returned.shown }),
    step: answersOf(steps.slice(start)).length,
    answers: answersOf(steps).length,
    body,
    ...callableFunctions(request),
    thinking: request.thinking.mode,
    results: resultsSeen(request),
    ...answerFormat(body),
  };
}

/** Each interaction has the tools that it brings, whatever the ones before had. */
function callableFunctions({ body, config }: InteractionRequest) {
  const choice = config.tool_choice;
  const mode = isWire(choice) ? (isWire(choice.allowed_tools) ? choice.allowed_tools.mode : choice.mode) : choice;
  if (mode === 'none') return { tools: [], mustCall: false };
  const tools = asList(body.tools)
    .filter(isWire)
    .filter(({ type }) => type === 'function')
    .map(({ name, parameters }) => ({ name: String(name), schema: parameters }));
  return { tools, mustCall: mode === 'any' };
}

function answerFormat({ response_format: format }: Wire): { format?: unknown } {
  const one = Array.isArray(format) ? format[0] : format;
  return isWire(one) && isWire(one.schema) ? { format: one.schema } : {};
}

function resultsSeen({ steps }: InteractionRequest): ToolResultSeen[] {
  const last = steps.findLastIndex(isModelStep);
  return steps
    .slice(last + 1)
    .filter(({ type }) => type === 'function_result')
    .map(({ step }) => {
      const call = steps.find((one) => one.type === 'function_call' && one.step.id === step.call_id)?.step;
      return {
        id: String(step.call_id),
        name: String(call?.name ?? step.name ?? ''),
        input: call?.arguments,
        content: step.result,
        isError: step.is_error === true,
      };
    });
}
