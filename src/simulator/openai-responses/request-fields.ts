import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, missing, unknownParameter } from '../openai/api-failure.ts';

/** Members of a request. https://platform.openai.com/docs/api-reference/responses/create */
const FIELDS = new Set([
  'access_programs',
  'background',
  'background_options',
  'context_management',
  'conversation',
  'image',
  'include',
  'input',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'model',
  'moderation',
  'parallel_tool_calls',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'stream',
  'stream_options',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
]);

export function checkFields(body: Wire): ApiFailure | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return unknownParameter(unknown);
  if (body.previous_response_id != null && body.conversation != null) {
    return failure(
      "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      { param: 'conversation', code: 'mutually_exclusive_parameters' },
    );
  }
  const sources = ['input', 'previous_response_id', 'conversation', 'prompt'];
  if (sources.every((name) => body[name] == null)) {
    return failure(`One of ${sources.map((name) => `'${name}'`).join(', ')} must be provided.`, {
      code: 'missing_required_parameter',
    });
  }
  for (const [index, tool] of asList(body.tools).entries()) {
    const named = isWire(tool) && (tool.type === 'function' || tool.type === 'custom');
    if (named && typeof tool.name !== 'string') return missing(`tools[${index}].name`);
  }
  if (body.background === true && body.store === false) {
    return failure("Background mode requires 'store' to be true.", { param: 'background' });
  }
  return undefined;
}
