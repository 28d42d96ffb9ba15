import type { Simulator, Verdict } from '../../../src/simulator/index.ts';
import type { Loose } from '../support.ts';

export interface Sent {
  readonly status: number;
  readonly body: Loose;
  readonly verdict: Verdict;
}

export async function interact(sim: Simulator, body: Loose, key = 'key'): Promise<Sent> {
  const response = await fetch(`${sim.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
    body: JSON.stringify(body),
  });
  const answer: Loose = await response.json();
  const recorded = sim.requests.at(-1);
  if (!recorded) throw new Error('the request was not recorded');
  return { status: response.status, body: answer, verdict: recorded.verdict };
}

export async function interactStream(sim: Simulator, body: Loose): Promise<Loose[]> {
  const response = await fetch(`${sim.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': 'key' },
    body: JSON.stringify({ ...body, stream: true }),
  });
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.includes('data: '));
  return frames.map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));
}

export const FUNCTIONS = ['search', 'book'].map((name) => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: {} },
}));

export const says = (text: string): Loose => ({ type: 'user_input', content: [{ type: 'text', text }] });
export const resultsFor = (steps: readonly Loose[]): Loose[] =>
  steps
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name }) => ({ type: 'function_result', call_id: id, name, result: `result of ${name}` }));

/** A faithful client that sends all steps, or only what is new; returns the request that would come next. */
export async function playInteractions(
  sim: Simulator,
  model: string,
  { chained = false, rounds = 2, more = {} }: { chained?: boolean; rounds?: number; more?: Loose } = {},
): Promise<Loose> {
  let body: Loose = {
    model,
    tools: FUNCTIONS,
    input: [says('A flight to Lisbon.')],
    ...(!chained && { store: false }),
    ...more,
  };
  for (let round = 0; round < rounds; round++) {
    const sent = await interact(sim, body);
    if (sent.status !== 200) throw new Error(`round ${round}: ${JSON.stringify(sent.body)}`);
    const { steps, id } = sent.body;
    const results = resultsFor(steps);
    const news = results.length > 0 ? results : [says('And?')];
    body = chained
      ? { ...body, previous_interaction_id: id, input: news }
      : { ...body, input: [...body.input, ...steps, ...news] };
  }
  return body;
}
