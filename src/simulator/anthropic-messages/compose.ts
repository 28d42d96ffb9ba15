import type { Wire } from '../json.ts';
import type { ThinkPart } from '../script-parts.ts';
import type { Seeded } from '../seeded.ts';
import { textTokens } from '../text-tokens.ts';
import { endUserOf } from './binding.ts';
import type { PrefixRecord } from './prefix.ts';
import type { MessagesRequest } from './request.ts';
import type { Answer, Part, ProgressPart, StopReason } from './script.ts';
import { type Sealer, sealId } from './seal.ts';
import type { ResolvedThinking } from './thinking-config.ts';
import { blockTokens } from './tokens.ts';

export interface ComposeInput {
  readonly request: MessagesRequest;
  readonly thinking: ResolvedThinking;
  readonly answer: Answer;
  readonly response: string;
  readonly ids: Seeded;
  readonly sealer: Sealer;
  readonly prefix: PrefixRecord;
  readonly predecessor: string | null;
  /** Whether the turn has no answer yet. */
  readonly opensTurn: boolean;
  readonly maxTokens: number;
  /** Number of the first run of reasoning, so that a fallback's runs do not repeat the declined model's. */
  readonly firstRun?: number;
}

export interface Composed {
  readonly content: readonly Wire[];
  readonly stop: StopReason;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  /** Identity of the last reasoning block of the conversation so far. */
  readonly lastReasoning: string | null;
}

const DELIMITER_TOKENS = 2;

/** Turns a script's answer into content blocks, with what the request allows of it, sealed. */
export function compose(input: ComposeInput): Composed {
  const { answer, ids, maxTokens } = input;
  const { parts, cut, outputTokens, thinkingTokens } = withinBudget(allowedParts(input), maxTokens);
  const runs = runLengths(parts);
  const content: Wire[] = [];
  let predecessor = input.predecessor;
  for (const [index, part] of parts.entries()) {
    const place = runs[index];
    if (isReasoningPart(part) && place) {
      const block = reasoningBlock(input, part, place, predecessor);
      content.push(block);
      predecessor = sealId(String(block.signature ?? block.data));
    } else if (!isReasoningPart(part)) {
      content.push(...visibleBlocks(part, (prefix) => ids.id(prefix)));
    }
  }
  return {
    content,
    stop: answer.stop ?? (cut ? 'max_tokens' : impliedStop(content)),
    outputTokens: Math.max(outputTokens, 1),
    thinkingTokens,
    lastReasoning: predecessor,
  };
}

/** Cuts an answer off at `max_tokens`: inside a text, or before whatever else does not fit. */
function withinBudget(parts: readonly Part[], maxTokens: number) {
  const kept: Part[] = [];
  let outputTokens = 0;
  let thinkingTokens = 0;
  for (const part of parts) {
    const left = maxTokens - outputTokens;
    const tokens = Math.min(partTokens(part), left);
    const fits = partTokens(part) <= left;
    if (isReasoningPart(part)) {
      thinkingTokens += tokens;
      kept.push(part);
    } else if (fits) kept.push(part);
    else if ('text' in part && left > 0) kept.push({ text: part.text.slice(0, left * 4) });
    outputTokens += tokens;
    if (!fits) return { parts: kept, cut: true, outputTokens, thinkingTokens };
  }
  return { parts: kept, cut: false, outputTokens, thinkingTokens };
}

function partTokens(part: Part): number {
  if ('think' in part) return part.tokens ?? textTokens(part.think) + DELIMITER_TOKENS;
  if ('progress' in part) return textTokens(part.progress) + DELIMITER_TOKENS;
  return visibleBlocks(part, () => '').reduce((sum, block) => sum + blockTokens(block), 0);
}

function isReasoningPart(part: Part): part is ThinkPart | ProgressPart {
  return 'think' in part || 'progress' in part;
}

