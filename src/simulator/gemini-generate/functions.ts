import { asList, isWire, type Wire } from '../json.ts';
import type { GenerateRequest } from './request.ts';

/** Functions that the model may call, as the tool configuration has it. */
export function callableFunctions({ tools, body, cached }: GenerateRequest) {
  const { mode, allowed } = callingMode(cached?.body ?? body);
  if (mode === 'NONE') return { tools: [], mustCall: false };
  const functions = tools
    .filter(isWire)
    .flatMap(({ functionDeclarations }) => asList(functionDeclarations))
    .filter(isWire)
    .map(({ name, parameters, parametersJsonSchema }) => ({
      name: String(name),
      schema: parametersJsonSchema ?? parameters,
    }));
  return {
    tools: allowed.length > 0 ? functions.filter(({ name }) => allowed.includes(name)) : functions,
    mustCall: mode === 'ANY',
  };
}

export function callingConfig(body: Wire): Wire {
  const config = isWire(body.toolConfig) ? body.toolConfig.functionCallingConfig : undefined;
  return isWire(config) ? config : {};
}

function callingMode(body: Wire) {
  const { mode, allowedFunctionNames } = callingConfig(body);
  return { mode: String(mode ?? 'AUTO').toUpperCase(), allowed: asList(allowedFunctionNames).map(String) };
}
