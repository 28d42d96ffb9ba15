import { describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../src/simulator/index.ts';
import { copy, isReasoning, type Loose, playLoop, post, ROUNDS, simulator, thinkingBody } from './support.ts';

/** A model that checks prefixes, one that does not, and one with manual thinking that thinks between calls. */
const CHECKED = 'claude-opus-5-5';
const UNCHECKED = 'claude-sonnet-5';
const MANUAL = 'claude-sonnet-4-5';
const INTERLEAVED = ['interleaved-thinking-2025-05-14'];

interface Row {
  readonly name: string;
  readonly model: string;
  /** Bends the request that would come after two rounds of a loop. */
  readonly bend: (body: Loose) => void;
  readonly status: number;
  readonly fragment?: string;
  /** Reasoning blocks the model is shown; the loop issued 2 in round one and 1 in round two. */
  readonly shown?: number;
  readonly conflicts?: NonNullable<SimulatorOptions['anthropic']>['conflicts'];
  readonly betas?: readonly string[];
  /** The answer has no reasoning although the script thinks. */
  readonly silent?: boolean;
}

const last = (body: Loose) => body.messages.findLast((message: Loose) => message.role === 'assistant');
const first = (body: Loose) => body.messages.find((message: Loose) => message.role === 'assistant');
const stripReasoning = (message: Loose) => {
  message.content = message.content.filter((block: Loose) => !isReasoning(block));
};
const alterSeal = (block: Loose) => {
  const member = block.type === 'thinking' ? 'signature' : 'data';
  const at = block[member].length >> 1;
  const other = block[member][at] === 'A' ? 'B' : 'A';
  block[member] = block[member].slice(0, at) + other + block[member].slice(at + 1);
};
const CANNOT = 'in the latest assistant message cannot be modified';

const ROWS: readonly Row[] = [
  { name: 'echoed verbatim', model: CHECKED, bend: () => {}, status: 200, shown: 3 },
  { name: 'echoed verbatim', model: UNCHECKED, bend: () => {}, status: 200, shown: 3 },
  { name: 'echoed verbatim', model: MANUAL, betas: INTERLEAVED, bend: () => {}, status: 200, shown: 3 },
  {
    name: 'all reasoning of the latest message left out, adaptive: silent',
    model: UNCHECKED,
    bend: (body) => stripReasoning(last(body)),
    status: 200,
    shown: 2,
  },
  {
    name: 'the same on a model that checks: left out at the end is no gap',
    model: CHECKED,
    bend: (body) => stripReasoning(last(body)),
    status: 200,
    shown: 2,
  },
  {
    name: 'all reasoning of every message left out: silent',
    model: CHECKED,
    bend: (body) => body.messages.filter((message: Loose) => message.role === 'assistant').forEach(stripReasoning),
    status: 200,
    shown: 0,
  },
  {
    name: 'the latest message without its reasoning, manual, strict',
    model: MANUAL,
    betas: INTERLEAVED,
    bend: (body) => stripReasoning(last(body)),
    status: 400,
    fragment: 'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
  },
  {
    name: 'the same, lenient',
    model: MANUAL,
    betas: INTERLEAVED,
    conflicts: { missingLeadingThinking: 'accept' },
    bend: (body) => stripReasoning(last(body)),
    status: 200,
    shown: 2,
  },
  {
    name: 'manual without interleaving: a later step has no thinking to begin with',
    model: MANUAL,
    bend: () => {},
    status: 200,
    shown: 2,
  },
  {
    name: 'an earlier message of the open cycle stripped',
    model: MANUAL,
    betas: INTERLEAVED,
    bend: (body) => stripReasoning(first(body)),
    status: 200,
    shown: 1,
  },
  {
    name: 'an earlier message of the open cycle stripped, checked model: the front may go',
    model: CHECKED,
    bend: (body) => stripReasoning(first(body)),
    status: 200,
    shown: 1,
  },
  {
    name: 'redacted block filtered out of the latest run',
    model: UNCHECKED,
    bend: (body) => {
      body.messages.splice(3);
      last(body).content = last(body).content.filter((block: Loose) => block.type !== 'redacted_thinking');
    },
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'thinking block filtered out of the latest run, redacted kept',
    model: UNCHECKED,
    bend: (body) => {
      body.messages.splice(3);
      last(body).content = last(body).content.filter((block: Loose) => block.type !== 'thinking');
    },
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'part of an earlier run dropped, no prefix check: silent',
    model: UNCHECKED,
    bend: (body) => {
      first(body).content = first(body).content.filter((block: Loose) => block.type !== 'redacted_thinking');
    },
    status: 200,
    shown: 2,
  },
  {
    name: 'part of an earlier run dropped, prefix check: a gap in the chain',
    model: CHECKED,
    bend: (body) => {
      first(body).content = first(body).content.filter((block: Loose) => block.type !== 'redacted_thinking');
    },
    status: 400,
    fragment: 'bound to a different conversation',
  },
  {
    name: 'the order inside the latest run changed',
    model: UNCHECKED,
    bend: (body) => {
      body.messages.splice(3);
      const { content } = last(body);
      [content[0], content[1]] = [content[1], content[0]];
    },
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'a block twice in the latest run',
    model: UNCHECKED,
    bend: (body) => last(body).content.unshift(copy(last(body).content[0])),
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'blocks of two answers made adjacent in the latest message',
    model: UNCHECKED,
    bend: (body) => last(body).content.unshift(copy(first(body).content[0])),
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'text of the latest thinking edited, strict',
    model: 'claude-opus-4-6',
    bend: (body) => {
      last(body).content[0].thinking += ' Indeed.';
    },
    status: 400,
    fragment: CANNOT,
  },
  {
    name: 'text of the latest thinking edited, lenient',
    model: 'claude-opus-4-6',
    conflicts: { editedText: 'accept' },
    bend: (body) => {
      last(body).content[0].thinking += ' Indeed.';
    },
    status: 200,
    shown: 3,
  },
  {
    name: 'text put into an omitted block is ignored',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0].thinking = 'Words of mine.';
    },
    status: 200,
    shown: 3,
  },
  {
    name: 'a summarised block sent as an omitted one',
    model: 'claude-opus-4-6',
    bend: (body) => {
      last(body).content[0].thinking = '';
    },
    status: 200,
    shown: 3,
  },
  {
    name: 'a signature altered',
    model: CHECKED,
    bend: (body) => alterSeal(last(body).content[0]),
    status: 400,
    fragment: 'Invalid `signature` in `thinking` block',
  },
  {
    name: 'a signature cut',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0].signature = last(body).content[0].signature.slice(0, 40);
    },
    status: 400,
    fragment: 'Invalid `signature` in `thinking` block',
  },
  {
    name: 'redacted data altered',
    model: UNCHECKED,
    bend: (body) => alterSeal(first(body).content[1]),
    status: 400,
    fragment: 'Invalid `signature` in `redacted_thinking` block',
  },
  {
    name: 'a forged signature',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0].signature = Buffer.from('I thought of this myself').toString('base64');
    },
    status: 400,
    fragment: 'Invalid `signature` in `thinking` block',
  },
  {
    name: 'redacted data passed off as a signature',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0].signature = first(body).content[1].data;
    },
    status: 400,
    fragment: 'Invalid `signature` in `thinking` block',
  },
  {
    name: 'an empty signature and no text',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0].signature = '';
    },
    status: 400,
    fragment: 'each thinking block must contain thinking',
  },
  {
    name: 'an empty signature beside a text',
    model: 'claude-opus-4-6',
    bend: (body) => {
      last(body).content[0].signature = '';
    },
    status: 400,
    fragment: 'Invalid `signature` in `thinking` block',
  },
  {
    name: 'no signature member',
    model: UNCHECKED,
    bend: (body) => {
      delete last(body).content[0].signature;
    },
    status: 400,
    fragment: 'messages.3.content.0.thinking.signature: Field required',
  },
  {
    name: 'no thinking member',
    model: UNCHECKED,
    bend: (body) => {
      delete last(body).content[0].thinking;
    },
    status: 400,
    fragment: 'messages.3.content.0.thinking.thinking: Field required',
  },
  {
    name: 'no data member',
    model: UNCHECKED,
    bend: (body) => {
      delete first(body).content[1].data;
    },
    status: 400,
    fragment: 'messages.1.content.1.redacted_thinking.data: Field required',
  },
  {
    name: 'reasoning re-sent as plain text',
    model: UNCHECKED,
    bend: (body) => {
      last(body).content[0] = { type: 'text', text: 'Second thought. More to say.' };
    },
    status: 200,
    shown: 2,
  },
  {
    name: 'thinking switched off inside the cycle, blocks sent, strict',
    model: 'claude-opus-4-8',
    bend: (body) => {
      body.thinking = { type: 'disabled' };
    },
    status: 400,
    fragment: 'When thinking is disabled, an assistant message in the final position cannot contain thinking',
  },
  {
    name: 'thinking switched off inside the cycle, blocks sent, lenient: silent',
    model: 'claude-opus-4-8',
    conflicts: { thinkingOffWithBlocks: 'strip' },
    bend: (body) => {
      body.thinking = { type: 'disabled' };
    },
    status: 200,
    shown: 0,
    silent: true,
  },
  {
    name: 'the parameter left out inside the cycle where the default is off, lenient: silent',
    model: 'claude-opus-4-8',
    conflicts: 'lenient',
    bend: (body) => {
      delete body.thinking;
    },
    status: 200,
    shown: 0,
    silent: true,
  },
  {
    name: 'the type changed inside the cycle: silent',
    model: 'claude-opus-4-6',
    bend: (body) => {
      body.thinking = { type: 'enabled', budget_tokens: 1024 };
    },
    status: 200,
    shown: 0,
    silent: true,
  },
  {
    name: 'effort, display and budget are no change of type',
    model: UNCHECKED,
    bend: (body) => {
      body.thinking = { type: 'adaptive', display: 'summarized' };
      body.output_config = { effort: 'low' };
    },
    status: 200,
    shown: 3,
  },
];

