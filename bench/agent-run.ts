/**
 * The run that the benchmark replays: one agent, one task, a tool call at every step, all history sent again each
 * time. Made from counters, so that every repeat costs the same; ids and seals differ from repeat to repeat, as those of
 * two runs do.
 */
import type Anthropic from '@anthropic-ai/sdk';

/** Text of one step, in characters: what an agent that reads files and thinks at length sends and gets. */
export const THINKING_CHARS = 2_400;
const SEAL_CHARS = 3_200;
export const SAID_CHARS = 300;
export const RESULT_CHARS = 13_600;
export const SYSTEM_CHARS = 8_000;
export const TOOLS = 16;

const WORDS = `the tool result says that file has no test for "retry" so we read\nthe caller next; 3 of 14 left, ü = ok. `;

export type Body = Anthropic.MessageCreateParamsNonStreaming;
export type Answer = Anthropic.Message;

export function text(seed: number, chars: number): string {
  const start = (seed * 31) % WORDS.length;
  return `${seed} ${WORDS.slice(start)}${WORDS.repeat(Math.ceil(chars / WORDS.length))}`.slice(0, chars);
}

/** Opaque and incompressible, as a seal is. A plain congruential generator is random enough to be one. */
export function seal(seed: string): string {
  const bytes = Buffer.alloc((SEAL_CHARS * 3) / 4);
  let state = 2_166_136_261;
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619) >>> 0;
  for (let i = 0; i < bytes.length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes.toString('base64');
}

const tool = (index: number): Anthropic.Tool => ({
  name: `tool_${index}`,
  description: text(index, 400),
  input_schema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'where to look' },
      limit: { type: 'integer', description: 'at most so many lines' },
      pattern: { type: 'string', description: text(index, 120) },
    },
    required: ['path'],
  },
});

export function firstBody(): Body {
  return {
    model: 'claude-opus-5-5',
    max_tokens: 16_000,
    thinking: { type: 'adaptive' },
    system: [{ type: 'text', text: text(0, SYSTEM_CHARS), cache_control: { type: 'ephemeral' } }],
    tools: Array.from({ length: TOOLS }, (_, index) => tool(index)),
    messages: [{ role: 'user', content: [{ type: 'text', text: text(1, 600) }] }],
  };
}

/** The answer to step `step` of run `run`, as text: parsed anew each time, so that no object or string is shared. */
export function answerJson(run: string, step: number): string {
  const answer = {
    id: `msg_${run}_${step}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [
      { type: 'thinking', thinking: text(step, THINKING_CHARS), signature: seal(`${run}.${step}`) },
      { type: 'text', text: text(step + 7, SAID_CHARS) },
      {
        type: 'tool_use',
        id: `toolu_${run}_${step}`,
        name: `tool_${step % TOOLS}`,
        input: { path: `src/part-${step}.ts`, limit: 200, pattern: text(step, 60) },
      },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 40,
      output_tokens: 900,
      cache_read_input_tokens: step * 5_000,
      cache_creation_input_tokens: 0,
    },
  };
  return JSON.stringify(answer);
}

/** What the harness appends: the answer as it came, and the tool's result. */
export function nextMessages(run: string, step: number, answer: Answer): Anthropic.MessageParam[] {
  return [
    { role: 'assistant', content: answer.content },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `toolu_${run}_${step}`,
          // A copy of its own for each repeat, as a tool would return.
          content: Buffer.from(text(step + 3, RESULT_CHARS)).toString('utf8'),
        },
      ],
    },
  ];
}

/** `kept`: the harness sends the same message objects again. `rebuilt`: it makes all of them anew for each step. */
export type Habit = 'kept' | 'rebuilt';
