import { type Form, type Item, type Spelling, seal, Talk } from '../gemini-independent/talk.ts';

/** Converse, and the Messages API of the same models, as short builders. */
export const ASK = 'Which of the pumps needs oil?';

export const R = (name: string, text = `Pump ${name} ran hot.`): Item => ({
  reasoningContent: { reasoningText: { text, signature: seal(name) } },
});
/** Reasoning without a signature, as families other than Claude give it. */
export const plain = (text: string): Item => ({ reasoningContent: { reasoningText: { text } } });
export const redacted = (name: string): Item => ({ reasoningContent: { redactedContent: seal(name) } });
export const use = (name: string): Item => ({ toolUse: { toolUseId: `tooluse_${name}`, name, input: { key: name } } });
export const say = (text: string): Item => ({ text });
export const result = (name: string): Item => ({
  toolResult: { toolUseId: `tooluse_${name}`, content: [{ text: `result of ${name}` }] },
});
export const bot = (...content: readonly Item[]): Item => ({ role: 'assistant', content });
export const user = (...parts: readonly (Item | string)[]): Item => ({
  role: 'user',
  content: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
});

export const CONVERSE: Form = {
  api: 'bedrock.converse',
  history: 'messages',
  parts: 'content',
  model: 'modelId',
  assistant: 'assistant',
  response: (content) => ({ stopReason: 'tool_use', output: { message: { role: 'assistant', content } } }),
  user,
  result,
};
export const ADAPTIVE = { additionalModelRequestFields: { thinking: { type: 'adaptive' } } };
export const converse = (modelId: string, config: Item = ADAPTIVE, meta?: Item): Talk =>
  new Talk(CONVERSE, { modelId, ...config }, meta);

const think = (value: Item): Item => value;
export const MESSAGES: Form = {
  api: 'anthropic.messages',
  history: 'messages',
  parts: 'content',
  model: 'model',
  assistant: 'assistant',
  response: (content, model) => ({ model, stop_reason: 'tool_use', content }),
  user: (...parts) => ({
    role: 'user',
    content: parts.map((part) => think(typeof part === 'string' ? { type: 'text', text: part } : part)),
  }),
  result: (name) => ({ type: 'tool_result', tool_use_id: `tooluse_${name}`, content: `result of ${name}` }),
};
export const messages = (model: string, config: Item = { thinking: { type: 'adaptive' } }, meta?: Item): Talk =>
  new Talk(MESSAGES, { model, max_tokens: 8000, ...config }, meta);
export const T = (name: string, thinking = `Pump ${name} ran hot.`): Item => ({
  type: 'thinking',
  thinking,
  signature: seal(name),
});
export const hidden = (name: string): Item => ({ type: 'redacted_thinking', data: seal(name) });
export const call = (name: string): Item => ({
  type: 'tool_use',
  id: `tooluse_${name}`,
  name,
  input: { key: name },
});
export const text = (value: string): Item => ({ type: 'text', text: value });

interface Union extends Item {
  readonly reasoningContent?: {
    readonly reasoningText?: { text?: string; signature?: string };
    redactedContent?: unknown;
  };
  readonly toolUse?: { readonly input: unknown };
  readonly text?: string;
}
/** ConverseStream: reasoning and text have no start; a signature is a delta of its own. */
function events(content: readonly Union[]): readonly Item[] {
  return [
    { messageStart: { role: 'assistant' } },
    ...content.flatMap((block, contentBlockIndex) => {
      const delta = (value: Item): Item => ({ contentBlockDelta: { contentBlockIndex, delta: value } });
      const stop = { contentBlockStop: { contentBlockIndex } };
      const { reasoningContent, toolUse } = block;
      const reasoning = reasoningContent?.reasoningText;
      if (reasoning !== undefined) {
        const { text: value = '', signature } = reasoning;
        const halves = value === '' ? [''] : [value.slice(0, 4), value.slice(4)];
        return [
          ...halves.map((half) => delta({ reasoningContent: { text: half } })),
          ...(signature === undefined ? [] : [delta({ reasoningContent: { signature } })]),
          stop,
        ];
      }
      if (reasoningContent !== undefined) return [delta({ reasoningContent }), stop];
      if (toolUse !== undefined) {
        const { input, ...start } = toolUse;
        return [
          { contentBlockStart: { contentBlockIndex, start: { toolUse: start } } },
          delta({ toolUse: { input: JSON.stringify(input) } }),
          stop,
        ];
      }
      return [delta({ text: block.text }), stop];
    }),
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { inputTokens: 10, outputTokens: 10, totalTokens: 20 } } },
  ];
}
const contentOf = (response: Item): readonly Union[] | undefined =>
  (response.output as { message?: { content?: readonly Union[] } } | undefined)?.message?.content;
const streamed =
  (assembled: boolean): Spelling =>
  (steps) =>
    steps.map((step) => {
      const content = step.api === CONVERSE.api && step.response ? contentOf(step.response) : undefined;
      if (content === undefined || step.response?.additionalModelResponseFields !== undefined) return step;
      return { ...step, response: { ...(assembled ? step.response : {}), stream: events(content) } };
    });
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  streamed: streamed(true),
  'streamed, events alone': streamed(false),
};
