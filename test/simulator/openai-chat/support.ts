import type { OpenAiAnswer, Simulator, SimulatorOptions, Verdict } from '../../../src/simulator/index.ts';
import { copy, type Loose, simulator } from '../support.ts';

export interface Sent {
  readonly status: number;
  readonly body: Loose;
  readonly message: Loose;
  readonly verdict: Verdict;
}

export interface ChatRequestOptions {
  /** The first part of the path. */
  readonly host?: string;
  readonly key?: string;
}

export function fetchChat(
  sim: Simulator,
  body: Loose,
  { host, key = 'key' }: ChatRequestOptions = {},
): Promise<Response> {
  return fetch(`${sim.url}${host ? `/${host}` : ''}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
}

export async function chat(sim: Simulator, body: Loose, options: ChatRequestOptions = {}): Promise<Sent> {
  const response = await fetchChat(sim, body, options);
  const answer = (await response.json()) as Loose;
  const recorded = sim.requests.at(-1);
  if (!recorded) throw new Error('the request was not recorded');
  return {
    status: response.status,
    body: answer,
    message: answer.choices?.[0]?.message,
    verdict: recorded.verdict,
  };
}

export async function chatStream(
  sim: Simulator,
  body: Loose,
  options: ChatRequestOptions = {},
): Promise<{ chunks: Loose[]; text: string; broken: boolean }> {
  const response = await fetchChat(sim, { ...body, stream: true }, options);
  let text = '';
  let broken = false;
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    broken = true;
  }
  const chunks = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: {'))
    .flatMap((frame) => {
      try {
        return [JSON.parse(frame.slice(6)) as Loose];
      } catch {
        return [{ malformed: frame }];
      }
    });
  return { chunks, text, broken };
}

const functionTool = (name: string): Loose => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { to: { type: 'string' } } } },
});
export const TOOLS = [functionTool('search'), functionTool('book')];

/** Three rounds of thinking and calling, the second with two calls, then an answer. */
export const ROUNDS: readonly OpenAiAnswer[] = [
  {
    content: [
      { think: 'The price is a hard limit. The arrival may give.', tokens: 100, plan: { round: 0 } },
      { text: 'Looking.' },
      { tool: 'search', input: { to: 'LIS' } },
    ],
  },
  {
    content: [
      { think: 'Second thought. More to say.', tokens: 50, plan: { round: 1 } },
      { tool: 'search', input: { to: 'OPO' } },
      { tool: 'book' },
    ],
  },
  { content: [{ think: 'Third thought.', tokens: 30, plan: { round: 2 } }, { tool: 'book' }] },
  { content: [{ think: 'Closing thought.', tokens: 10, plan: { round: 3 } }, { text: 'Booked.' }] },
];

/** A simulator that tells what plan the model still had, call by call. */
export async function planned(
  chatOptions: SimulatorOptions['chat'] = {},
): Promise<{ sim: Simulator; plans: unknown[] }> {
  const plans: unknown[] = [];
  const sim = await simulator({
    chat: {
      script: (call) => {
        plans.push(call.plan);
        return ROUNDS[Math.min(call.answers, 3)] ?? { content: [] };
      },
      ...chatOptions,
    },
  });
  return { sim, plans };
}

export const resultsFor = (message: Loose): Loose[] =>
  (message.tool_calls ?? []).map(({ id }: Loose) => ({ role: 'tool', tool_call_id: id, content: `result for ${id}` }));

export interface LoopOptions extends ChatRequestOptions {
  readonly rounds?: number;
  readonly body?: Loose;
}

/** Plays a client that sends messages back as they came; returns the request that would come next. */
export async function playLoop(sim: Simulator, model: string, options: LoopOptions = {}): Promise<Loose> {
  const body: Loose = {
    model,
    tools: TOOLS,
    messages: [
      { role: 'system', content: 'You book flights.' },
      { role: 'user', content: 'A flight to Lisbon under 400 euros.' },
    ],
    ...copy(options.body ?? {}),
  };
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    const sent = await chat(sim, body, options);
    if (!sent.message) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    body.messages.push(sent.message, ...resultsFor(sent.message));
  }
  return body;
}

export const answersIn = (body: Loose): Loose[] => body.messages.filter(({ role }: Loose) => role === 'assistant');
