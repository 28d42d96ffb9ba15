import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';

/** One entry of `input_transformations`: the provider's own word on a block of the request. */
export interface Transformation {
  readonly type: string;
  readonly path: string;
  readonly reason: string;
}

export interface UsageFacts {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export interface ReceivedBlock {
  readonly block: Json;
  /** False where the stream ended inside it. */
  readonly complete: boolean;
}

/** A response in plain form. Holds content; lives only until it has been digested at the end of the call. */
export interface Response {
  readonly id?: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly content: readonly ReceivedBlock[];
  readonly usage: UsageFacts;
  /** Undefined: the provider gave no list. */
  readonly transformations?: readonly Transformation[];
  readonly iterations: readonly string[];
}

/** Collects a response, whole or event by event (build-with-claude/streaming). Merges usage field by field, the last value wins. */
export function createReader(): {
  readonly whole: (message: unknown) => void;
  readonly event: (event: unknown) => void;
  readonly end: (finished: boolean) => Response | undefined;
  readonly started: () => Json | undefined;
} {
  let head: Json | undefined;
  let stopReason: string | undefined;
  let transformations: readonly Transformation[] | undefined;
  let iterations: readonly string[] = [];
  let stopped = false;
  const usage: { -readonly [K in keyof UsageFacts]: UsageFacts[K] } = {};
  const raw: Record<string, number> = {};
  const blocks: Growing[] = [];

  const readUsage = (value: unknown): void => {
    const source = asObject(value);
    if (source === undefined) return;
    for (const name of ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']) {
      const count = asNumber(source[name]);
      if (count !== undefined) raw[name] = count;
    }
    const reasoning = asNumber(asObject(source.output_tokens_details)?.thinking_tokens);
    if (reasoning !== undefined) usage.reasoning = reasoning;
    if (raw.input_tokens !== undefined) {
      usage.input = raw.input_tokens + (raw.cache_read_input_tokens ?? 0) + (raw.cache_creation_input_tokens ?? 0);
    }
    if (raw.output_tokens !== undefined) usage.output = raw.output_tokens;
    if (raw.cache_read_input_tokens !== undefined) usage.cacheRead = raw.cache_read_input_tokens;
    if (raw.cache_creation_input_tokens !== undefined) usage.cacheWrite = raw.cache_creation_input_tokens;
    const listed = asArray(source.iterations)?.map((entry) => asString(asObject(entry)?.type) ?? '');
    if (listed !== undefined) iterations = listed;
  };
  const readList = (value: unknown): void => {
    const list = asArray(value);
    if (list === undefined) return;
    transformations = list.filter(isObject).map((entry) => ({
      type: asString(entry.type) ?? '',
      path: asString(entry.path) ?? '',
      reason: asString(entry.reason) ?? '',
    }));
  };
  const readHead = (message: Json): void => {
    head = message;
    stopReason = asString(message.stop_reason) ?? stopReason;
    readUsage(message.usage);
    readList(message.input_transformations);
  };

  return {
    whole(message) {
      const body = asObject(message);
      if (body === undefined || !Array.isArray(body.content)) return;
      readHead(body);
      stopped = true;
      for (const block of body.content) if (isObject(block)) blocks.push({ block, grown: {}, stopped: true });
    },
    event(event) {
      if (!isObject(event)) return;
      switch (event.type) {
        case 'message_start': {
          const message = asObject(event.message);
          if (message !== undefined) readHead(message);
          return;
        }
        case 'content_block_start': {
          const block = asObject(event.content_block);
          if (block !== undefined) blocks[indexOf(event)] = { block, grown: {}, stopped: false };
          return;
        }
        case 'content_block_delta':
          grow(blocks[indexOf(event)], asObject(event.delta));
          return;
        case 'content_block_stop': {
          const block = blocks[indexOf(event)];
          if (block !== undefined) block.stopped = true;
          return;
        }
        case 'message_delta':
          stopReason = asString(asObject(event.delta)?.stop_reason) ?? stopReason;
          readUsage(event.usage);
          // After a fallback in mid-stream the list on the last delta replaces the first.
          readList(event.input_transformations);
          return;
        case 'message_stop':
          stopped = true;
          return;
        default:
          return;
      }
    },
    started: () => head,
    end(finished) {
      if (head === undefined && blocks.length === 0) return undefined;
      const id = asString(head?.id);
      const model = asString(head?.model);
      return {
        ...(id === undefined ? {} : { id }),
        ...(model === undefined ? {} : { model }),
        ...(stopReason === undefined ? {} : { stopReason }),
        ...(transformations === undefined ? {} : { transformations }),
        content: blocks
          .filter((entry) => entry !== undefined)
          .map((entry) => ({ block: assemble(entry), complete: entry.stopped || stopped || finished })),
        usage,
        iterations,
      };
    },
  };
}

interface Growing {
  readonly block: Json;
  readonly grown: Record<string, string[]>;
  stopped: boolean;
}

/** Which member of a block each kind of delta adds to. */
const DELTAS: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  thinking_delta: [['thinking', 'thinking']],
  signature_delta: [['signature', 'signature']],
  text_delta: [['text', 'text']],
  // Not of this API: Converse streams redacted blocks (dialects/bedrock-converse).
  data_delta: [['data', 'data']],
  input_json_delta: [['partial_json', 'input']],
  connector_text_delta: [['connector_text', 'connector_text']],
  compaction_delta: [
    ['content', 'content'],
    ['encrypted_content', 'encrypted_content'],
  ],
};

function grow(entry: Growing | undefined, delta: Json | undefined): void {
  // A delta for a block that is closed already is lost on every assembler, the SDK's own included.
  if (entry === undefined || entry.stopped || delta === undefined) return;
  for (const [from, to] of DELTAS[asString(delta.type) ?? ''] ?? []) {
    const piece = asString(delta[from]);
    if (piece === undefined) continue;
    const pieces = entry.grown[to] ?? [];
    pieces.push(piece);
    entry.grown[to] = pieces;
  }
}

function assemble(entry: Growing): Json {
  const result: Record<string, unknown> = { ...entry.block };
  for (const [member, pieces] of Object.entries(entry.grown)) {
    const joined = pieces.join('');
    if (member === 'input') result.input = parse(joined, entry.block.input);
    else result[member] = (asString(entry.block[member]) ?? '') + joined;
  }
  return result;
}

function parse(text: string, fallback: unknown): unknown {
  if (text === '') return fallback;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function indexOf(event: Json): number {
  return asNumber(event.index) ?? 0;
}
