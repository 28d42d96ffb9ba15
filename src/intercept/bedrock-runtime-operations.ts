import { guard } from '../observe/guard.ts';
import { asSent } from './bedrock-runtime-bytes.ts';
import { watchEventStream } from './bedrock-runtime-stream.ts';
import type { CallWatch } from './call-watch.ts';
import { requestHeader } from './request-header.ts';
import { sayOnce } from './say-once.ts';
import { isObject } from './shapes.ts';
import type { Sighting } from './target.ts';

type Fields = Record<PropertyKey, unknown>;

/** One call as a middleware of the `build` step gets it. */
export interface Invocation {
  /** Of the handler: what is known of the command, and whose credentials it is sent with. */
  readonly context: Fields;
  /** `{ input, request }`. */
  readonly args: unknown;
}

/** An operation that asks a model. */
export interface Operation {
  /** Undefined for a body that no dialect reads. */
  see(invocation: Invocation): Sighting | undefined;
  /** Reads what the call came to, or sees to it that it is read when the application reads it. */
  read(output: Fields, watch: CallWatch, signal: AbortSignal | undefined): void;
}

/** By `commandName` of the handler's context, a text that no minifier changes. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ConverseCommand: {
    see: (invocation) => seeConverse(invocation, false),
    read: (output, watch) => watch.parsed(output),
  },
  ConverseStreamCommand: {
    see: (invocation) => seeConverse(invocation, true),
    read: ({ stream }, watch, signal) => watchEventStream(stream, watch, signal),
  },
  InvokeModelCommand: {
    see: (invocation) => seeInvoke(invocation, false),
    read({ body }, watch) {
      const message = parseBytes(body);
      if (message === undefined) watch.end('raw');
      else watch.parsed(message);
    },
  },
  InvokeModelWithResponseStreamCommand: {
    see: (invocation) => seeInvoke(invocation, true),
    read: ({ body }, watch, signal) => watchEventStream(body, watchChunks(watch), signal),
  },
};

/** That it streams is said by the path alone. */
function seeConverse({ context, args }: Invocation, stream: boolean): Sighting {
  const input = asSent(inputOf(args));
  return { api: 'bedrock.converse', body: stream ? { ...input, stream } : input, stream, ...factsOf(context, args) };
}

/**
 * A body in the shape of the model's own API, of which Anthropic's is read: told by its version, since an inference
 * profile hides the model. The model stands in the path.
 */
function seeInvoke({ context, args }: Invocation, stream: boolean): Sighting | undefined {
  const { body, modelId } = inputOf(args);
  const parsed = parseBytes(body);
  if (!isObject(parsed) || typeof parsed.anthropic_version !== 'string') {
    sayOnce('noted:InvokeModel', "InvokeModel: bodies other than Anthropic's are noted, not judged", 'debug');
    return undefined;
  }
  const message = { ...parsed, model: modelId, ...(stream && { stream }) };
  return { api: 'anthropic.messages', body: message, stream, ...factsOf(context, args) };
}

function inputOf(args: unknown): Fields {
  return isObject(args) && isObject(args.input) ? args.input : {};
}

function factsOf(context: Fields, args: unknown): Omit<Sighting, 'api' | 'body' | 'stream'> {
  const request = isObject(args) && isObject(args.request) ? args.request : {};
  const baseURL = guard('reading the target of a call', () => baseUrlOf(request));
  const sdkVersion = guard('reading the version of the SDK', () => sdkVersionOf(request));
  return {
    provider: 'aws.bedrock',
    credential: () => accountOf(context),
    ...(baseURL !== undefined && { baseURL }),
    ...(sdkVersion !== undefined && { sdkVersion }),
  };
}

function baseUrlOf({ protocol, hostname, port }: Fields): string | undefined {
  if (typeof hostname !== 'string') return undefined;
  return `${typeof protocol === 'string' ? protocol : 'https:'}//${hostname}${typeof port === 'number' ? `:${port}` : ''}`;
}

function sdkVersionOf({ headers }: Fields): string | undefined {
  return /api\/bedrock[-_]runtime#(\S+)/.exec(requestHeader(headers, 'user-agent') ?? '')?.[1];
}

/**
 * What stands for the account: its number where the credentials say it, else a key of long standing. Temporary ones
 * (`ASIA…`, and the tokens made of them) change by the hour and stand for nobody
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids).
 */
function accountOf({ __smithy_context: smithy }: Fields): string | undefined {
  const scheme = isObject(smithy) ? smithy.selectedHttpAuthScheme : undefined;
  const identity = isObject(scheme) && isObject(scheme.identity) ? scheme.identity : {};
  const { accountId, accessKeyId, token } = identity;
  if (typeof accountId === 'string') return accountId;
  if (typeof accessKeyId === 'string') return accessKeyId.startsWith('AKIA') ? accessKeyId : undefined;
  return typeof token === 'string' && token.startsWith('ABSK') ? token : undefined;
}

/** JSON in bytes or text; undefined for what is none, and for a body that can be read only once. */
function parseBytes(body: unknown): unknown {
  const text =
    body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') : body;
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The events inside the chunks of a stream that comes in the shape of the model's own API. */
function watchChunks(watch: CallWatch): CallWatch {
  return {
    ...watch,
    event(event) {
      const chunk = isObject(event) && isObject(event.chunk) ? event.chunk.bytes : undefined;
      const inner = parseBytes(chunk);
      if (inner !== undefined) watch.event(inner);
    },
  };
}
