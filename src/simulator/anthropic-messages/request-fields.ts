import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, invalid } from './api-failure.ts';
import { BETAS, KNOWN_BETAS } from './betas.ts';
import type { ModelRow } from './models.ts';
import type { Call, Platform } from './platform.ts';

interface FieldRow {
  /** Any one of these headers opens the field. */
  readonly betas?: readonly string[];
  readonly platforms?: readonly Platform[];
  readonly batch?: false;
}

/** Members of a request. Whatever is not here, or not open to the request, is an extra input. */
const FIELDS: Readonly<Record<string, FieldRow>> = {
  max_tokens: {},
  messages: {},
  model: { platforms: ['claude', 'vertex'] },
  stream: { platforms: ['claude', 'vertex'] },
  system: {},
  tools: {},
  tool_choice: {},
  thinking: {},
  output_config: {},
  output_format: {},
  metadata: {},
  stop_sequences: {},
  temperature: {},
  top_k: {},
  top_p: {},
  service_tier: {},
  speed: {},
  inference_geo: {},
  cache_control: {},
  container: {},
  mcp_servers: {},
  billing_policy: {},
  user_profile_id: {},
  workspace_id: {},
  fallback_credit_token: { betas: [BETAS.fallbackCredit, BETAS.fallbackCreditJune] },
  context_management: { betas: [BETAS.contextManagement, BETAS.compactThreshold] },
  compaction: { betas: [BETAS.compactOnDemand], platforms: ['claude', 'vertex'] },
  fallbacks: { betas: [BETAS.fallback, BETAS.fallbackJune], platforms: ['claude'], batch: false },
  thread: { betas: [BETAS.threads], platforms: ['claude'], batch: false },
  diagnostics: { betas: [BETAS.cacheDiagnosis], platforms: ['claude'] },
};

export function checkFields(call: Call, batch: boolean): ApiFailure | undefined {
  if (call.platform === 'vertex') {
    const unknown = [...call.betas].filter((beta) => !KNOWN_BETAS.has(beta));
    if (unknown.length > 0) {
      return invalid(`Unexpected value(s) \`${unknown.join('`, `')}\` for the \`anthropic-beta\` header.`);
    }
  }
  for (const [name, value] of Object.entries(call.body)) {
    const row = FIELDS[name];
    const open =
      row !== undefined &&
      (value === null || (row.betas?.some((beta) => call.betas.has(beta)) ?? true)) &&
      (row.platforms?.includes(call.platform) ?? true) &&
      !(batch && row.batch === false);
    if (!open) return invalid(`${name}: Extra inputs are not permitted`);
  }
  return checkEdits(call);
}

const EDIT_BETA: Readonly<Record<string, string>> = {
  compact_20260112: BETAS.compactThreshold,
  clear_thinking_20251015: BETAS.contextManagement,
  clear_tool_uses_20250919: BETAS.contextManagement,
};

function checkEdits({ body, betas }: Call): ApiFailure | undefined {
  const management = body.context_management;
  for (const [index, edit] of asList(isWire(management) ? management.edits : undefined).entries()) {
    const beta = isWire(edit) ? EDIT_BETA[String(edit.type)] : undefined;
    if (beta === undefined || !betas.has(beta)) {
      return invalid(
        `context_management.edits.${index}: Input tag found using 'type' does not match any of the expected tags`,
      );
    }
  }
  return undefined;
}

export function checkTools(body: Wire, tools: readonly Wire[], model: ModelRow): ApiFailure | undefined {
  const names = new Set<unknown>();
  for (const [index, { name, type }] of tools.entries()) {
    if (type === 'mcp_toolset') continue;
    if (typeof name !== 'string') {
      // Toolsets name their members, not themselves.
      if (typeof type === 'string' && type.includes('toolset')) continue;
      return invalid(`tools.${index}.name: Field required`);
    }
    if (names.has(name)) return invalid('tools: Tool names must be unique.', 'tool_name_conflict');
    names.add(name);
  }
  const forced = isWire(body.tool_choice) && ['any', 'tool'].includes(String(body.tool_choice.type));
  if (forced && model.forcedToolRefused) {
    return invalid('tool_choice: type "tool" and "any" are not supported for this model.');
  }
  return undefined;
}
