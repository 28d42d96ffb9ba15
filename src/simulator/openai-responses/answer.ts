import type { StreamEvent } from '../http/exchange.ts';
import { faultIndex } from '../http/stream-place.ts';
import { asList, isWire, type Wire } from '../json.ts';
import { type ApiFailure, failure, isFailure } from '../openai/api-failure.ts';
import type { OpenAiAnswer } from '../openai/script.ts';
import { activeFault, type Fault } from '../script-parts.ts';
import { type Seeded, seeded } from '../seeded.ts';
import { asksForCompaction, compact, freshUpdate, isCompactionDue } from './compaction.ts';
import { type Composed, composeOutput } from './compose.ts';
import type { ResponsesContext } from './context.ts';
import { type Evaluated, evaluate } from './evaluate.ts';
import { responseEvents } from './events.ts';
import type { ResponsesRequest } from './request.ts';
import { responseObject, usageObject } from './response-object.ts';
import { scriptCall } from './script-call.ts';
import { type HeldResponse, RESPONSE_LIFETIME_MS } from './store.ts';

export interface AnswerPlace {
  /** Names this very request, and the how-many-eth arrival of it. */
  readonly label: string;
  readonly repeat: number;
  readonly streams: boolean;
  /** `false` prepares the context without an answer. */
  readonly generates: boolean;
}

/** A finished answer, before it is put on a wire. */
export interface Answered {
  readonly evaluated: Evaluated;
  readonly response: Wire;
  readonly events: readonly StreamEvent[];
  readonly held: HeldResponse;
  readonly fault?: Exclude<Fault, { kind: 'status' }>;
}

/** A refusal, with what the request came to if it got that far. */
export interface Refused {
  readonly refusal: ApiFailure;
  readonly evaluated?: Evaluated;
  readonly fault?: Fault;
}

/** Judges a request, lets the script answer, and keeps what is to be kept. */
export async function answerRequest(
  context: ResponsesContext,
  request: ResponsesRequest,
  place: AnswerPlace,
): Promise<Answered | Refused> {
  const evaluated = evaluate(context, request);
  if (isFailure(evaluated)) return { refusal: evaluated };
  const ids = seeded(context.seed, `responses answer ${place.label}`);
  const id = ids.id('resp_', 40);
  const isTrigger = asksForCompaction(evaluated);
  const speaks = place.generates && !isTrigger;
  const answer: OpenAiAnswer = speaks
    ? await context.script(scriptCall(evaluated, { seed: context.seed, ...place }))
    : { content: [] };
  const fault = activeFault(answer.fault, place.repeat);
  if (fault?.kind === 'status') {
    const { status, message = 'Simulated failure', code } = fault;
    return { refusal: failure(message, { status, ...(code !== undefined && { code }) }), evaluated, fault };
  }
  const lead =
    isTrigger || (speaks && isCompactionDue(evaluated)) ? compactedLead(context, evaluated, ids, answer) : NO_LEAD;
  const use = context.cache.use(cacheScope(request), evaluated.view.segments, cacheSettings(request));
  const composed = speaks ? composeOutput(context, evaluated, answer, ids) : NOTHING;
  const output = [...lead.items, ...composed.output];
  const createdAt = Math.floor(context.now() / 1000);
  const end = ending(answer, composed);
  const diagnostics = context.diagnostics.of(request, evaluated.history, evaluated.view, evaluated.config);
  const response = responseObject(
    evaluated,
    {
      id,
      createdAt,
      ...end,
      output: shownOutput(context, request, [
        ...lead.items,
        ...(place.streams && context.conflicts.terminalCiphertext === 'different'
          ? composed.resealed
          : composed.output),
      ]),
      usage: usageObject(
        use,
        lead.tokens + composed.outputTokens,
        composed.reasoningTokens,
        request.model.cacheOptions,
      ),
      ...(diagnostics && { diagnostics }),
    },
    context.conflicts,
  );
  const events = responseEvents(response, {
    output: shownOutput(context, request, output),
    terminalOutput: context.conflicts.terminalOutput,
    announcesCompaction: isTrigger,
  });
  const held: HeldResponse = {
    id,
    organization: request.organization.id,
    body: request.body,
    context: evaluated.history.items.filter(({ type }) => type !== 'compaction_trigger'),
    input: evaluated.history.input,
    output: place.streams ? deliveredOutput(output, events, fault) : output,
    response,
    steers: request.model.steering,
    isPending: request.body.background === true,
    events,
    expires: context.now() + RESPONSE_LIFETIME_MS,
  };
  context.issued.remember(output);
  context.diagnostics.remember(id, request, evaluated.history, evaluated.view, evaluated.config);
  if (request.stores) {
    context.store.keep(held);
    if (response.status === 'completed' && held.output.length === output.length)
      appendToConversation(evaluated, output, ids);
  }
  return { evaluated, response, events, held, ...(fault && { fault }) };
}

