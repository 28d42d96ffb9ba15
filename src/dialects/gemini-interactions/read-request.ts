import { type Digest, digest, mix } from '../../continuity/digest.ts';
import { canonical } from '../canonical-json.ts';
import type { RequestInput } from '../dialect.ts';
import { asArray, asObject, asString, isObject, type Json } from '../json.ts';
import { createMemory } from '../memory.ts';
import { type Model, readModel } from './models.ts';
import { kindOf, readStep, type Step } from './read-step.ts';

/** A request for an interaction, as digests and plain settings. */
export interface RequestFacts {
  readonly requestModel: string;
  readonly model: Model;
  readonly endpoint: string | undefined;
  readonly leg: string | undefined;
  readonly account: string | undefined;
  /** The history that the request itself carries. */
  readonly steps: readonly Step[];
  /** The steps themselves, for the rare looks at a text that must not be kept. */
  readonly rawSteps: readonly Json[];
  /** Place in the body of each of them. */
  readonly paths: readonly string[];
  /** `previous_interaction_id`. */
  readonly parent: Digest | undefined;
  readonly stored: boolean;
  /** Goes on with an interaction that the API has cut into several. */
  readonly resumes: boolean;
  readonly system: Digest;
  readonly tools: Digest;
  readonly hasTools: boolean;
  readonly level: string | undefined;
  readonly on: boolean | undefined;
  readonly summaries: boolean;
  readonly config: Digest;
  readonly stream: boolean;
  readonly settings: Json;
}

const rememberStep = createMemory(readStep);
const rememberTool = createMemory(canonical);

/** @returns undefined for a body that is no request for an interaction. */
export function readRequest(input: RequestInput): RequestFacts | undefined {
  const body = asObject(input.body);
  const requestModel = asString(body?.model) ?? asString(body?.agent);
  if (body === undefined || requestModel === undefined) return undefined;
  const parent = asString(body.previous_interaction_id);
  const read = readInput(body.input);
  // A continuation has no input of its own.
  if (read === undefined && parent === undefined) return undefined;
  const rawSteps = read?.steps ?? [];
  const model = readModel(requestModel);
  const settings = asObject(body.generation_config) ?? {};
  const level = asString(settings.thinking_level)?.toLowerCase();
  const tools = asArray(body.tools) ?? [];
  return {
    requestModel,
    model,
    endpoint: input.endpoint,
    leg: input.leg,
    account: input.account,
    steps: rawSteps.map((step) => rememberStep(step)),
    rawSteps,
    paths: read?.paths ?? [],
    parent: parent === undefined ? undefined : digest(parent),
    stored: body.store !== false,
    resumes: asString(body.continuation_token) !== undefined,
    system: body.system_instruction === undefined ? 0 : mix(SYSTEM, canonical(body.system_instruction)),
    tools: tools.reduce<Digest>((all, tool) => mix(all, isObject(tool) ? rememberTool(tool) : canonical(tool)), 0),
    hasTools: tools.length > 0,
    level: level ?? model.level,
    on: level === undefined ? model.on : true,
    summaries: settings.thinking_summaries === 'auto',
    config: canonical(level ?? null),
    stream: body.stream === true,
    settings,
  };
}

const SYSTEM = digest('system');

/** `input` is a text, contents of one user input, or the steps of a history. */
function readInput(input: unknown): { readonly steps: readonly Json[]; readonly paths: readonly string[] } | undefined {
  if (typeof input === 'string') return { steps: [{ type: 'user_input', content: input }], paths: ['input'] };
  if (isObject(input)) {
    const isStep = kindOf(input) !== undefined && input.type !== 'text';
    return { steps: [isStep ? input : { type: 'user_input', content: [input] }], paths: ['input'] };
  }
  if (!Array.isArray(input)) return undefined;
  const objects = input.filter(isObject);
  if (objects.every((item) => kindOf(item) === undefined || item.type === 'text')) {
    return { steps: [{ type: 'user_input', content: objects }], paths: ['input'] };
  }
  return { steps: objects, paths: objects.map((item) => `input.${input.indexOf(item)}`) };
}
