import { describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../src/simulator/index.ts';
import { BINDING, BOOK, copy, isReasoning, type Loose, playLoop, post, ROUNDS, SEARCH, simulator } from './support.ts';

const MODEL = 'claude-opus-5-5';
const BOUND = 'bound to a different conversation';
const start = (anthropic: SimulatorOptions['anthropic'] = {}) =>
  simulator({ anthropic: { script: ROUNDS, ...anthropic } });
const drop = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } };
const fail = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } };

interface Change {
  readonly name: string;
  readonly bend: (body: Loose) => void;
  /** Path of the block that the refusal names; absent: the change is none. */
  readonly breaks?: string;
  /** A word of the sentence that says what is wrong. */
  readonly says?: string;
}

const result = (body: Loose, message: number) => body.messages[message].content[0];

/** Bends the request that comes after two rounds: user, assistant, results, assistant, results. */
const CHANGES: readonly Change[] = [
  { name: 'nothing', bend: () => {} },
  { name: 'a text after the results', bend: (body) => body.messages[4].content.push({ type: 'text', text: 'Hurry.' }) },
  {
    name: 'a cache marker added',
    bend: (body) => {
      body.messages[0].content = [
        { type: 'text', text: body.messages[0].content, cache_control: { type: 'ephemeral' } },
      ];
      body.tools[1] = { ...body.tools[1], cache_control: { type: 'ephemeral' } };
      body.system = [{ type: 'text', text: body.system, cache_control: { type: 'ephemeral' } }];
    },
  },
  {
    name: 'effort, max_tokens, tool_choice, metadata, display',
    bend: (body) => {
      Object.assign(body, { max_tokens: 3000, tool_choice: { type: 'auto' }, metadata: { user_id: 'someone' } });
      Object.assign(body, { output_config: { effort: 'low' }, thinking: { type: 'adaptive', display: 'summarized' } });
    },
  },
  {
    name: 'key order',
    bend: (body) => {
      body.messages = body.messages.map(({ role, content }: Loose) => ({ content, role }));
      body.tools = body.tools.map((tool: Loose) => Object.fromEntries(Object.entries(tool).reverse()));
      const call = body.messages[1].content.find(({ type }: Loose) => type === 'tool_use');
      call.input = Object.fromEntries(Object.entries(call.input).reverse());
    },
  },
  { name: 'tool order', bend: (body) => body.tools.reverse() },
  {
    name: 'string or one text block',
    bend: (body) => {
      body.messages[0].content = [{ type: 'text', text: body.messages[0].content }];
      result(body, 2).content = [{ type: 'text', text: result(body, 2).content }];
    },
  },
  {
    name: 'whitespace around a text, a blank text',
    bend: (body) => {
      body.messages[0].content = [
        { type: 'text', text: `  ${body.messages[0].content}\n` },
        { type: 'text', text: ' \n' },
      ];
      body.system = `${body.system}\n`;
    },
  },
  {
    name: 'null members and explicit defaults',
    bend: (body) => {
      Object.assign(body.tools[1], { strict: false, eager_input_streaming: false, type: 'custom', description: '' });
      Object.assign(body.tools[1], { allowed_callers: ['direct'] });
      Object.assign(result(body, 2), { is_error: false, cache_control: null });
      body.messages[1].content.find(({ type }: Loose) => type === 'text').citations = [];
    },
  },
  {
    name: 'a new deferred tool that nothing refers to',
    bend: (body) => body.tools.push({ name: 'later', input_schema: { type: 'object' }, defer_loading: true }),
  },
  {
    name: 'a system message after the results',
    bend: (body) => body.messages.push({ role: 'system', content: 'The budget is final.' }),
  },
  {
    name: 'interior whitespace',
    bend: (body) => {
      body.messages[0].content = body.messages[0].content.replace(' ', '  ');
    },
    breaks: 'messages.1.content.0',
    says: 'changed',
  },
  {
    name: 'a tool input value',
    bend: (body) => {
      body.messages[1].content.at(-1).input.max = 500;
    },
    breaks: 'messages.3.content.0',
    says: 'changed',
  },
  {
    name: 'a tool result text',
    bend: (body) => {
      result(body, 2).content = 'something else';
    },
    breaks: 'messages.3.content.0',
    says: 'changed',
  },
  {
    name: 'is_error set',
    bend: (body) => {
      result(body, 2).is_error = true;
    },
    breaks: 'messages.3.content.0',
  },
  {
    name: 'a tool added',
    bend: (body) => body.tools.push({ name: 'extra' }),
    breaks: 'messages.1.content.0',
    says: 'tools',
  },
  { name: 'a tool removed', bend: (body) => body.tools.pop(), breaks: 'messages.1.content.0', says: 'tools' },
  {
    name: 'a tool renamed',
    bend: (body) => {
      body.tools[1] = { ...body.tools[1], name: 'reserve' };
    },
    breaks: 'messages.1.content.0',
    says: 'tools',
  },
  {
    name: 'a tool description edited',
    bend: (body) => {
      body.tools[0] = { ...body.tools[0], description: 'Searches' };
    },
    breaks: 'messages.1.content.0',
    says: 'tools',
  },
  {
    name: 'the system prompt edited',
    bend: (body) => {
      body.system += ' <reminder>Be brief.</reminder>';
    },
    breaks: 'messages.1.content.0',
    says: 'system',
  },
  {
    name: 'a text added to an earlier user turn',
    bend: (body) => body.messages[2].content.push({ type: 'text', text: 'A reminder.' }),
    breaks: 'messages.3.content.0',
  },
  {
    name: 'earlier messages deleted',
    bend: (body) => body.messages.splice(1, 2),
    breaks: 'messages.1.content.0',
    says: 'missing',
  },
  {
    name: 'reasoning removed from the front',
    bend: (body) => {
      body.messages[1].content.splice(0, 2);
    },
  },
  { name: 'reasoning removed from the end', bend: (body) => body.messages[3].content.splice(0, 1) },
  {
    name: 'reasoning removed everywhere',
    bend: (body) => {
      body.messages[1].content.splice(0, 2);
      body.messages[3].content.splice(0, 1);
    },
  },
];