const NO_LEAD = { items: [] as readonly Wire[], tokens: 0 };
const NOTHING: Composed = { output: [], resealed: [], outputTokens: 0, reasoningTokens: 0, isCut: false };

/** A compaction at the beginning of the output; what the model thinks from here on stands behind it. */
function compactedLead(context: ResponsesContext, evaluated: Evaluated, ids: Seeded, answer: OpenAiAnswer) {
  const { item, tokens } = compact(context, evaluated, ids, answer.summary);
  const updates = freshUpdate(evaluated, ids);
  evaluated.binding.roller.restart(String(item.id));
  for (const update of updates) evaluated.binding.roller.add(update, String(update.type));
  return { items: [item, ...updates], tokens };
}

function ending(answer: OpenAiAnswer, { isCut }: Composed) {
  if (answer.stop === 'failed') {
    const { code, message } = answer.error ?? { code: 'server_error', message: 'The model failed to answer.' };
    return { status: 'failed', error: { code, message } };
  }
  const incompleteReason = answer.stop ?? (isCut ? 'max_output_tokens' : undefined);
  return incompleteReason === undefined ? { status: 'completed' } : { status: 'incomplete', incompleteReason };
}

/** Older gateways give ciphertext only to those who ask. */
function shownOutput(
  { conflicts }: ResponsesContext,
  { body }: ResponsesRequest,
  output: readonly Wire[],
): readonly Wire[] {
  const asked = asList(body.include).includes('reasoning.encrypted_content');
  return asked || conflicts.encryptedContent === 'always' ? output : output.map(withoutCiphertext);
}

export function withoutCiphertext(item: Wire): Wire {
  if (item.type !== 'reasoning') return item;
  const { encrypted_content: _, ...bare } = item;
  return bare;
}

/** A stream that broke leaves only the items that were done: one that ends in its reasoning cannot be gone on from. */
function deliveredOutput(
  output: readonly Wire[],
  events: readonly StreamEvent[],
  fault: Fault | undefined,
): readonly Wire[] {
  if (fault?.kind !== 'cut' && fault?.kind !== 'error_event') return output;
  const sent = events.slice(0, faultIndex(events, fault));
  return output.slice(0, sent.filter(({ event }) => event === 'response.output_item.done').length);
}

function appendToConversation({ history }: Evaluated, output: readonly Wire[], ids: Seeded): void {
  const { conversation, input } = history;
  conversation?.items.push(...input.map(({ item, type }) => withId(item, type, ids)), ...output);
}

/** Items get ids once they are part of a conversation. */
export function withId(item: Wire, type: string, ids: Seeded): Wire {
  return typeof item.id === 'string' ? item : { ...item, id: ids.id(type === 'message' ? 'msg_' : 'item_', 40) };
}

function cacheScope({ organization, model, body }: ResponsesRequest): string {
  return `${organization.id} ${model.id} ${body.prompt_cache_key ?? ''}`;
}

function cacheSettings({ body }: ResponsesRequest): { explicit?: boolean; lifetimeMs?: number } {
  const options = isWire(body.prompt_cache_options) ? body.prompt_cache_options : {};
  return {
    ...(options.mode === 'explicit' && { explicit: true }),
    ...(options.ttl === '12h' && { lifetimeMs: 12 * 60 * 60_000 }),
  };
}
