import { asArray, asNumber, asObject, asString, isObject, type Json } from '../json.ts';
import { kindOf } from './read-step.ts';

export interface UsageFacts {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly reasoning?: number;
}

/** An interaction in plain form. Holds content; lives only until it has been digested at the end of the call. */
export interface Response {
  readonly id?: string;
  readonly model?: string;
  readonly status?: string;
  readonly steps: readonly { readonly step: Json; readonly complete: boolean }[];
  readonly usage: UsageFacts;
}

export interface ResponseReader {
  readonly whole: (interaction: unknown) => void;
  readonly event: (event: unknown) => void;
  readonly end: () => Response | undefined;
}

interface Growing {
  step: Json;
  stopped: boolean;
  /** Arguments arrive as pieces of JSON. */
  json: string;
}

/** Collects an interaction, whole or event by event; the event that completes it may leave its steps out. */
export function createReader(): ResponseReader {
  const steps: Growing[] = [];
  const usage: { -readonly [K in keyof UsageFacts]: UsageFacts[K] } = {};
  let id: string | undefined;
  let model: string | undefined;
  let status: string | undefined;
  let seen = false;

  const readUsage = (value: unknown): void => {
    const source = asObject(value);
    if (source === undefined) return;
    const count = (name: string): number | undefined => asNumber(source[name]);
    const input = count('total_input_tokens');
    const output = count('total_output_tokens');
    const thought = count('total_thought_tokens');
    if (input !== undefined) usage.input = input + (count('total_tool_use_tokens') ?? 0);
    if (output !== undefined || thought !== undefined) usage.output = (output ?? 0) + (thought ?? 0);
    if (thought !== undefined) usage.reasoning = thought;
    const cached = count('total_cached_tokens');
    if (cached !== undefined) usage.cacheRead = cached;
  };
  const readHead = (value: unknown): Json | undefined => {
    const interaction = asObject(value);
    if (interaction === undefined) return undefined;
    seen = true;
    id = asString(interaction.id) ?? id;
    model = asString(interaction.model) ?? model;
    status = asString(interaction.status) ?? status;
    readUsage(interaction.usage);
    return interaction;
  };

  return {
    whole(value) {
      const interaction = asObject(value);
      const listed = asArray(interaction?.steps) ?? asArray(interaction?.outputs);
      if (listed === undefined && asString(interaction?.status) === undefined) return;
      readHead(interaction);
      for (const step of listed ?? []) if (isObject(step)) steps.push({ step, stopped: true, json: '' });
    },
    event(value) {
      const event = asObject(value);
      if (event === undefined) return;
      const index = asNumber(event.index) ?? 0;
      switch (event.event_type) {
        case 'interaction.created':
          readHead(event.interaction);
          return;
        case 'interaction.completed': {
          const interaction = readHead(event.interaction);
          const listed = asArray(interaction?.steps)?.filter(isObject) ?? [];
          // What was seen step by step is what the application got; the list only stands in where nothing was.
          if (steps.length === 0) for (const step of listed) steps.push({ step, stopped: true, json: '' });
          for (const step of steps) if (step !== undefined) step.stopped = true;
          return;
        }
        case 'interaction.status_update':
          status = asString(event.status) ?? status;
          readUsage(event.usage);
          return;
        case 'step.start': {
          const step = asObject(event.step);
          if (step !== undefined) steps[index] = { step, stopped: false, json: '' };
          seen = true;
          return;
        }
        case 'step.delta': {
          const delta = asObject(event.delta);
          const growing = steps[index];
          if (growing !== undefined && !growing.stopped && delta !== undefined) grow(growing, delta);
          return;
        }
        case 'step.stop': {
          const growing = steps[index];
          if (growing !== undefined) growing.stopped = true;
          readUsage(event.usage);
          return;
        }
        default:
      }
    },
    end() {
      if (!seen) return undefined;
      return {
        ...(id === undefined ? {} : { id }),
        ...(model === undefined ? {} : { model }),
        ...(status === undefined ? {} : { status }),
        steps: steps
          .filter((one) => one !== undefined && isAnswer(one.step))
          .map((one) => ({ step: finished(one), complete: one.stopped })),
        usage,
      };
    },
  };
}

/** An interaction also lists what was put into it. */
function isAnswer(step: Json): boolean {
  const kind = kindOf(step);
  return kind !== undefined && kind !== 'user' && kind !== 'result';
}

function grow(growing: Growing, delta: Json): void {
  const { step } = growing;
  switch (delta.type) {
    case 'thought_signature':
      growing.step = { ...step, signature: (asString(step.signature) ?? '') + (asString(delta.signature) ?? '') };
      return;
    case 'thought_summary': {
      const content = asObject(delta.content);
      if (content !== undefined) growing.step = { ...step, summary: [...(asArray(step.summary) ?? []), content] };
      return;
    }
    case 'text':
      growing.step = { ...step, content: [...(asArray(step.content) ?? []), { type: 'text', text: delta.text }] };
      return;
    case 'arguments_delta':
      growing.json += asString(delta.arguments) ?? '';
      return;
    default: {
      // Of tools that run at the provider the delta is the whole of it.
      const { type: _type, ...members } = delta;
      growing.step = { ...step, ...members };
    }
  }
}

function finished({ step, json }: Growing): Json {
  if (json === '') return step;
  try {
    return { ...step, arguments: JSON.parse(json) };
  } catch {
    return { ...step, arguments: json };
  }
}
