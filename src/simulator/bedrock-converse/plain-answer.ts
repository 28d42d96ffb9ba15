import { asList, digest, isWire, type Wire } from '../json.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import type { ConverseContext } from './context.ts';
import type { Family } from './families.ts';
import type { ConverseRequest, PlacedBlock, PlacedMessage } from './read-request.ts';
import { invalid, modelSaid, type Refusal } from './refusal.ts';
import type { ConverseAnswer, ConverseScriptCall } from './script.ts';

/** What a model other than Claude is shown of the reasoning in a request. */
export interface Replay {
  readonly shown: readonly { readonly path: string; readonly text: string; readonly plan?: unknown }[];
  /** Sent, and not for this model to read. */
  readonly ignored: readonly string[];
}

/** Sealed reasoning: all that the model wants to know when it comes back. */
interface Sealed {
  readonly text: string;
  readonly plan?: unknown;
  readonly model: string;
}

/** What becomes of the reasoning that a request brings back. */
export function readReplay(context: ConverseContext, family: Family, request: ConverseRequest): Replay | Refusal {
  const blocks = request.messages
    .flatMap(({ blocks: all }) => all)
    .filter(({ member }) => member === 'reasoningContent');
  if (family.replay === 'verified') return readSealed(context, request, blocks);
  const refuses =
    family.replay === 'refused' || (family.replay === 'unverified' && context.conflicts.unsignedReplay === 'error');
  if (refuses && blocks.length > 0) return invalid('User messages cannot contain reasoning content');
  return { shown: [], ignored: blocks.map(({ path }) => path) };
}

function readSealed(
  context: ConverseContext,
  request: ConverseRequest,
  blocks: readonly PlacedBlock[],
): Replay | Refusal {
  const shown: { path: string; text: string; plan?: unknown }[] = [];
  for (const { value, path } of blocks) {
    const content = isWire(value) ? value.redactedContent : undefined;
    const sealed = typeof content === 'string' ? unseal(context, content) : undefined;
    if (!sealed) return modelSaid(`${path}: the encrypted content could not be verified.`);
    shown.push({ path, text: sealed.text, ...('plan' in sealed && { plan: sealed.plan }) });
  }
  const bare = request.messages
    .slice(turnStart(request.messages))
    .findIndex(
      ({ role, blocks: own }) =>
        role === 'assistant' &&
        own.some(({ member }) => member === 'toolUse') &&
        !own.some(({ member }) => member === 'reasoningContent'),
    );
  if (bare >= 0 && context.conflicts.missingSealed === 'error') {
    const at = turnStart(request.messages) + bare;
    return modelSaid(`messages.${at}: a tool call was provided without its required reasoning.`);
  }
  return { shown, ignored: [] };
}

function unseal({ box }: ConverseContext, content: string): Sealed | undefined {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64') !== content) return undefined;
  const sealed = box.open({ tag: bytes.subarray(0, 16), body: bytes.subarray(16) });
  return isWire(sealed) && typeof sealed.text === 'string' ? (sealed as unknown as Sealed) : undefined;
}

/** The first message after the last one of the user that brings no result. */
function turnStart(messages: readonly PlacedMessage[]): number {
  const last = messages.findLastIndex(
    ({ role, blocks }) => role === 'user' && !blocks.some(({ member }) => member === 'toolResult'),
  );
  return last + 1;
}

export interface Place {
  readonly family: Family;
  /** Differs for each arrival. */
  readonly label: string;
  readonly repeat: number;
}

export function scriptCall(
  { seed }: ConverseContext,
  request: ConverseRequest,
  replay: Replay,
  { family, label, repeat }: Place,
): ConverseScriptCall {
  const { messages, body, tools, modelId, toolChoice } = request;
  const start = turnStart(messages);
  const userText = (messages[start - 1]?.blocks ?? [])
    .map(({ value }) => (typeof value === 'string' ? value : ''))
    .join(' ');
  const turn = messages.filter(({ role, blocks }) => role === 'user' && resultsOf(blocks).length === 0).length;
  const shown = replay.shown.map(({ path: _, ...one }) => one);
  return {
    api: 'bedrock-converse',
    model: modelId,
    family: family.id,
    turn,
    step: messages.slice(start).filter(({ role }) => role === 'assistant').length,
    answers: messages.filter(({ role }) => role === 'assistant').length,
    repeat,
    body,
    tools,
    mustCall: toolChoice === 'any' || toolChoice === 'tool',
    userText,
    results: resultsSeen(messages),
    shown,
    plan: shown.findLast((one) => 'plan' in one)?.plan,
    random: seeded(seed, `converse script ${label}`),
    turnRandom: seeded(seed, `turn ${turn} ${digest(userText)}`),
  };
}

const resultsOf = (blocks: readonly PlacedBlock[]): readonly Wire[] =>
  blocks.filter(({ member }) => member === 'toolResult').map(({ value }) => (isWire(value) ? value : {}));

function resultsSeen(messages: readonly PlacedMessage[]): ToolResultSeen[] {
  const calls = messages
    .flatMap(({ blocks }) => blocks)
    .filter(({ member }) => member === 'toolUse')
    .map(({ value }) => (isWire(value) ? value : {}));
  return resultsOf(messages.at(-1)?.blocks ?? []).map(({ toolUseId, content, status }) => {
    const made = calls.find((call) => call.toolUseId === toolUseId) ?? {};
    return {
      id: String(toolUseId),
      name: String(made.name ?? ''),
      input: made.input,
      content: asList(content),
      isError: status === 'error',
    };
  });
}

/** An answer as Converse gives it. */
export function composeAnswer(
  context: ConverseContext,
  request: ConverseRequest,
  answer: ConverseAnswer,
  { family, label }: Place,
): Wire {
  const ids = seeded(context.seed, `converse answer ${label}`);
  let reasoningTokens = 0;
  const content = answer.content.flatMap((part): Wire[] => {
    if ('think' in part) {
      if (!family.thinks(request.extra)) return [];
      reasoningTokens += part.tokens ?? textTokens(part.think);
      return [{ reasoningContent: reasoningContent(context, family, part, request.modelId) }];
    }
    if ('text' in part) return [{ text: part.text }];
    return [{ toolUse: { toolUseId: ids.id('tooluse_'), name: part.tool, input: part.input ?? {} } }];
  });
  const outputTokens =
    reasoningTokens + textTokens(JSON.stringify(answer.content.filter((part) => !('think' in part))));
  const inputTokens = textTokens(JSON.stringify(request.body));
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: answer.stop ?? (content.some((block) => 'toolUse' in block) ? 'tool_use' : 'end_turn'),
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  };
}

function reasoningContent(
  { box }: ConverseContext,
  family: Family,
  { think, plan }: { readonly think: string; readonly plan?: unknown },
  model: string,
): Wire {
  if (family.reasoning !== 'sealed') return { reasoningText: { text: think } };
  const { tag, body } = box.close({ text: think, model, ...(plan !== undefined && { plan }) });
  return { redactedContent: Buffer.concat([tag, body]).toString('base64') };
}
