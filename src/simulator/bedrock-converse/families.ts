import { isWire, type Wire } from '../json.ts';

/** What a family of models does with its reasoning behind Converse. */
export interface Family {
  readonly id: string;
  /** `signed`: Anthropic's own API answers. `sealed`: bytes that nobody else reads. */
  readonly reasoning: 'signed' | 'unsigned' | 'sealed';
  /** What becomes of reasoning that comes back. `unverified`: no source says; a conflict decides. */
  readonly replay: 'engine' | 'refused' | 'unverified' | 'verified';
  readonly thinks: (extra: Wire) => boolean;
}

const always = (): boolean => true;

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html for Claude; the rest as users
 * report it: github.com/can1357/oh-my-pi/issues/9086 (Nova), github.com/langchain-ai/langchain-aws/issues/401 and
 * github.com/aws-samples/bedrock-chat/issues/845 (DeepSeek). Read 2026-11-30.
 */
const FAMILIES: readonly (Family & { readonly ids: RegExp })[] = [
  { id: 'claude', ids: /anthropic\.claude/, reasoning: 'signed', replay: 'engine', thinks: always },
  {
    id: 'nova',
    ids: /amazon\.nova/,
    reasoning: 'unsigned',
    replay: 'refused',
    // The member's name is in no reference that could be read.
    thinks: ({ reasoningConfig: config }) => isWire(config) && config.type === 'enabled',
  },
  { id: 'deepseek', ids: /deepseek\./, reasoning: 'unsigned', replay: 'refused', thinks: always },
  { id: 'gpt-oss', ids: /openai\.gpt-oss/, reasoning: 'unsigned', replay: 'unverified', thinks: always },
  { id: 'gpt', ids: /openai\.gpt-/, reasoning: 'sealed', replay: 'verified', thinks: always },
  { id: 'open', ids: /moonshot|minimax|qwen/, reasoning: 'unsigned', replay: 'unverified', thinks: always },
];

/** By the id, whichever inference profile stands before it. */
export function familyOf(modelId: string): Family | undefined {
  return FAMILIES.find(({ ids }) => ids.test(modelId));
}
