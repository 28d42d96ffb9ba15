import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OpenAiAnswer, OpenAiPart } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { BOOK, playLoop, respond, SEARCH } from './support.ts';

const MODELS = ['o4-mini', 'gpt-5', 'gpt-5.1', 'gpt-5.4', 'gpt-5.6-sol', 'gpt-6-sol', 'gpt-6.2-astra'] as const;
const MODES = ['stateless', 'stateless without ids', 'chain', 'conversation', 'zdr'] as const;
type Mode = (typeof MODES)[number];

const part: fc.Arbitrary<OpenAiPart> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ think: fc.string({ minLength: 1, maxLength: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ text: fc.string({ minLength: 1, maxLength: 60 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      tool: fc.constantFrom('search', 'book'),
      input: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Loose>,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ serverTool: 'web_search', input: { query: 'x' } }) },
);
const answers = fc.array(fc.array(part, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });

/** An answer that ends in its reasoning is the one thing that nobody can go on from. */
const asAnswer = (parts: readonly OpenAiPart[]): OpenAiAnswer => {
  const last = parts.at(-1);
  return { content: last && 'think' in last ? [...parts, { text: 'So.' }] : parts };
};

/** Sends back whatever came, as its mode has it; now and then with a new question. */
async function play(model: string, scripted: readonly (readonly OpenAiPart[])[], mode: Mode, compacts: boolean) {
  const sim = await simulator({
    responses: {
      organization: { zdr: mode === 'zdr' },
      script: ({ answers: at }) => asAnswer(scripted[at % scripted.length] ?? []),
    },
  });
  const tools = [SEARCH, BOOK];
  const holds = mode === 'chain' || mode === 'conversation';
  const conversation =
    mode === 'conversation'
      ? (
          (await (
            await fetch(`${sim.url}/v1/conversations`, { method: 'POST', headers: { authorization: 'Bearer key' } })
          ).json()) as Loose
        ).id
      : undefined;
  let input: Loose[] = [{ role: 'user', content: 'Go.' }];
  let body: Loose = { model, tools, conversation, reasoning: { effort: 'medium', summary: 'auto' } };
  if (mode === 'stateless' || mode === 'stateless without ids') body.store = false;
  for (let step = 0; step < 7; step++) {
    if (compacts && step === 4) body.context_management = [{ type: 'compaction', compact_threshold: 1 }];
    else delete body.context_management;
    const sent = await respond(sim, { ...body, input });
    expect(sent.body.error?.message).toBeUndefined();
    expect(sent.verdict.dropped).toEqual([]);
    expect(sent.body.input_transformations).toBeUndefined();
    const output: Loose[] = sent.body.output;
    const calls = output.filter(({ type }) => type === 'function_call');
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'ok' }));
    const news = results.length > 0 ? results : [{ role: 'user', content: `And ${step}?` }];
    if (holds) {
      input = news;
      if (mode === 'chain') body = { ...body, previous_response_id: sent.body.id };
      continue;
    }
    const sentBack = mode === 'stateless without ids' ? output.map(({ id: _, ...item }) => item) : output;
    input = [...input, ...sentBack, ...news];
  }
  await sim.close();
}

describe('a faithful client', () => {
  it('is never refused and never loses an item', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...MODELS),
        answers,
        fc.constantFrom(...MODES),
        fc.boolean(),
        async (model, scripted, mode, compacts) => play(model, scripted, mode, compacts),
      ),
      { numRuns: 60 },
    );
  });

  it('ciphertext with any character changed is refused', async () => {
    const sim = await simulator();
    const body = await playLoop(sim, 'gpt-5', { rounds: 1 });
    const item = body.input.find(({ type }: Loose) => type === 'reasoning');
    const token: string = item.encrypted_content;
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_= '), async (at, other) => {
        fc.pre(token[at] !== other);
        item.encrypted_content = token.slice(0, at) + other + token.slice(at + 1);
        expect((await respond(sim, body)).body.error?.code).toBe('invalid_encrypted_content');
      }),
      { numRuns: 60 },
    );
  });
});
