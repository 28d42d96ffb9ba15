/** Beta headers that change what a request may say or what an answer holds. */
export const BETAS = {
  bindingControls: 'thinking-binding-controls-2026-08-01',
  displayUpdates: 'thinking-display-updates-2026-08-18',
  interleaved: 'interleaved-thinking-2025-05-14',
  tokenCount: 'thinking-token-count-2026-05-13',
  fallback: 'server-side-fallback-2026-07-01',
  fallbackJune: 'server-side-fallback-2026-06-01',
  fallbackCredit: 'fallback-credit-2026-07-01',
  fallbackCreditJune: 'fallback-credit-2026-06-01',
  contextManagement: 'context-management-2025-06-27',
  compactThreshold: 'compact-2026-01-12',
  compactOnDemand: 'compact-2026-09-04',
  threads: 'message-threads-2026-08-12',
  midConversationOutput: 'mid-conversation-output-config-2026-07-01',
  cacheDiagnosis: 'cache-diagnosis-2026-04-07',
} as const;

/** Every beta name of the SDK's `AnthropicBeta` union (1.14.0). Vertex refuses a name it does not know. */
export const KNOWN_BETAS: ReadonlySet<string> = new Set([
  ...Object.values(BETAS),
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'output-128k-2025-02-19',
  'output-300k-2026-03-24',
  'mcp-client-2025-04-04',
  'mcp-client-2025-11-20',
  'mcp-client-2026-09-15',
  'dev-full-thinking-2025-05-14',
  'code-execution-2025-05-22',
  'context-1m-2025-08-07',
  'model-context-window-exceeded-2025-08-26',
  'fast-mode-2026-02-01',
  'advisor-tool-2026-03-01',
  'mid-conversation-tool-changes-2026-07-01',
  'mid-conversation-system-clear-at-2026-08-21',
  'structured-outputs-2025-11-13',
  'task-budgets-2026-03-13',
  'inline-tools-2026-09-15',
  'message-batches-2024-09-24',
  'prompt-caching-2024-07-31',
  'pdfs-2024-09-25',
  'token-counting-2024-11-01',
  'token-efficient-tools-2025-02-19',
  'files-api-2025-04-14',
  'extended-cache-ttl-2025-04-11',
  'skills-2025-10-02',
]);

/** The names in an `anthropic-beta` header. */
export function betaSet(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').map((name) => name.trim());
  return new Set(names.filter((name) => name !== ''));
}