/** Leaves out reasoning where the resolved configuration does not let the model reason. */
function allowedParts({ answer, thinking, request, opensTurn }: ComposeInput): Part[] {
  const { mode, interleaved } = thinking;
  let calledBefore = !opensTurn;
  let leading = true;
  return answer.content.filter((part) => {
    const isCall = 'tool' in part || 'serverTool' in part;
    const mayReason =
      mode === 'adaptive' ||
      (mode === 'enabled' && (interleaved || (opensTurn && leading))) ||
      (mode === 'between_tools' && (calledBefore || 'progress' in part));
    if (isCall) calledBefore = true;
    if (!isReasoningPart(part)) {
      leading = false;
      return true;
    }
    return mayReason && ('think' in part || request.model.progressUpdates === true);
  });
}

interface RunPlace {
  readonly run: number;
  readonly at: number;
  readonly of: number;
}

function runLengths(parts: readonly Part[]): (RunPlace | undefined)[] {
  const places: (RunPlace | undefined)[] = [];
  let run = -1;
  for (const [index, part] of parts.entries()) {
    if (!isReasoningPart(part)) {
      places.push(undefined);
      continue;
    }
    const before = places.at(-1);
    if (before) {
      places.push({ ...before, at: before.at + 1 });
      continue;
    }
    run += 1;
    const end = parts.findIndex((other, at) => at > index && !isReasoningPart(other));
    places.push({ run, at: 0, of: (end < 0 ? parts.length : end) - index });
  }
  return places;
}

function reasoningBlock(
  input: ComposeInput,
  part: ThinkPart | ProgressPart,
  { run, at, of }: RunPlace,
  predecessor: string | null,
): Wire {
  const { request, thinking, response, sealer, prefix } = input;
  const text = 'think' in part ? part.think : part.progress;
  const redacted = 'think' in part && part.redacted === true;
  const shown = redacted ? '' : shownText(part, thinking.display);
  const endUser = endUserOf(request.body.metadata);
  const seal = sealer.seal({
    kind: redacted ? 'redacted_thinking' : 'thinking',
    model: request.model.id,
    account: request.account.id,
    ...(endUser && { endUser }),
    mode: thinking.mode,
    response,
    run: (input.firstRun ?? 0) + run,
    at,
    of,
    predecessor,
    prefix,
    text,
    shown,
    tokens: partTokens(part),
    ...('plan' in part && { plan: part.plan }),
  });
  return redacted ? { type: 'redacted_thinking', data: seal } : { type: 'thinking', thinking: shown, signature: seal };
}

function shownText(part: ThinkPart | ProgressPart, display: ResolvedThinking['display']): string {
  if (display === 'omitted') return '';
  if ('progress' in part) return part.progress;
  if (display === 'updates') return '';
  return part.summary ?? part.think.split(/(?<=[.!?])\s/)[0] ?? part.think;
}

function visibleBlocks(part: Exclude<Part, ThinkPart | ProgressPart>, id: (prefix: string) => string): Wire[] {
  if ('text' in part) return [{ type: 'text', text: part.text }];
  if ('block' in part) return [part.block];
  if ('tool' in part) {
    return [
      {
        type: 'tool_use',
        id: id('toolu_01'),
        name: part.tool,
        input: part.input ?? {},
        ...(part.caller && { caller: part.caller }),
        ...(part.toolsetName !== undefined && { toolset_name: part.toolsetName }),
      },
    ];
  }
  const useId = id('srvtoolu_01');
  const use = { type: 'server_tool_use', id: useId, name: part.serverTool, input: part.input ?? {} };
  if (part.result === undefined) return [use];
  return [use, { type: `${part.serverTool}_tool_result`, tool_use_id: useId, content: part.result }];
}

function impliedStop(content: readonly Wire[]): StopReason {
  if (content.some(({ type }) => type === 'tool_use')) return 'tool_use';
  const open = content.some(
    ({ type, id }) => type === 'server_tool_use' && !content.some((block) => block.tool_use_id === id),
  );
  return open ? 'pause_turn' : 'end_turn';
}
