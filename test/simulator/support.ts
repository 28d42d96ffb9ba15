import { afterEach } from 'vitest';
import {
  type Answer,
  type RecordedRequest,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../src/simulator/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: wire bodies are built and bent by hand here.
export type Loose = any;

const running: Simulator[] = [];

/** A simulator that ends with the test. */
export async function simulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const started = await startSimulator({ seed: 'tests', ...options });
  running.push(started);
  return started;
}

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

export interface Sent {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Headers;
  readonly verdict: RecordedRequest['verdict'];
}

export interface PostOptions {
  readonly betas?: readonly string[];
  readonly key?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function post(sim: Simulator, body: Loose, options: PostOptions = {}): Promise<Sent> {
  const response = await fetch(sim.url + (options.path ?? '/v1/messages'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': options.key ?? 'key',
      'anthropic-version': '2023-06-01',
      ...(options.betas && { 'anthropic-beta': options.betas.join(',') }),
      ...options.headers,
    },
    body: JSON.stringify(body),
  });
  const index = sim.requests.length - 1;
  const answer = await response.json();
  const recorded = sim.requests[index];
  if (!recorded) throw new Error('the request was not recorded');
  return { status: response.status, body: answer, headers: response.headers, verdict: recorded.verdict };
}

/** The events of a streamed answer, in order, as far as they arrive. */
export async function postStream(
  sim: Simulator,
  body: Loose,
  options: PostOptions = {},
): Promise<{ events: Loose[]; broken: boolean; status: number }> {
  const response = await fetch(sim.url + (options.path ?? '/v1/messages'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': options.key ?? 'key',
      ...(options.betas && { 'anthropic-beta': options.betas.join(',') }),
    },
    body: JSON.stringify({ ...body, stream: true }),
  });
  let text = '';
  let broken = false;
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    broken = true;
  }
  const events = text
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => {
      const data = frame.slice(frame.indexOf('data: ') + 6);
      try {
        return JSON.parse(data);
      } catch {
        return { type: 'malformed', data };
      }
    });
  return { events, broken, status: response.status };
}

export const BINDING = 'thinking-binding-controls-2026-08-01';

export const SEARCH = {
  name: 'search',
  description: 'Searches flights',
  input_schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
};
export const BOOK = { name: 'book', input_schema: { type: 'object', properties: {} } };

/** Three rounds of thinking and calling, the first with a redacted block in its run, then an answer. */
export const ROUNDS: readonly Answer[] = [
  {
    content: [
      { think: 'The price is a hard limit. The arrival may give.', tokens: 100, plan: { round: 0 } },
      { think: 'Flagged part.', tokens: 20, redacted: true },
      { text: 'Looking.' },
      { tool: 'search', input: { to: 'LIS', max: 400 } },
    ],
  },
  {
    content: [
      { think: 'Second thought. More to say.', tokens: 50, plan: { round: 1 } },
      { tool: 'book', input: {} },
    ],
  },
  {
    content: [
      { think: 'Third thought.', tokens: 30, plan: { round: 2 } },
      { tool: 'search', input: { to: 'OPO' } },
    ],
  },
  { content: [{ think: 'Closing thought.', tokens: 10, plan: { round: 3 } }, { text: 'Booked.' }] },
];

export interface LoopOptions extends PostOptions {
  readonly rounds?: number;
  /** Answers the last call too, so that the turn is over; the history then ends with the answer. */
  readonly closed?: boolean;
  readonly body?: Loose;
}

/** Plays a faithful client for some rounds; returns the request that would come next. */
export async function playLoop(sim: Simulator, model: string, options: LoopOptions = {}): Promise<Loose> {
  const body: Loose = {
    model,
    max_tokens: 4000,
    system: 'You book flights.',
    tools: [SEARCH, BOOK],
    messages: [{ role: 'user', content: 'A flight to Lisbon under 400 euros.' }],
    ...options.body,
  };
  for (let round = 0; round < (options.closed ? 10 : (options.rounds ?? 2)); round++) {
    const sent = await post(sim, body, options);
    if (sent.status !== 200) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    body.messages.push({ role: 'assistant', content: sent.body.content });
    const calls = sent.body.content.filter((block: Loose) => block.type === 'tool_use');
    if (calls.length === 0) break;
    body.messages.push({
      role: 'user',
      content: calls.map(({ id }: Loose) => ({ type: 'tool_result', tool_use_id: id, content: `result for ${id}` })),
    });
  }
  return body;
}

/** The message last answered with. */
export function lastAnswer(sim: Simulator): Loose {
  const answer = sim.requests.at(-1)?.verdict.answer;
  if (answer === undefined) throw new Error('nothing was answered');
  return answer;
}

export function copy(value: Loose): Loose {
  return structuredClone(value);
}

/** Thinking configuration that a model takes for granted or needs, so that it thinks. */
export function thinkingBody(model: string): Loose {
  if (/opus-4-[678]|sonnet-4-6/.test(model)) return { thinking: { type: 'adaptive' } };
  if (/-4-5|-4-1|sonnet-4$|opus-4$|3-7/.test(model)) return { thinking: { type: 'enabled', budget_tokens: 2000 } };
  return {};
}

export function isReasoning(block: Loose): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
