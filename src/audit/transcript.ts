import * as v from 'valibot';
import type { ApiName } from '../dialects/dialect.ts';

/** The APIs that a step can name, whether or not a dialect for it is built. */
const APIS = [
  'anthropic.messages',
  'openai.responses',
  'openai.chat',
  'gemini.generateContent',
  'gemini.interactions',
  'bedrock.converse',
] as const satisfies readonly ApiName[];

const isRecord = (input: unknown): boolean => typeof input === 'object' && input !== null && !Array.isArray(input);
/** An object whose other members are let through; valibot alone would take a list for one. */
const object = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.custom<Record<string, unknown>>(isRecord), v.looseObject(entries));

const anyObject = object({});

/** What a watcher can know beside the wire. Unknown members are let through. */
const meta = object({
  /** Host or label of the target; absent means the vendor's own. */
  endpoint: v.optional(v.string()),
  /** Stands for the account behind the credentials. */
  auth_fingerprint: v.optional(v.string()),
  leg: v.optional(v.string()),
  /** Where the URL names the model, and not the body (Gemini, Bedrock, Vertex, deployments). */
  model: v.optional(v.string()),
  /** Index of the request that a response or error belongs to. */
  answers: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  aborted: v.optional(v.boolean()),
  /** Request or response headers of the step, where they were recorded. */
  headers: v.optional(v.record(v.string(), v.string())),
});

const error = object({ status: v.number(), message: v.string(), provider: v.optional(v.string()) });

const common = { meta: v.optional(meta), error: v.optional(error) };

/** A list of objects, or a plain string: chosen by what is there, so that a fault is named where it lies. */
const content = v.lazy((input) => (typeof input === 'string' ? v.string() : v.array(anyObject)));

const stream = v.lazy((input) => (typeof input === 'boolean' ? v.boolean() : v.array(anyObject)));

/** The parts of an Anthropic body without which nothing can be said about it. */
const anthropicMembers = { messages: v.array(object({ role: v.string(), content: v.nullish(content) })) };
const anthropicRequest = object({ model: v.string(), ...anthropicMembers });
/** On Bedrock and Vertex the URL names the model. */
const anthropicBody = object({ model: v.optional(v.string()), ...anthropicMembers });
const anthropicResponse = object({
  model: v.optional(v.string()),
  content: v.optional(v.array(anyObject)),
  stream: v.optional(stream),
});

const plainBody = object({ stream: v.optional(stream) });

const anthropicStep = <const Request extends v.GenericSchema>(request: Request) =>
  object({
    api: v.literal('anthropic.messages'),
    ...common,
    request: v.optional(request),
    response: v.optional(anthropicResponse),
  });
const anthropicStepWithModel = anthropicStep(anthropicRequest);
const anthropicStepWithoutModel = anthropicStep(anthropicBody);
const otherStep = object({
  api: v.picklist(APIS),
  ...common,
  request: v.optional(plainBody),
  response: v.optional(plainBody),
});

const isAnthropic = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'api' in input && input.api === 'anthropic.messages';
const namesModel = (input: unknown): boolean => v.is(object({ meta: object({ model: v.string() }) }), input);
const stepOf = (input: unknown) => {
  if (!isAnthropic(input)) return otherStep;
  return namesModel(input) ? anthropicStepWithoutModel : anthropicStepWithModel;
};

const step = v.pipe(
  v.lazy(stepOf),
  v.check(
    (input) => [input.request, input.response, input.error].filter((part) => part !== undefined).length === 1,
    'must have exactly one of "request", "response" and "error"',
  ),
);

const transcript = object({ id: v.optional(v.string()), steps: v.pipe(v.array(step), v.minLength(1)) });

export type TranscriptStep = v.InferOutput<typeof step>;

/** Recorded traffic in order. */
export interface Transcript {
  readonly id?: string;
  readonly steps: readonly TranscriptStep[];
}

/** What is wrong with a transcript and where: the step (zero-based) and the member inside it, where known. */
export interface TranscriptFault {
  readonly step?: number;
  readonly field?: string;
  readonly why: string;
  /** Further faults found in the same transcript. */
  readonly more: number;
}

/** @returns the transcript, or its first fault. */
export function readTranscript(input: unknown): Transcript | TranscriptFault {
  const read = v.safeParse(transcript, input);
  if (!read.success) return faultOf(read.issues[0], read.issues.length - 1);
  for (const [index, step] of read.output.steps.entries()) {
    const why = badAnswer(read.output.steps, index, step);
    if (why !== undefined) return { step: index, field: 'meta.answers', why, more: 0 };
  }
  return read.output;
}

export const isFault = (read: Transcript | TranscriptFault): read is TranscriptFault => !('steps' in read);

/** `meta.answers` has to name an earlier request of the same API. */
function badAnswer(steps: readonly TranscriptStep[], index: number, step: TranscriptStep): string | undefined {
  const answers = step.meta?.answers;
  if (answers === undefined || step.request !== undefined) return undefined;
  const asked = answers < index ? steps[answers] : undefined;
  if (asked?.request === undefined) return `names step ${answers}, which is not a request before this step`;
  return asked.api === step.api ? undefined : `names step ${answers}, a request of ${asked.api}`;
}

function faultOf(issue: v.BaseIssue<unknown>, more: number): TranscriptFault {
  const keys = (issue.path ?? []).map((item) => item.key as string | number);
  const [head, index, ...inside] = keys;
  const isStep = head === 'steps' && typeof index === 'number';
  const field = dotted(isStep ? inside : keys);
  return { ...(isStep ? { step: index } : {}), ...(field === '' ? {} : { field }), why: whyOf(issue), more };
}

const dotted = (keys: readonly (string | number)[]): string => keys.join('.');

const WANTED: Readonly<Record<string, string>> = {
  Array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

/** Our own words: valibot's message repeats the value that it met, which may be prompt text. */
function whyOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'check') return issue.message;
  if (issue.type === 'min_length') return 'is empty';
  if (issue.input === undefined) return 'is missing';
  if (issue.type === 'integer' || issue.type === 'min_value') return 'must be the index of a step';
  if (issue.type === 'picklist') return `must be one of ${APIS.join(', ')}`;
  const wanted = issue.type === 'custom' ? 'an object' : (WANTED[issue.expected ?? ''] ?? 'of another kind');
  return `must be ${wanted}, but is ${kindOf(issue.input)}`;
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`;
}
