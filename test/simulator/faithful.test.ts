import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, Part } from '../../src/simulator/index.ts';
import { BINDING, isReasoning, type Loose, post, simulator, thinkingBody } from './support.ts';

const MODELS = [
  'claude-fable-5-2',
  'claude-haiku-5-5',
  'claude-sonnet-5-5',
  'claude-fable-5-1',
  'claude-opus-5-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-6',
  'claude-opus-4-5',
  'claude-sonnet-4-5',
  'claude-haiku-4-5',
] as const;

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ think: fc.string({ minLength: 1, maxLength: 60 }), redacted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ progress: 'Going on.' }) },
  { weight: 2, arbitrary: fc.record({ text: fc.string({ minLength: 1, maxLength: 60 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      tool: fc.constantFrom('search', 'book'),
      input: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Loose>,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ serverTool: fc.constant('web_search'), result: fc.constantFrom([], undefined) }),
  },
);
const answers = fc.array(fc.array(part, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });

/** A call that pauses and a client call cannot share an answer here; a paused answer stands alone. */
function asAnswer(parts: readonly Part[]): Answer {
  const pauses = parts.some((one) => 'serverTool' in one && one.result === undefined);
  return { content: pauses ? parts.filter((one) => !('tool' in one)) : parts };
}

/** Sends back whatever came, in the shape it came, joined or not. */
async function play(model: string, scripted: readonly (readonly Part[])[], joinsPauses: boolean) {
  const script = scripted.map(asAnswer);
  let at = 0;
  const sim = await simulator({
    anthropic: {
      script: ({ openServerTools }) => {
        const next = script[at++] ?? { content: [{ think: 'Over.' }, { text: 'Done.' }] };
        const results = openServerTools.map(({ id, name }) => ({
          block: { type: `${name}_tool_result`, tool_use_id: id, content: [] },
        }));
        return { ...next, content: [...results, ...next.content] };
      },
    },
  });
  const tools = [{ name: 'search' }, { name: 'book' }, { type: 'web_search_20250305', name: 'web_search' }];
  const messages: Loose[] = [{ role: 'user', content: 'Go.' }];
  const body = { model, max_tokens: 9000, tools, messages, ...thinkingBody(model) };
  const betas = [BINDING, 'interleaved-thinking-2025-05-14'];
  for (let step = 0; step < 8; step++) {
    const sent = await post(sim, body, { betas });
    expect(sent.body.error?.message).toBeUndefined();
    expect(sent.body.input_transformations).toEqual([]);
    expect(sent.verdict.shown.length + sent.verdict.stripped.length).toBe(
      messages.flatMap(({ content }) => [content].flat()).filter(isReasoning).length,
    );
    const before = messages.at(-1);
    if (joinsPauses && before.role === 'assistant') before.content = [...before.content, ...sent.body.content];
    else messages.push({ role: 'assistant', content: sent.body.content });
    const calls = sent.body.content.filter(({ type }: Loose) => type === 'tool_use');
    if (sent.body.stop_reason === 'pause_turn') continue;
    messages.push({
      role: 'user',
      content:
        calls.length === 0
          ? 'And on.'
          : calls.map(({ id }: Loose) => ({ type: 'tool_result', tool_use_id: id, content: 'found' })),
    });
  }
  return { sim, body, betas };
}

describe('a faithful client', () => {
  it('is never refused and never loses a block', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MODELS), answers, fc.boolean(), async (model, scripted, joins) => {
        await (await play(model, scripted, joins)).sim.close();
      }),
      { numRuns: 30 },
    );
  });

  it('a seal with any character changed is refused', async () => {
    const { sim, body, betas } = await play('claude-opus-5', [[{ think: 'a' }, { tool: 'book' }]], false);
    body.messages.splice(3);
    const { signature } = body.messages[1].content[0];
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length - 1), fc.constantFrom(...'AZaz09+/= '), async (at, other) => {
        fc.pre(signature[at] !== other);
        body.messages[1].content[0].signature = signature.slice(0, at) + other + signature.slice(at + 1);
        const sent = await post(sim, body, { betas });
        expect(sent.body.error?.message).toBe('messages.1.content.0: Invalid `signature` in `thinking` block');
      }),
      { numRuns: 60 },
    );
  });
});
