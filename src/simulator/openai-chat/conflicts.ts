/**
 * Points on which published sources disagree, or say nothing. Every one is a choice; `strict` is the default and takes
 * the reading that refuses more.
 */
export interface ChatConflicts {
  /** DeepSeek: which assistant messages must bring their reasoning. The documents changed; probes saw nothing refused. */
  readonly deepseekReturn: 'every_message' | 'tool_turns' | 'never';
  /** vLLM: newer versions read only `reasoning`, others map `reasoning_content` to it. */
  readonly vllmReads: 'reasoning' | 'both';
  /** Groq: `reasoning` on an assistant message. No source says that it is refused as `reasoning_content` is. */
  readonly groqReasoningInput: 'read' | 'refuse';
  /** MiniMax: whether streamed `reasoning_details` repeat what came before. */
  readonly minimaxDeltas: 'incremental' | 'cumulative';
  /** Gateways: elements that another family of models made. */
  readonly foreignDetails: 'error' | 'drop';
  /** OpenRouter: an upstream's refusal as an HTTP status, or as an error in a body with status 200. */
  readonly openRouterErrors: 'status' | 'body';
  /** LiteLLM: blocks missing from a Claude loop: refused, or (`modify_params`) thinking switched off in silence. */
  readonly litellmMissingBlocks: 'error' | 'thinking_off';
  /** Gemini's endpoint: a signature that another model made. */
  readonly geminiModelSwitch: 'error' | 'accept';
}

export const CHAT_CONFLICTS: Readonly<Record<'strict' | 'lenient', ChatConflicts>> = {
  strict: {
    deepseekReturn: 'every_message',
    vllmReads: 'reasoning',
    groqReasoningInput: 'read',
    minimaxDeltas: 'incremental',
    foreignDetails: 'error',
    openRouterErrors: 'status',
    litellmMissingBlocks: 'error',
    geminiModelSwitch: 'error',
  },
  lenient: {
    deepseekReturn: 'never',
    vllmReads: 'both',
    groqReasoningInput: 'read',
    minimaxDeltas: 'cumulative',
    foreignDetails: 'drop',
    openRouterErrors: 'body',
    litellmMissingBlocks: 'thinking_off',
    geminiModelSwitch: 'accept',
  },
};
