/** What the harnesses of Gemini share: the client and the tools. */
import { type Content, type FunctionDeclaration, GoogleGenAI, type Part } from '@google/genai';
import { PARAMETERS, resultOf, TASK_TOOLS } from './task.ts';

export { SYSTEM, TASK } from './task.ts';

/** Takes GOOGLE_GEMINI_BASE_URL and GEMINI_API_KEY from the environment, which the demo points at the simulator. */
export const gemini = new GoogleGenAI({});

export type { Content, Part };

const DECLARATIONS = TASK_TOOLS.map(
  ({ name, description }): FunctionDeclaration => ({ name, description, parametersJsonSchema: PARAMETERS }),
);

export const TOOLS = [{ functionDeclarations: DECLARATIONS }];

/** Runs the tools that an answer calls: one result for each call, in order; none where the answer is the last one. */
export function runTools(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ functionCall }) =>
    functionCall === undefined
      ? []
      : [
          {
            functionResponse: {
              ...(functionCall.id !== undefined && { id: functionCall.id }),
              name: functionCall.name ?? '',
              response: { output: resultOf(functionCall.name ?? '') },
            },
          },
        ],
  );
}

/** The same with what they do, as the SDK wants them for automatic function calling. */
export const CALLABLE_TOOL = {
  tool: async () => ({ functionDeclarations: DECLARATIONS }),
  callTool: async (calls: readonly NonNullable<Part['functionCall']>[]) =>
    runTools(calls.map((functionCall) => ({ functionCall }))),
};

/** The tools as the Interactions API declares them. */
export const FUNCTIONS = TASK_TOOLS.map(({ name, description }) => ({
  type: 'function' as const,
  name,
  description,
  parameters: PARAMETERS,
}));
