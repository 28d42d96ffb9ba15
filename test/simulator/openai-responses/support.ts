import type { OpenAiAnswer, Simulator, Verdict } from '../../../src/simulator/index.ts';
import { copy, type Loose } from '../support.ts';

export interface Sent {
  readonly status: number;
  readonly body: Loose;
  readonly headers: Headers;
  readonly verdict: Verdict;
}

export interface RespondOptions {
  readonly key?: string;
  readonly path?: string;
  readonly method?: string;
}

function request(sim: Simulator, body: Loose, { key = 'key', path = '', method = 'POST' }: RespondOptions) {
  return fetch(`${sim.url}/v1/responses${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

export async function respond(sim: Simulator, body: Loose, options: RespondOptions = {}): Promise<Sent> {
  const response = await request(sim, body, options);
  const answer = await response.json();
  const recorded = sim.requests.at(-1);
  if (!recorded) throw new Error('the request was not recorded');
  return { status: response.status, body: answer, headers: response.headers, verdict: recorded.verdict };
}

/** The events of a streamed answer, in order, as far as they arrive. */
export async function respondStream(
  sim: Simulator,
  body: Loose,
  options: RespondOptions = {},
): Promise<{ events: Loose[]; names: string[]; broken: boolean; status: number }> {
  const response = await request(sim, body === undefined ? body : { ...body, stream: true }, options);
  let text = '';
  let broken = false;
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    broken = true;
  }
  const frames = text.split('\n\n').filter((frame) => frame.includes('data: '));
  const events = frames.map((frame) => {
    const data = frame.slice(frame.indexOf('data: ') + 6);
    try {
      return JSON.parse(data);
    } catch {
      return { type: 'malformed', data };
    }
  });
  return { events, names: events.map(({ type }) => type), broken, status: response.status };
}

export const SEARCH = {
  type: 'function',
  name: 'search',
  parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  strict: false,
};
export const BOOK = { type: 'function', name: 'book', parameters: { type: 'object', properties: {} }, strict: false };

/** Three rounds of thinking and calling, the first with commentary, the second with two calls, then an answer. */
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

export const callsIn = (items: readonly Loose[]): Loose[] => items.filter(({ type }) => type === 'function_call');
export const outputsFor = (items: readonly Loose[]): Loose[] =>
  callsIn(items).map(({ call_id }) => ({ type: 'function_call_output', call_id, output: `result for ${call_id}` }));

export interface LoopOptions extends RespondOptions {
  readonly rounds?: number;
  readonly body?: Loose;
}

/** Plays a faithful stateless client for some rounds; returns the request that would come next. */
export async function playLoop(sim: Simulator, model: string, options: LoopOptions = {}): Promise<Loose> {
  const body: Loose = {
    model,
    store: false,
    tools: [SEARCH, BOOK],
    input: [
      { role: 'developer', content: 'You book flights.' },
      { role: 'user', content: 'A flight to Lisbon under 400 euros.' },
    ],
    ...copy(options.body ?? {}),
  };
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    const sent = await respond(sim, body, options);
    if (sent.status !== 200) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    body.input.push(...sent.body.output, ...outputsFor(sent.body.output));
  }
  return body;
}

/** Like `playLoop`, but the server holds the conversation. */
export async function playChain(sim: Simulator, model: string, options: LoopOptions = {}): Promise<Loose> {
  let body: Loose = { model, tools: [SEARCH, BOOK], input: 'A flight to Lisbon under 400 euros.', ...options.body };
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    const sent = await respond(sim, body, options);
    if (sent.status !== 200) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    body = { ...body, previous_response_id: sent.body.id, input: outputsFor(sent.body.output) };
  }
  return body;
}

export const place = (body: Loose, type: string, nth = 0): number => {
  const places = body.input.flatMap((item: Loose, index: number) => (item.type === type ? [index] : []));
  const found = places.at(nth);
  if (found === undefined) throw new Error(`no ${type} ${nth}`);
  return found;
};