describe('what comes back while a cycle is open', () => {
  for (const row of ROWS) {
    it(`${row.name} (${row.model})`, async () => {
      const sim = await simulator({
        anthropic: { script: ROUNDS, ...(row.conflicts && { conflicts: row.conflicts }) },
      });
      const options = row.betas ? { betas: row.betas } : {};
      const body = await playLoop(sim, row.model, { ...options, body: thinkingBody(row.model) });
      row.bend(body);
      const sent = await post(sim, body, options);
      expect(sent.body.error?.message ?? '').toContain(row.fragment ?? '');
      expect(sent.status).toBe(row.status);
      if (row.status === 200) {
        expect(sent.verdict.shown).toHaveLength(row.shown ?? -1);
        expect(sent.verdict.thinking?.silentlyDisabled).toBe(row.silent === true);
        const interleaves = row.model !== MANUAL || row.betas !== undefined;
        expect(sent.body.content.some(isReasoning)).toBe(row.silent !== true && interleaves);
      } else {
        expect(sent.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
        expect(sent.verdict.error?.message).toBe(sent.body.error.message);
      }
    });
  }

  it('thinking switched on inside a cycle that began without: silent', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-opus-4-8');
    body.thinking = { type: 'adaptive' };
    const sent = await post(sim, body);
    expect(sent.status).toBe(200);
    expect(sent.verdict.thinking).toEqual({ mode: 'adaptive', silentlyDisabled: true });
    expect(sent.body.content.some(isReasoning)).toBe(false);
    expect(sent.body.usage.output_tokens_details.thinking_tokens).toBe(0);
  });

  it('a redacted block that was the whole run, filtered out: silent', async () => {
    const script = [{ content: [{ think: 'Flagged.', redacted: true }, { tool: 'search' }] }, ...ROUNDS.slice(1)];
    const sim = await simulator({ anthropic: { script } });
    const body = await playLoop(sim, CHECKED, { rounds: 1 });
    expect(body.messages[1].content[0].type).toBe('redacted_thinking');
    stripReasoning(first(body));
    expect((await post(sim, body)).status).toBe(200);
  });

  it('a cleared signature is told from a broken prefix by a message of one sentence', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, CHECKED);
    alterSeal(last(body).content[0]);
    const sent = await post(sim, body);
    expect(sent.body.error.message).toBe('messages.3.content.0: Invalid `signature` in `thinking` block');
  });

  it('two answers in one message, each reasoning before its own text, are accepted', async () => {
    const sim = await simulator({
      anthropic: {
        script: [
          { content: [{ think: 'A.' }, { text: 'a' }, { serverTool: 'web_search', input: {} }] },
          { content: [{ think: 'B.' }, { text: 'b' }] },
        ],
      },
    });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body: Loose = { model: UNCHECKED, max_tokens: 500, tools, messages: [{ role: 'user', content: 'Go.' }] };
    const one = await post(sim, body);
    expect(one.body.stop_reason).toBe('pause_turn');
    body.messages.push({ role: 'assistant', content: one.body.content });
    const two = await post(sim, body);
    const result = { type: 'web_search_tool_result', tool_use_id: one.body.content[2].id, content: [] };
    const merged = { role: 'assistant', content: [...one.body.content, result, ...two.body.content] };
    const user = { role: 'user', content: 'And?' };
    const asOne = await post(sim, { ...body, messages: [body.messages[0], merged, user] });
    expect(asOne.status).toBe(200);
    expect(asOne.verdict.shown).toHaveLength(2);
    const [thA, a, call, ...rest] = merged.content;
    const shuffled = { role: 'assistant', content: [thA, rest[1], a, call, rest[0], rest[2]] };
    const bad = await post(sim, { ...body, messages: [body.messages[0], shuffled, user] });
    expect(bad.body.error.message).toContain(CANNOT);
  });
});