describe('what counts as another conversation', () => {
  for (const { name, bend, breaks, says } of CHANGES) {
    it(name, async () => {
      const sim = await start();
      const body = await playLoop(sim, MODEL);
      bend(body);
      const sent = await post(sim, body);
      if (breaks === undefined) {
        expect(sent.body.error?.message).toBeUndefined();
        expect(sent.verdict.dropped).toEqual([]);
        return;
      }
      expect(sent.status).toBe(400);
      expect(sent.body.error.message).toMatch(new RegExp(`^${breaks.replaceAll('.', '\\.')}: `));
      expect(sent.body.error.message).toContain(BOUND);
      expect(sent.body.error.message).toContain(says ?? '');
      expect(sent.headers.get('anthropic-thinking-prefix-mismatch')).toMatch(
        new RegExp(`^block=${breaks};kind=[a-z_]+;pattern=[a-z_]+$`),
      );
    });
  }

  it('reasoning removed from the middle breaks what follows', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL, { rounds: 3 });
    body.messages[3].content.splice(0, 1);
    const sent = await post(sim, body);
    expect(sent.body.error.message).toContain(BOUND);
    expect(sent.body.error.message).toMatch(/^messages\.5\.content\.0: .*thinking block .* is missing\.$/);
    expect(sent.headers.get('anthropic-thinking-prefix-mismatch')).toContain('kind=predecessor_missing');
  });

  it('reasoning put back later breaks what was produced while it was gone', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL, { rounds: 2 });
    const [kept] = body.messages[3].content.splice(0, 1);
    const third = await post(sim, body);
    expect(third.status).toBe(200);
    body.messages.push({ role: 'assistant', content: third.body.content });
    const call = third.body.content.at(-1);
    body.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'ok' }] });
    expect((await post(sim, body)).status).toBe(200);
    body.messages[3].content.unshift(kept);
    const sent = await post(sim, body);
    expect(sent.body.error.message).toMatch(/^messages\.5\.content\.0: .*bound to a different conversation/);
  });

  it('a deferred tool binds once something refers to it', async () => {
    const later = { name: 'later', input_schema: { type: 'object' }, defer_loading: true };
    const sim = await start({
      script: [...ROUNDS.slice(0, 1), { content: [{ think: 'Load it.' }, { tool: 'later' }] }, ...ROUNDS.slice(2)],
    });
    const body = await playLoop(sim, MODEL, { rounds: 3, body: { tools: [SEARCH, BOOK, later] } });
    expect((await post(sim, body)).status).toBe(200);
    body.tools[2] = { ...later, description: 'Edited' };
    const sent = await post(sim, body);
    // Blocks from before the first reference do not mind.
    expect(sent.body.error.message).toMatch(/^messages\.5\.content\.0: .*tools differ/);
  });

  it('a system message joins the prefix and must stay', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL, { rounds: 1 });
    body.messages.push({ role: 'system', content: 'The budget is final.' });
    const sent = await post(sim, body);
    body.messages.push({ role: 'assistant', content: sent.body.content });
    const call = sent.body.content.at(-1);
    body.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'ok' }] });
    expect((await post(sim, body)).status).toBe(200);
    body.messages.splice(3, 1);
    expect((await post(sim, body)).body.error.message).toContain(BOUND);
  });

  it('a picture behind a rotated address is the same, other bytes are not', async () => {
    const image = (source: Loose) => [
      { type: 'text', text: 'See.' },
      { type: 'image', source },
    ];
    const sim = await start();
    const url = (query: string) => image({ type: 'url', url: `https://example.com/a.png?${query}` });
    const body = await playLoop(sim, MODEL, { body: { messages: [{ role: 'user', content: url('sig=1') }] } });
    body.messages[0].content = url('sig=2');
    expect((await post(sim, body)).status).toBe(200);
    body.messages[0].content = image({ type: 'base64', media_type: 'image/png', data: 'QUJD' });
    expect((await post(sim, body)).status).toBe(400);
  });

  it('a fork from an unchanged head is the same conversation', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL);
    body.messages.splice(3, 2);
    body.messages[2].content.push({ type: 'text', text: 'Try it otherwise.' });
    const sent = await post(sim, body);
    expect(sent.status).toBe(200);
    expect(sent.verdict.shown).toHaveLength(2);
  });

  it('answers of another vendor in between change nothing', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL, { closed: true });
    body.messages.push({ role: 'user', content: 'And?' }, { role: 'assistant', content: 'From elsewhere.' });
    body.messages.push({ role: 'user', content: 'Go on.' });
    expect((await post(sim, body)).verdict.shown).toHaveLength(5);
  });
});

