/** What the harnesses of Amazon Bedrock share: the client and the tools. */
import {
  BedrockRuntime,
  type ContentBlock,
  type Message,
  type ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import { PARAMETERS, resultOf, TASK_TOOLS } from './task.ts';

export { SYSTEM, TASK } from './task.ts';

/** Takes region, credentials and AWS_ENDPOINT_URL_BEDROCK_RUNTIME from the environment, which the demo sets. */
export const bedrock = new BedrockRuntime({ maxAttempts: 1 });

export const CLAUDE = 'us.anthropic.claude-sonnet-5-5-v1:0';
export const NOVA = 'us.amazon.nova-2-lite-v1:0';

export type { ContentBlock, Message };

export const TOOLS: ToolConfiguration = {
  tools: TASK_TOOLS.map(({ name, description }) => ({
    toolSpec: { name, description, inputSchema: { json: PARAMETERS } },
  })),
};

/** Runs the tools that an answer calls: one result for each call, in order; none where the answer is the last one. */
export function runTools(content: readonly ContentBlock[]): ContentBlock[] {
  return content.flatMap(({ toolUse }) =>
    toolUse === undefined
      ? []
      : [{ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: resultOf(toolUse.name ?? '') }] } }],
  );
}