describe('once the cycle is closed', () => {
  const KEEP_ALL = ['claude-opus-4-5', 'claude-sonnet-4-6', 'claude-haiku-5-5', 'claude-fable-5', 'claude-mythos-5-1'];
  const LAST_TURN = ['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-1', 'claude-sonnet-4'];
  for (const model of [...KEEP_ALL, ...LAST_TURN]) {
    it(model, async () => {
      const sim = await simulator({ anthropic: { script: ROUNDS } });
      const config = thinkingBody(model);
      const body = await playLoop(sim, model, { closed: true, body: config });
      const reasoning = body.messages.flatMap(({ content }: Loose) => [content].flat()).filter(isReasoning).length;
      body.messages.push({ role: 'user', content: 'Thanks. And back?' });
      const sent = await post(sim, body);
      const bare = copy(body);
      for (const message of bare.messages) if (message.role === 'assistant') stripReasoning(message);
      const without = await post(sim, bare);
      const keeps = KEEP_ALL.includes(model);
      expect(reasoning).toBeGreaterThan(0);
      expect(sent.verdict.shown).toHaveLength(keeps ? reasoning : 0);
      expect(sent.verdict.stripped).toHaveLength(keeps ? 0 : reasoning);
      expect(sent.body.usage.input_tokens > without.body.usage.input_tokens).toBe(keeps);
      expect(sent.body).not.toHaveProperty('input_transformations');
    });
  }

  it('a result with a text beside it does not close the turn', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const body = await playLoop(sim, 'claude-sonnet-4-5', { rounds: 1, body: thinkingBody('claude-sonnet-4-5') });
    body.messages.at(-1).content.push({ type: 'text', text: 'Mind the price.' });
    expect((await post(sim, body)).verdict.shown).toHaveLength(2);
  });

  it('clear_thinking takes the keeping over, both ways', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const betas = ['context-management-2025-06-27'];
    const edit = (keep: Loose) => ({ context_management: { edits: [{ type: 'clear_thinking_20251015', keep }] } });
    const old = await playLoop(sim, 'claude-sonnet-4-5', { closed: true, body: thinkingBody('claude-sonnet-4-5') });
    old.messages.push({ role: 'user', content: 'And back?' });
    const kept = await post(sim, { ...old, ...edit('all') }, { betas });
    expect(kept.verdict.shown).toHaveLength(2);
    expect(kept.body.context_management.applied_edits).toEqual([]);
    const fresh = await playLoop(sim, 'claude-opus-5', { closed: true });
    fresh.messages.push({ role: 'user', content: 'And back?' });
    const again = await post(sim, fresh);
    fresh.messages.push({ role: 'assistant', content: again.body.content }, { role: 'user', content: 'Fine.' });
    const cleared = await post(sim, { ...fresh, ...edit({ type: 'thinking_turns', value: 1 }) }, { betas });
    // The turn that answered "And back?" is the one kept.
    expect(cleared.verdict.shown).toEqual(['messages.9.content.0']);
    expect(cleared.body.context_management.applied_edits).toEqual([
      { type: 'clear_thinking_20251015', cleared_thinking_turns: 1, cleared_input_tokens: 210 },
    ]);
  });
});