describe('who runs the check', () => {
  const broken = async (sim: Loose, model: string, options: Loose = {}) => {
    const body = await playLoop(sim, model, options);
    body.system += ' Edited.';
    return body;
  };
  const rows: readonly (readonly [model: string, age: 'new' | 'old', outcome: 'error' | 'allowed' | 'unchecked'])[] = [
    ['claude-fable-5-2', 'new', 'error'],
    ['claude-fable-5-2', 'old', 'error'],
    ['claude-mythos-5-2', 'old', 'error'],
    ['claude-mythos-5-1', 'old', 'error'],
    ['claude-fable-5-1', 'new', 'error'],
    ['claude-fable-5-1', 'old', 'allowed'],
    ['claude-opus-5-5', 'new', 'error'],
    ['claude-opus-5-5', 'old', 'allowed'],
    ['claude-sonnet-5-5', 'new', 'error'],
    ['claude-sonnet-5-5', 'old', 'allowed'],
    ['claude-haiku-5-5', 'new', 'error'],
    ['claude-haiku-5-5', 'old', 'allowed'],
    ['claude-opus-5', 'new', 'unchecked'],
    ['claude-sonnet-5', 'new', 'unchecked'],
    ['claude-fable-5', 'new', 'unchecked'],
    ['claude-mythos-preview', 'new', 'unchecked'],
  ];
  for (const [model, age, outcome] of rows) {
    it(`${model}, ${age} account: ${outcome}`, async () => {
      const sim = await start({ account: { age } });
      const body = await broken(sim, model);
      const silent = await post(sim, body);
      expect(silent.status).toBe(outcome === 'error' ? 400 : 200);
      if (outcome === 'error') return;
      expect(silent.body).not.toHaveProperty('input_transformations');
      expect(silent.verdict.shown).toHaveLength(3);
      const told = await post(sim, body, { betas: [BINDING] });
      const paths = ['messages.1.content.0', 'messages.1.content.1', 'messages.3.content.0'];
      expect(told.body.input_transformations).toEqual(
        outcome === 'unchecked'
          ? []
          : paths.map((path) => ({ type: 'thinking_mismatch_allowed', path, reason: 'prefix_binding_mismatch' })),
      );
      // Shown, and so billed in full.
      expect(told.body.usage.input_tokens).toBe(silent.body.usage.input_tokens);
      const enforced = await post(sim, { ...body, thinking: fail }, { betas: [BINDING] });
      expect(enforced.status).toBe(outcome === 'unchecked' ? 200 : 400);
    });
  }

  it('mythos-5-1 by the older page', async () => {
    const sim = await start({ conflicts: { mythos51PrefixCheck: 'none' } });
    expect((await post(sim, await broken(sim, 'claude-mythos-5-1'))).status).toBe(200);
  });

  it('an account is new from 2026-08-31 on', async () => {
    for (const [day, status] of [
      ['2026-08-30T23:59:59Z', 200],
      ['2026-08-31T00:00:00Z', 400],
    ] as const) {
      const sim = await start({ account: { age: new Date(day) } });
      expect((await post(sim, await broken(sim, MODEL))).status).toBe(status);
    }
  });

  it('count_tokens runs it too, and reports nothing on success', async () => {
    const sim = await start();
    const { max_tokens: _, ...good } = await playLoop(sim, MODEL);
    const path = '/v1/messages/count_tokens';
    const counted = await post(sim, good, { path, betas: [BINDING] });
    expect(Object.keys(counted.body)).toEqual(['input_tokens']);
    const bad = await post(sim, { ...good, system: 'Other.' }, { path });
    expect(bad.body.error.message).toContain(BOUND);
  });

  it('a batch drops where a call would be refused', async () => {
    const sim = await start();
    const body = await broken(sim, MODEL);
    const path = '/v1/messages/batches';
    const created = await post(sim, { requests: [{ custom_id: 'one', params: body }] }, { path, betas: [BINDING] });
    expect(created.body).toMatchObject({ type: 'message_batch', request_counts: { succeeded: 1, errored: 0 } });
    expect(created.verdict.items?.[0]?.dropped).toHaveLength(3);
    const lines = await (await fetch(created.body.results_url, { headers: { 'x-api-key': 'key' } })).text();
    const item = JSON.parse(lines);
    expect(item).toMatchObject({ custom_id: 'one', result: { type: 'succeeded' } });
    expect(item.result.message.input_transformations).toHaveLength(3);
    const strict = { requests: [{ custom_id: 'one', params: { ...body, thinking: fail } }] };
    const refused = await post(sim, strict, { path, betas: [BINDING] });
    expect(refused.body.request_counts).toMatchObject({ succeeded: 0, errored: 1 });
  });
});

