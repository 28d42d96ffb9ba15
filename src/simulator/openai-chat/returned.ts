import { type ApiFailure, failure } from '../openai/api-failure.ts';
import { textTokens } from '../text-tokens.ts';
import type { ChatContext } from './context.ts';
import { callsOf, type PlacedMessage, turnStart } from './messages.ts';
import type { Requirement } from './profile.ts';
import { type FoundReasoning, hasMember, readReasoning } from './read-reasoning.ts';
import type { ChatRequest } from './request.ts';

/** Reasoning that the model is shown. */
export interface ShownReasoning {
  readonly path: string;
  readonly message: number;
  readonly text: string;
  readonly tokens: number;
  readonly model: string;
  readonly plan?: unknown;
}

interface Listed {
  readonly path: string;
  readonly reason: string;
}

export interface Returned {
  readonly shown: readonly ShownReasoning[];
  /** Read, though it is not what was issued: `edited`, `placeholder`, `unknown`. */
  readonly allowed: readonly Listed[];
  /** Not readable by this model, and passed over. */
  readonly dropped: readonly Listed[];
  /** Left out by the host's own rules: `turn_boundary`, `not_read`, `thinking_off`. */
  readonly stripped: readonly Listed[];
  /** The host stopped the model's thinking instead of refusing the request. */
  readonly switchedOff: boolean;
}

/** Looks at the reasoning of every assistant message: what is missing, what is read, what is refused. */
export function readReturned(context: ChatContext, request: ChatRequest): Returned | ApiFailure {
  const { messages, profile, upstream, host } = request;
  const start = turnStart(messages);
  const answers = messages.filter(({ role }) => role === 'assistant');
  const refused = checkRefused(request, answers);
  if (refused) return refused;
  const members = profile.reads(host);
  const found = new Map(answers.map((message) => [message, readReasoning(message, members, upstream)]));

  const requirement = request.thinks ? upstream.requires?.(host) : undefined;
  const lacking =
    requirement &&
    answers.find((message) => isLacking(context, request, message, found.get(message) ?? [], requirement));
  const switchedOff =
    lacking !== undefined &&
    requirement?.switchesOff === true &&
    [...found.values()].every((list) => list.length === 0);
  if (lacking && requirement && !switchedOff) {
    const call = callsOf(lacking.wire)[0]?.function;
    const name = typeof call === 'object' && call !== null && 'name' in call ? String(call.name) : '';
    return failure(requirement.message(lacking.index, name), { code: 'invalid_request_error' });
  }

  const broken = brokenRun(context, request, found);
  if (broken) return broken;
  const lists = {
    shown: [] as ShownReasoning[],
    allowed: [] as Listed[],
    dropped: [] as Listed[],
    stripped: [] as Listed[],
  };
  const turns = upstream.turns(host);
  for (const message of answers) {
    for (const { path } of unread(message, request)) lists.stripped.push({ path, reason: 'not_read' });
    for (const one of found.get(message) ?? []) {
      const reason = !request.thinks || switchedOff ? 'thinking_off' : turns === 'none' ? 'not_read' : 'turn_boundary';
      const isRead =
        request.thinks && !switchedOff && (turns === 'all' || (turns === 'open_turn' && message.index >= start));
      const outcome = judge(context, request, message, one);
      if (isFailureOutcome(outcome) && isRead) return outcome.refusal;
      if (!isRead) lists.stripped.push({ path: one.path, reason });
      else if ('dropped' in outcome) lists.dropped.push({ path: one.path, reason: outcome.dropped });
      else if ('shown' in outcome) {
        lists.shown.push({ path: one.path, message: message.index, ...outcome.shown });
        if (outcome.allowed) lists.allowed.push({ path: one.path, reason: outcome.allowed });
      }
    }
  }
  return { ...lists, switchedOff };
}

type Outcome =
  | { readonly shown: Omit<ShownReasoning, 'path' | 'message'>; readonly allowed?: string }
  | { readonly dropped: string }
  | { readonly refusal: ApiFailure };

function isFailureOutcome(outcome: Outcome): outcome is { readonly refusal: ApiFailure } {
  return 'refusal' in outcome;
}

/** What a piece of reasoning turns out to be. */
function judge(context: ChatContext, request: ChatRequest, message: PlacedMessage, found: FoundReasoning): Outcome {
  const { upstream, model } = request;
  if (upstream.seals === 'nothing') {
    // Another family's payload means nothing here.
    return found.text === undefined ? foreign(context, 'foreign') : judgeText(context, request, message, found.text);
  }
  const { seal } = found;
  if (seal !== undefined && upstream.bypasses?.includes(seal)) {
    return { shown: { text: '', tokens: 0, model }, allowed: 'placeholder' };
  }
  const opened = seal === undefined ? undefined : context.sealer.open(seal);
  if (!opened) {
    // A bare text cannot stand in for what has to be verified; whether it is missed is another rule's business.
    if (seal === undefined) return { dropped: 'unsealed' };
    return sealRefused(upstream.sealFailure, found.path) ?? { dropped: 'unreadable' };
  }
  if (opened.provider !== upstream.provider) return foreign(context, 'foreign');
  const isOwn = opened.organization === request.organization.id;
  const isModel =
    upstream.seals !== 'call' || opened.model === model || context.conflicts.geminiModelSwitch === 'accept';
  if (!isOwn || !isModel) return sealRefused(upstream.sealFailure, found.path) ?? foreign(context, 'foreign');
  const { text, tokens, plan } = opened;
  const shown = { text, tokens, model: opened.model, ...('plan' in opened && { plan }) };
  if (upstream.seals === 'text' && found.text !== text) {
    return sealRefused(upstream.sealFailure, found.path) ?? { dropped: 'edited' };
  }
  const misplaced = opened.call !== undefined && callsOf(message.wire)[0]?.id !== opened.call;
  return misplaced ? { shown, allowed: 'misplaced' } : { shown };
}

