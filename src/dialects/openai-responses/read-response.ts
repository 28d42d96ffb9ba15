import type { CallError } from '../dialect.ts';
import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import type { Reported } from './reasoning.ts';

/** One entry of `input_transformations`: the provider's own word on a reasoning item of the request. */
export interface Transformation {
  readonly id: string;
  readonly type: string;
  readonly action: string;
  readonly reason: string;
}

export interface UsageFacts {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export interface ReceivedItem {
  readonly item: Json;
  /** Ciphertexts of the same item in other final events: all of them are good (SDK `ResponsesRunner`). */
  readonly otherSeals: readonly string[];
  /** Ciphertexts that were shown before the item was done. */
  readonly partialSeals: readonly string[];
  /** False where the stream ended inside it. */
  readonly complete: boolean;
}

/** A response in plain form. Holds content; lives only until it has been digested at the end of the call. */
export interface Response {
  readonly id?: string;
  readonly model?: string;
  /** Upstream that a router names as the one that answered. */
  readonly provider?: string;
  readonly status?: string;
  readonly incompleteReason?: string;
  readonly items: readonly ReceivedItem[];
  readonly usage: UsageFacts;
  /** Undefined: the provider gave no list. */
  readonly transformations?: readonly Transformation[];
  readonly reported: Reported;
  readonly stored?: boolean;
  readonly conversation?: string;
  /** The answer to `/responses/compact`. */
  readonly compacted: boolean;
}

interface Growing {
  item: Json;
  done: boolean;
  readonly seals: string[];
  readonly partial: string[];
}

export interface ResponseReader {
  readonly whole: (message: unknown) => void;
  readonly event: (event: unknown) => void;
  readonly end: () => Response | undefined;
  readonly started: () => Json | undefined;
  /** Failure that arrived as an event, or as the status of a response. */
  readonly failure: () => CallError | undefined;
}

/**
 * Collects a response, whole or event by event. Items count as `output_item.done` and the last event give them: what
 * `output_item.added` shows may be partial (SDK typings).
 */
export function createReader(): ResponseReader {
  let head: Json | undefined;
  let failure: CallError | undefined;
  const usage: { -readonly [K in keyof UsageFacts]: UsageFacts[K] } = {};
  const rows: Growing[] = [];

  const rowOf = (item: Json, index: number | undefined): Growing | undefined => {
    const id = asString(item.id);
    const known = id === undefined ? undefined : rows.find((row) => row?.item.id === id);
    return known ?? (index === undefined ? undefined : rows[index]);
  };
  const finish = (item: Json, index: number | undefined): void => {
    const known = rowOf(item, index);
    const seal = asString(item.encrypted_content);
    if (known === undefined || known.item.type !== item.type) {
      const row = { item, done: true, seals: seal === undefined ? [] : [seal], partial: [] };
      if (index === undefined || rows[index] !== undefined) rows.push(row);
      else rows[index] = row;
      return;
    }
    known.item = known.done && seal === undefined ? { ...item, encrypted_content: known.item.encrypted_content } : item;
    known.done = true;
    if (seal !== undefined && !known.seals.includes(seal)) known.seals.push(seal);
  };
  const readUsage = (value: unknown): void => {
    const source = asObject(value);
    if (source === undefined) return;
    const input = asObject(source.input_tokens_details);
    const found: UsageFacts = {
      input: asNumber(source.input_tokens),
      output: asNumber(source.output_tokens),
      cacheRead: asNumber(input?.cached_tokens),
      cacheWrite: asNumber(input?.cache_write_tokens),
      reasoning: asNumber(asObject(source.output_tokens_details)?.reasoning_tokens),
    } as UsageFacts;
    for (const [name, count] of Object.entries(found)) if (count !== undefined) Object.assign(usage, { [name]: count });
  };
  const readHead = (response: Json): void => {
    head = { ...head, ...response, output: undefined };
    readUsage(response.usage);
    const error = asObject(response.error);
    if (error !== undefined) failure = readError(error, asString(response.status));
  };
  const readOutput = (output: unknown): void => {
    (asArray(output) ?? []).forEach((item, index) => {
      if (isObject(item)) finish(item, index);
    });
  };

  return {
    whole(message) {
      const body = asObject(message);
      if (body === undefined || (!Array.isArray(body.output) && body.object === undefined && body.id === undefined))
        return;
      readHead(body);
      readOutput(body.output);
    },
    event(event) {
      if (!isObject(event)) return;
      const response = asObject(event.response);
      switch (event.type) {
        case 'response.output_item.added': {
          const item = asObject(event.item);
          const index = asNumber(event.output_index) ?? rows.length;
          if (item === undefined || rows[index] !== undefined) return;
          const seal = asString(item.encrypted_content);
          rows[index] = { item, done: false, seals: [], partial: seal === undefined || seal === '' ? [] : [seal] };
          return;
        }
        case 'response.output_item.done': {
          const item = asObject(event.item);
          if (item !== undefined) finish(item, asNumber(event.output_index));
          return;
        }
        case 'error':
          // Over HTTP the error is the event, over the socket it is inside it.
          failure = readError(asObject(event.error) ?? event, undefined, asNumber(event.status));
          return;
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          if (response === undefined) return;
          readHead(response);
          readOutput(response.output);
          return;
        default:
          if (response !== undefined) readHead(response);
      }
    },
    started: () => head,
    failure: () => failure,
    end() {
      const received = rows.filter((row) => row !== undefined);
      if (head === undefined && received.length === 0) return undefined;
      const reasoning = asObject(head?.reasoning);
      const list = asArray(head?.input_transformations)?.filter(isObject);
      return {
        ...text('id', head?.id),
        ...text('model', head?.model),
        ...text('provider', head?.provider),
        ...text('status', head?.status),
        ...text('incompleteReason', asObject(head?.incomplete_details)?.reason),
        ...text('conversation', asObject(head?.conversation)?.id ?? head?.conversation),
        items: received.map(toReceived),
        usage,
        ...(list === undefined ? {} : { transformations: list.map(toTransformation) }),
        reported: { ...text('effort', reasoning?.effort), ...text('context', reasoning?.context) },
        ...(typeof head?.store === 'boolean' ? { stored: head.store } : {}),
        compacted: head?.object === 'response.compaction',
      };
    },
  };
}

function toReceived({ item, done, seals, partial }: Growing): ReceivedItem {
  if (!done && item.encrypted_content !== undefined) {
    // What was shown of it is no payload to send back.
    const { encrypted_content: _partial, ...rest } = item;
    return { item: rest, otherSeals: [], partialSeals: partial, complete: false };
  }
  const own = asString(item.encrypted_content);
  const isWhole = item.status !== 'in_progress' && item.status !== 'incomplete';
  return {
    item,
    otherSeals: seals.filter((seal) => seal !== own && seal !== ''),
    partialSeals: partial.filter((seal) => seal !== own && !seals.includes(seal)),
    complete: done && isWhole,
  };
}

const toTransformation = (entry: Json): Transformation => ({
  id: asString(entry.id) ?? '',
  type: asString(entry.type) ?? '',
  action: asString(entry.action) ?? '',
  reason: asString(entry.reason) ?? '',
});

function text<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [P in K]?: string };
}

function readError(error: Json, status?: string, http?: number): CallError {
  const code = asString(error.code) ?? asString(error.type);
  const message = asString(error.message);
  return {
    ...(http === undefined ? {} : { status: http }),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(status === undefined ? {} : { type: status }),
  };
}