describe('drop_block', () => {
  it('takes failing blocks out unbilled, says so, and goes on losing until the history is whole again', async () => {
    const sim = await start();
    const body = await playLoop(sim, MODEL);
    const whole = await post(sim, body, { betas: [BINDING] });
    expect(whole.body.input_transformations).toEqual([]);
    const broken = { ...copy(body), system: 'You book fl!ghts.' };
    const sent = await post(sim, { ...broken, thinking: drop }, { betas: [BINDING] });
    expect(sent.status).toBe(200);
    expect(sent.body.input_transformations.map(({ type, reason }: Loose) => [type, reason])).toEqual(
      Array(3).fill(['thinking_dropped', 'prefix_binding_mismatch']),
    );
    expect(sent.verdict.shown).toEqual([]);
    expect(whole.body.usage.input_tokens - sent.body.usage.input_tokens).toBe(170);
    broken.messages.push({ role: 'assistant', content: sent.body.content });
    const call = sent.body.content.at(-1);
    broken.messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'ok' }] });
    const next = await post(sim, { ...broken, thinking: drop }, { betas: [BINDING] });
    expect(next.body.input_transformations).toHaveLength(4);
  });

  const extents = { every_later_block: [1, 2, 3], rest_of_run: [1], failing_block: [1] } as const;
  for (const [dropExtent, dropped] of Object.entries(extents)) {
    it(`extent ${dropExtent}`, async () => {
      const sim = await start({ conflicts: { dropExtent: dropExtent as keyof typeof extents } });
      const body = await playLoop(sim, MODEL, { rounds: 3 });
      // The second of the first run goes: the block after the gap fails, by the chain.
      const blocks: Loose[] = body.messages.flatMap(({ content }: Loose) => [content].flat()).filter(isReasoning);
      body.messages[1].content = body.messages[1].content.filter((block: Loose) => block !== blocks[1]);
      const sent = await post(sim, { ...body, thinking: drop }, { betas: [BINDING] });
      const paths = ['messages.1.content.0', 'messages.3.content.0', 'messages.5.content.0'];
      const expected = dropped.filter((index) => index < 3).map((index) => paths[index]);
      expect(sent.verdict.dropped.map(({ path }) => path)).toEqual(expected);
    });
  }

  it('the rest of a run goes with its failing block', async () => {
    const sim = await start({ conflicts: { dropExtent: 'rest_of_run' } });
    const body = await playLoop(sim, MODEL, { rounds: 1 });
    body.messages[0].content += ' Or Porto.';
    const sent = await post(sim, { ...body, thinking: drop }, { betas: [BINDING] });
    expect(sent.verdict.dropped.map(({ path }) => path)).toEqual(['messages.1.content.0', 'messages.1.content.1']);
  });

  it('is hinted at where the header is missing', async () => {
    const sim = await start();
    const body = { ...(await playLoop(sim, MODEL)), system: 'Other.' };
    expect((await post(sim, body)).body.error.message).toContain(BINDING);
    expect((await post(sim, body, { betas: [BINDING] })).body.error.message).not.toContain(BINDING);
  });
});
