/** Agent loops over the SDK of Bedrock, on either version, whole or streamed, in Converse's shape or the model's own. */
import type { Any } from '../../support/call-shapes.ts';

/** What a harness makes of a block before it sends it back; none: it is left out. */
export type Harness = (block: Any) => readonly Any[];
export const faithful: Harness = (block) => [block];

export interface LoopOptions {
  readonly modelId: string;
  readonly stream?: boolean;
  readonly harness?: Harness;
  /** `additionalModelRequestFields`, and whatever else stands beside the messages. */
  readonly extra?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
  readonly text?: string;
}

const TOOL_CONFIG = {
  tools: ['look_up', 'compare'].map((name) => ({
    toolSpec: {
      name,
      inputSchema: { json: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } },
    },
  })),
};

/** Runs until an answer calls no tool, at most ten calls. Throws what the SDK throws. */
export async function converseLoop(Sdk: Any, client: Any, options: LoopOptions): Promise<Any[]> {
  const { modelId, stream = false, harness = faithful, extra, more, text = 'Look there.' } = options;
  const messages: Any[] = [{ role: 'user', content: [{ text }] }];
  for (let step = 0; step < 10; step += 1) {
    const input = {
      modelId,
      messages,
      toolConfig: TOOL_CONFIG,
      ...(extra && { additionalModelRequestFields: extra }),
      ...more,
    };
    const content = stream
      ? await assemble((await client.send(new Sdk.ConverseStreamCommand(input))).stream)
      : (await client.send(new Sdk.ConverseCommand(input))).output.message.content;
    messages.push({ role: 'assistant', content: content.flatMap(harness) });
    const calls = content.filter((block: Any) => block.toolUse);
    if (calls.length === 0) return messages;
    messages.push({
      role: 'user',
      content: calls.map(({ toolUse }: Any) => ({
        toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: `seen by ${toolUse.name}` }], status: 'success' },
      })),
    });
  }
  throw new Error('the loop does not end');
}

/** Puts the events of a stream together, as AWS's own examples do. */
export async function assemble(stream: AsyncIterable<Any>): Promise<Any[]> {
  const content: Any[] = [];
  for await (const { contentBlockStart: start, contentBlockDelta: change } of stream) {
    if (start) content[start.contentBlockIndex] = { toolUse: { ...start.start.toolUse, input: '' } };
    if (!change) continue;
    const { contentBlockIndex: at, delta } = change;
    if (delta.text !== undefined) content[at] = { text: `${content[at]?.text ?? ''}${delta.text}` };
    if (delta.toolUse) content[at].toolUse.input += delta.toolUse.input;
    const reasoning = delta.reasoningContent;
    if (reasoning?.redactedContent) content[at] = { reasoningContent: reasoning };
    else if (reasoning) {
      const { text = '', signature } = content[at]?.reasoningContent.reasoningText ?? {};
      const joined = { text: text + (reasoning.text ?? ''), signature: reasoning.signature ?? signature };
      content[at] = { reasoningContent: { reasoningText: joined } };
    }
  }
  return content.map((block) =>
    block.toolUse ? { toolUse: { ...block.toolUse, input: JSON.parse(block.toolUse.input) } } : block,
  );
}

/** The same loop with InvokeModel, in the shape of the Messages API. */
export async function invokeLoop(Sdk: Any, client: Any, options: LoopOptions): Promise<void> {
  const { modelId, stream = false, harness = faithful, extra = {}, text = 'Look there.' } = options;
  const messages: Any[] = [{ role: 'user', content: text }];
  for (let step = 0; step < 10; step += 1) {
    const body = JSON.stringify({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 4000,
      tools: [{ name: 'look_up', input_schema: { type: 'object', properties: {} } }],
      messages,
      ...extra,
    });
    const content: Any[] = [];
    if (stream) {
      const answer = await client.send(new Sdk.InvokeModelWithResponseStreamCommand({ modelId, body }));
      for await (const { chunk } of answer.body) collect(content, JSON.parse(Buffer.from(chunk.bytes).toString()));
    } else {
      const answer = await client.send(new Sdk.InvokeModelCommand({ modelId, body }));
      content.push(...JSON.parse(answer.body.transformToString()).content);
    }
    messages.push({ role: 'assistant', content: content.flatMap(harness) });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'seen' })),
    });
  }
}

function collect(content: Any[], event: Any): void {
  if (event.type === 'content_block_start') content[event.index] = { ...event.content_block };
  if (event.type === 'content_block_stop' && content[event.index].json !== undefined) {
    const { json, ...block } = content[event.index];
    content[event.index] = { ...block, input: JSON.parse(json || '{}') };
  }
  if (event.type !== 'content_block_delta') return;
  const block = content[event.index];
  const { delta } = event;
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
  if (delta.type === 'signature_delta') block.signature += delta.signature;
  if (delta.type === 'text_delta') block.text += delta.text;
  if (delta.type === 'input_json_delta') block.json = (block.json ?? '') + delta.partial_json;
}