function judgeText(context: ChatContext, request: ChatRequest, message: PlacedMessage, text: string): Outcome {
  const issued = context.issued.of(request.scope, message.wire);
  const same = issued?.find((one) => one.text === text);
  if (same) return { shown: same };
  const shown = { text, tokens: textTokens(text), model: request.model };
  if (issued === undefined) return text === '' ? { shown } : { shown, allowed: 'unknown' };
  return { shown, allowed: text.trim() === '' ? 'placeholder' : 'edited' };
}

function sealRefused(message: string | undefined, path: string): Outcome | undefined {
  return message === undefined
    ? undefined
    : { refusal: failure(message.startsWith('Invalid `') ? `${path}: ${message}` : message) };
}

function foreign({ conflicts }: ChatContext, reason: string): Outcome {
  if (conflicts.foreignDetails === 'drop') return { dropped: reason };
  return { refusal: failure('Reasoning that another model produced cannot be used with this model.') };
}

function checkRefused({ profile, host }: ChatRequest, answers: readonly PlacedMessage[]): ApiFailure | undefined {
  const members = profile.refuses?.(host) ?? [];
  for (const message of answers) {
    const member = members.find((one) => hasMember(message, one));
    if (member === undefined) continue;
    const text = profile.refusal?.(message.index, member) ?? `Extra inputs are not permitted: ${member}`;
    return failure(text, { param: `messages[${message.index}].${member}` });
  }
  return undefined;
}

/** Whether a message that must carry its reasoning does not. Empty counts only where it came empty. */
function isLacking(
  context: ChatContext,
  { messages, scope, upstream, profile, host }: ChatRequest,
  message: PlacedMessage,
  found: readonly FoundReasoning[],
  { of, onlyIssued }: Requirement,
): boolean {
  const callsTools = callsOf(message.wire).length > 0;
  const isOpen = message.index >= turnStart(messages);
  const applies = {
    every_message: true,
    tool_messages: callsTools,
    messages_of_tool_turns: isInToolTurn(messages, message),
    open_tool_messages: callsTools && isOpen,
  }[of];
  if (!applies) return false;
  const issued = context.issued.of(scope, message.wire);
  if (onlyIssued && (issued?.length ?? 0) === 0) return false;
  if (issued?.length === 0 && !profile.deliversEmpty) return false;
  if (found.length === 0) return true;
  if (upstream.seals === 'call' && profile.reads(host).includes('thought_signature')) {
    // Of parallel calls the first has it.
    return !hasMember(message, 'thought_signature');
  }
  if (upstream.seals !== 'nothing') return found.every(({ seal }) => seal === undefined);
  const isEmpty = found.every(({ text }) => (text ?? '') === '');
  const cameEmpty = issued?.some(({ text }) => text === '') ?? true;
  return isEmpty && !cameEmpty;
}

/** A turn goes from one message of the user to the next. */
function isInToolTurn(messages: readonly PlacedMessage[], { index }: PlacedMessage): boolean {
  const from = messages.findLastIndex((one) => one.role === 'user' && one.index < index);
  const to = messages.findIndex((one) => one.role === 'user' && one.index > index);
  return messages.slice(Math.max(from, 0), to < 0 ? undefined : to).some(({ wire }) => callsOf(wire).length > 0);
}

/** Where the newest answer's blocks have to be whole: all of them, in order, of one answer. */
function brokenRun(
  { sealer }: ChatContext,
  { upstream, messages }: ChatRequest,
  found: ReadonlyMap<PlacedMessage, readonly FoundReasoning[]>,
): ApiFailure | undefined {
  const latest = [...found].at(-1);
  if (upstream.runFailure === undefined || !latest || latest[0].index < turnStart(messages)) return undefined;
  const opened = latest[1].map(({ seal }) => (seal === undefined ? undefined : sealer.open(seal)));
  const [head] = opened;
  if (!head || opened.some((one) => one === undefined)) return undefined;
  const isWhole =
    opened.length === head.of && opened.every((one, at) => one?.at === at && one.response === head.response);
  return isWhole ? undefined : failure(`messages.${latest[0].index}: ${upstream.runFailure}`);
}

const ALL_MEMBERS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'] as const;

/** Members that this host does not look at. */
function unread(message: PlacedMessage, { profile, host }: ChatRequest): { readonly path: string }[] {
  const read = profile.reads(host);
  if (read.some((member) => hasMember(message, member))) return [];
  return ALL_MEMBERS.filter((member) => !read.includes(member) && hasMember(message, member)).map(() => ({
    path: message.path,
  }));
}
