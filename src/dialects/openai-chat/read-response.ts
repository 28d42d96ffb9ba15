import type { CallError } from '../dialect.ts';
import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import { createGrowingMessage, type GrowingMessage } from './growing-message.ts';

export interface UsageFacts {
  /** All input, cached included. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** One of the answers that a response offers; nearly always there is one. Holds content until it has been digested. */
export interface Choice {
  readonly message: Json;
  readonly finishReason: string | undefined;
  /** Of a stream: the last value of each member, which is what the SDK's own assembler keeps. */
  readonly lastValues?: ReadonlyMap<string, unknown>;
  /** Nothing was cut off. */
  readonly finished: boolean;
}

export interface Response {
  readonly id?: string;
  readonly model?: string;
  /** Who answered behind a router. */
  readonly upstream?: string;
  readonly choices: readonly Choice[];
  readonly usage: UsageFacts;
  readonly cacheHitTokens: boolean;
}

/** Collects a response, whole or chunk by chunk. */
export function createReader(): {
  readonly whole: (body: unknown) => void;
  readonly event: (chunk: unknown) => void;
  readonly end: (finished: boolean) => Response | undefined;
  readonly started: () => Json | undefined;
  /** An error in the body of a successful response, or in the stream (openrouter.ai errors). */
  readonly failure: () => CallError | undefined;
} {
  const head: Record<string, unknown> = {};
  const growing = new Map<number, GrowingMessage>();
  const choices = new Map<number, { readonly message: Json; readonly finishReason: string | undefined }>();
  let usage: UsageFacts = {};
  let cacheHitTokens = false;
  let error: CallError | undefined;
  let begun = false;

  const readHead = (body: Json): void => {
    begun = true;
    for (const member of ['id', 'model', 'provider']) if (asString(body[member])) head[member] ??= body[member];
    readUsage(body.usage);
    error ??= readError(body.error);
  };
  const readUsage = (value: unknown): void => {
    const source = asObject(value);
    if (source === undefined) return;
    usage = { ...usage, ...usageOf(source) };
    cacheHitTokens ||= source.prompt_cache_hit_tokens !== undefined;
  };

  return {
    whole(value) {
      const body = asObject(value);
      if (body === undefined) return;
      readHead(body);
      asArray(body.choices)?.forEach((choice, at) => {
        const message = asObject(asObject(choice)?.message);
        if (message === undefined || !isObject(choice)) return;
        readUsage(choice.usage);
        choices.set(asNumber(choice.index) ?? at, { message, finishReason: asString(choice.finish_reason) });
      });
    },
    event(value) {
      const chunk = asObject(value);
      if (chunk === undefined) return;
      readHead(chunk);
      asArray(chunk.choices)?.forEach((choice, at) => {
        if (!isObject(choice)) return;
        // Kimi puts the usage of a stream here.
        readUsage(choice.usage);
        const index = asNumber(choice.index) ?? at;
        const message = growing.get(index) ?? createGrowingMessage();
        growing.set(index, message);
        message.grow(choice);
      });
    },
    started: () => (begun ? head : undefined),
    failure: () => error,
    end(finished) {
      const whole = [...choices.values()].map((choice): Choice => ({ ...choice, finished: true }));
      const grown = [...growing.values()].map((message) => message.end(finished));
      if (whole.length + grown.length === 0) return undefined;
      const id = asString(head.id);
      const model = asString(head.model);
      const upstream = asString(head.provider);
      return {
        ...(id === undefined ? {} : { id }),
        ...(model === undefined ? {} : { model }),
        ...(upstream === undefined ? {} : { upstream }),
        choices: [...whole, ...grown],
        usage,
        cacheHitTokens,
      };
    },
  };
}

/** Members of `usage`, by host; the first that is there. */
function usageOf(source: Json): UsageFacts {
  const inputDetails = asObject(source.prompt_tokens_details) ?? asObject(source.input_tokens_details);
  const outputDetails = asObject(source.completion_tokens_details) ?? asObject(source.output_tokens_details);
  const input = asNumber(source.prompt_tokens) ?? asNumber(source.input_tokens);
  const output = asNumber(source.completion_tokens) ?? asNumber(source.output_tokens);
  const cacheRead =
    asNumber(inputDetails?.cached_tokens) ?? asNumber(source.prompt_cache_hit_tokens) ?? asNumber(source.cached_tokens);
  const cacheWrite = asNumber(inputDetails?.cache_write_tokens);
  const reasoning = asNumber(outputDetails?.reasoning_tokens) ?? asNumber(source.reasoning_tokens);
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function readError(value: unknown): CallError | undefined {
  if (typeof value === 'string' && value !== '') return { message: value };
  const source = asObject(value);
  if (source === undefined) return undefined;
  const metadata = asObject(source.metadata);
  const code = asString(source.code);
  const type = asString(source.type);
  const provider = asString(metadata?.provider_name);
  const raw = metadata?.raw;
  const param = asString(source.param);
  const said = [asString(source.message), param?.includes(' ') ? param : undefined];
  const message = [...said, typeof raw === 'string' ? raw : raw && JSON.stringify(raw)].filter(Boolean);
  return {
    status: asNumber(source.code) ?? asNumber(source.status) ?? 400,
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(provider === undefined ? {} : { provider }),
    message: message.join(' '),
  };
}
