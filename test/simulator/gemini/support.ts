import type { GeminiAnswer, Simulator, Verdict } from '../../../src/simulator/index.ts';
import { copy, type Loose } from '../support.ts';

export interface Sent {
  readonly status: number;
  readonly body: Loose;
  readonly verdict: Verdict;
  /** Of the newest candidate. */
  readonly parts: Loose[];
}

export interface AskOptions {
  readonly key?: string;
  readonly host?: 'developer' | 'vertex';
  readonly method?: string;
  readonly query?: string;
}

export const DEVELOPER = '/v1beta/models';
export const VERTEX = '/v1beta1/projects/acme/locations/global/publishers/google/models';

/** Sends a body whose `model` is the one of the path. */
export async function ask(sim: Simulator, { model, ...body }: Loose, options: AskOptions = {}): Promise<Sent> {
  const { key = 'key', host = 'developer', method = 'generateContent', query = '' } = options;
  const response = await fetch(`${sim.url}${host === 'vertex' ? VERTEX : DEVELOPER}/${model}:${method}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
    body: JSON.stringify(body),
  });
  const answer: Loose = await response.json();
  const recorded = sim.requests.at(-1);
  if (!recorded) throw new Error('the request was not recorded');
  const parts = answer.candidates?.[0]?.content?.parts ?? [];
  return { status: response.status, body: answer, verdict: recorded.verdict, parts };
}

/** The chunks of a streamed answer, in order, as far as they arrive. */
export async function askStream(sim: Simulator, { model, ...body }: Loose, { key = 'key', host }: AskOptions = {}) {
  const base = host === 'vertex' ? VERTEX : DEVELOPER;
  const response = await fetch(`${sim.url}${base}/${model}:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const chunks: Loose[] = text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)));
  const parts: Loose[] = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
  return { chunks, parts, status: response.status };
}

export const TOOLS = [
  {
    functionDeclarations: [
      { name: 'search', parameters: { type: 'OBJECT', properties: { to: { type: 'STRING' } }, required: ['to'] } },
      { name: 'book', parameters: { type: 'OBJECT', properties: {} } },
    ],
  },
];

/** Three rounds of thinking and calling, the first with commentary, the second with two calls, then an answer. */
export const ROUNDS: readonly GeminiAnswer[] = [
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

export const model = (...parts: Loose[]): Loose => ({ role: 'model', parts });
export const user = (...parts: Loose[]): Loose => ({ role: 'user', parts });
export const say = (text: string): Loose => user({ text });

export const resultsFor = (parts: readonly Loose[]): Loose[] =>
  parts
    .filter(({ functionCall }) => functionCall)
    .map(({ functionCall: { id, name } }) => ({
      functionResponse: { ...(id !== undefined && { id }), name, response: { output: `result of ${name}` } },
    }));

export interface LoopOptions extends AskOptions {
  readonly rounds?: number;
  readonly body?: Loose;
}

/** Plays a faithful client for some rounds; returns the request that would come next. */
export async function playLoop(sim: Simulator, name: string, options: LoopOptions = {}): Promise<Loose> {
  const body: Loose = {
    model: name,
    systemInstruction: { parts: [{ text: 'You book flights.' }] },
    tools: TOOLS,
    contents: [say('A flight to Lisbon under 400 euros.')],
    ...copy(options.body ?? {}),
  };
  for (let round = 0; round < (options.rounds ?? 2); round++) {
    const sent = await ask(sim, body, options);
    if (sent.status !== 200) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    body.contents.push(model(...sent.parts));
    const results = resultsFor(sent.parts);
    if (results.length > 0) body.contents.push(user(...results));
  }
  return body;
}

/** The signed parts of a history, oldest first. */
export const signedIn = (body: Loose): Loose[] =>
  body.contents.flatMap((content: Loose) => content.parts.filter((part: Loose) => part.thoughtSignature));
export const callsIn = (body: Loose): Loose[] =>
  body.contents.flatMap((content: Loose) => content.parts.filter((part: Loose) => part.functionCall));
