import { describe, expect, it } from 'vitest';
import type { Fault, OpenAiAnswer } from '../../../src/simulator/index.ts';
import { type Loose, lastAnswer, simulator } from '../support.ts';
import { playLoop, ROUNDS, respond, respondStream, SEARCH } from './support.ts';

const answer: OpenAiAnswer = {
  content: [
    { think: 'First this. Then that.', tokens: 40 },
    { text: 'Let me look that up for you first.' },
    { tool: 'search', input: { to: 'LIS' } },
  ],
};
const BODY: Loose = { model: 'gpt-5.6-sol', input: 'Go', tools: [SEARCH], reasoning: { summary: 'auto' } };
const scripted = (script: Loose = [answer], conflicts?: Loose) => simulator({ responses: { script, conflicts } });
const faulty = (fault: Fault) => scripted([{ ...answer, fault }, { content: [{ text: 'On.' }] }]);

describe('a stream', () => {
  it('has the order and the shapes of the real one', async () => {
    const { events, names } = await respondStream(await scripted(), BODY);
    expect(names).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[0].response).toMatchObject({ status: 'in_progress', output: [], usage: null });
    expect(events[2]).toMatchObject({ output_index: 0, item: { type: 'reasoning', summary: [] } });
    expect(events[3]).toMatchObject({ output_index: 0, summary_index: 0, item_id: events[2].item.id });
    expect(events[9]).toMatchObject({ content_index: 0, part: { type: 'output_text', text: '' } });
    expect(events[15].item).toMatchObject({ type: 'function_call', arguments: '', status: 'in_progress' });
  });

  it('ends with the very response that JSON would have been', async () => {
    const sim = await scripted();
    const { events } = await respondStream(sim, BODY);
    expect(events.at(-1).response).toEqual(sim.requests[0]?.verdict.answer);
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done).toEqual(events.at(-1).response.output);
  });

  it('shows partial ciphertext first, which is no good', async () => {
    const sim = await scripted();
    const { events } = await respondStream(sim, BODY);
    const [added, done] = events.filter(({ item }) => item?.type === 'reasoning').map(({ item }) => item);
    expect(done.encrypted_content.startsWith(added.encrypted_content)).toBe(true);
    expect(added.encrypted_content.length).toBeLessThan(done.encrypted_content.length);
    const [, message, call] = events.at(-1).response.output;
    const outputs = { type: 'function_call_output', call_id: call.call_id, output: '' };
    const input = [{ ...done, encrypted_content: added.encrypted_content }, message, call, outputs];
    expect((await respond(sim, { ...BODY, input })).body.error.code).toBe('invalid_encrypted_content');
    input[0] = done;
    expect((await respond(sim, { ...BODY, input })).verdict.shown).toEqual(['input.0']);
  });

  it('may end with other ciphertext for the same item, both of them good', async () => {
    const sim = await scripted([answer], { terminalCiphertext: 'different' });
    const { events } = await respondStream(sim, BODY);
    const done = events.find(({ type }) => type === 'response.output_item.done').item;
    const [last, ...rest] = events.at(-1).response.output;
    expect(last.id).toBe(done.id);
    expect(last.encrypted_content).not.toBe(done.encrypted_content);
    const output = { type: 'function_call_output', call_id: rest[1].call_id, output: '' };
    for (const item of [done, last]) {
      expect((await respond(sim, { ...BODY, input: [item, ...rest, output] })).verdict.shown).toEqual(['input.0']);
    }
  });

  it('may leave the items to those who kept them', async () => {
    for (const [terminalOutput, output] of [
      ['empty', []],
      ['absent', undefined],
    ] as const) {
      const sim = await scripted([answer], { terminalOutput });
      const { events } = await respondStream(sim, BODY);
      expect(events.at(-1).response.output).toEqual(output);
      const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
      expect(done).toEqual(lastAnswer(sim).output);
    }
  });

  it('refusals, custom tools, hosted tools, failures, other endings', async () => {
    const sim = await scripted([
      {
        content: [
          { think: 'a' },
          { serverTool: 'web_search', input: { query: 'LIS' } },
          { tool: 'patch', input: 'raw text' },
          { refusal: 'No.' },
        ],
      },
    ]);
    const custom = { ...BODY, tools: [{ type: 'custom', name: 'patch' }] };
    const { events, names } = await respondStream(sim, custom);
    expect(names).toContain('response.web_search_call.searching');
    expect(names).toContain('response.custom_tool_call_input.done');
    expect(names).toContain('response.refusal.done');
    expect(events.at(-1).response.output).toMatchObject([
      { type: 'reasoning' },
      { type: 'web_search_call', action: { query: 'LIS' } },
      { type: 'custom_tool_call', input: 'raw text', id: expect.stringMatching(/^ctc_/) },
      { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] },
    ]);
    for (const [stop, status, type] of [
      ['failed', 'failed', 'response.failed'],
      ['content_filter', 'incomplete', 'response.incomplete'],
    ]) {
      const one = await scripted([{ ...answer, stop }]);
      expect((await respondStream(one, BODY)).events.at(-1)).toMatchObject({ type, response: { status } });
    }
  });

  it('cut by its budget inside a text', async () => {
    const { events } = await respondStream(await scripted(), { ...BODY, max_output_tokens: 43 });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'reasoning' }, { status: 'incomplete', content: [{ text: 'Let me look ' }] }],
        usage: { output_tokens: 43, output_tokens_details: { reasoning_tokens: 40 } },
      },
    });
  });

  it('older gateways give ciphertext to those who ask', async () => {
    const sim = await scripted([answer], { encryptedContent: 'on_include' });
    const { events } = await respondStream(sim, BODY);
    expect(JSON.stringify(events)).not.toContain('encrypted_content');
    const asked = await respondStream(sim, { ...BODY, include: ['reasoning.encrypted_content'] });
    expect(asked.events.at(-1).response.output[0].encrypted_content).toMatch(/^gAAAA/);
    // Stored, it goes on by its id all the same.
    const { id, output } = events.at(-1).response;
    const results = [{ type: 'function_call_output', call_id: output[2].call_id, output: '' }];
    expect((await respond(sim, { ...BODY, previous_response_id: id, input: results })).verdict.shown).toHaveLength(1);
  });
});

describe('faults', () => {
  it('a cut stream leaves a parent that cannot be gone on from, if it ended in reasoning', async () => {
    const sim = await faulty({ kind: 'cut', at: { event: 'response.output_item.done', when: 'after' } });
    const { events, broken } = await respondStream(sim, BODY);
    expect(broken).toBe(true);
    expect(events.at(-1).item.type).toBe('reasoning');
    const { id } = events[0].response;
    const chained = await respond(sim, { ...BODY, input: 'On', previous_response_id: id });
    expect(chained.body.error.message).toMatch(/without its required following item/);
  });

  it('an error in mid-stream', async () => {
    const sim = await faulty({
      kind: 'error_event',
      type: 'server_error',
      message: 'Oops',
      at: { event: 'response.output_text.delta', nth: 2 },
    });
    const { events } = await respondStream(sim, BODY);
    expect(events.at(-1)).toEqual({
      type: 'error',
      code: 'server_error',
      message: 'Oops',
      param: null,
      sequence_number: 0,
    });
    expect(events.filter(({ type }) => type === 'response.output_text.delta')).toHaveLength(1);
    expect(sim.requests[0]?.verdict.fault).toBe('error_event');
  });

  it('unreadable ciphertext may be told in the stream', async () => {
    for (const [conflicts, status] of [
      [{}, 400],
      [{ sealErrorInStream: 'event' }, 200],
    ] as const) {
      const sim = await scripted([answer], conflicts);
      const body = {
        ...BODY,
        input: [
          { type: 'reasoning', summary: [], encrypted_content: 'gAAAAx' },
          { role: 'user', content: 'x' },
        ],
      };
      const sent = await respondStream(sim, body);
      expect(sent.status).toBe(status);
      if (status === 200) expect(sent.events).toMatchObject([{ type: 'error', code: 'invalid_encrypted_content' }]);
      expect(sim.requests[0]?.verdict).toMatchObject({ status: 400, error: { type: 'invalid_encrypted_content' } });
    }
  });

  it('a status, then a retry; nothing is kept of the first', async () => {
    const sim = await scripted([
      {
        ...answer,
        fault: { kind: 'status', status: 429, code: 'rate_limit_exceeded', times: 1, headers: { 'retry-after': '0' } },
      },
    ]);
    const first = await respond(sim, BODY);
    expect(first).toMatchObject({
      status: 429,
      body: { error: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' } },
    });
    expect(first.headers.get('retry-after')).toBe('0');
    expect((await respond(sim, BODY)).status).toBe(200);
  });

  it('malformed, slow, late, cut JSON', async () => {
    const malformed = await respondStream(
      await faulty({ kind: 'malformed', at: { event: 'response.output_item.done' } }),
      BODY,
    );
    expect(malformed.names.filter((name) => name === 'malformed')).toHaveLength(1);
    const slow = await respondStream(await faulty({ kind: 'slow', ms: 1, bytes: 200 }), BODY);
    expect(slow.names.at(-1)).toBe('response.completed');
    expect((await respond(await faulty({ kind: 'late', ms: 5 }), BODY)).status).toBe(200);
    await expect(respond(await faulty({ kind: 'cut' }), BODY)).rejects.toThrow();
  });
});

describe('determinism', () => {
  it('gives the same bytes, in whatever order conversations come', async () => {
    const now = () => 1_780_000_000_000;
    const run = async (order: readonly string[]) => {
      const sim = await simulator({ now });
      const bodies = new Map<string, Loose>();
      for (const user of order) bodies.set(user, await playLoop(sim, 'gpt-6.2-astra', { body: { user }, rounds: 1 }));
      for (const user of order) await respond(sim, bodies.get(user));
      return Object.fromEntries(order.map((user) => [user, bodies.get(user)]));
    };
    expect(JSON.stringify(await run(['a', 'b']).then(({ a, b }) => [a, b]))).toBe(
      JSON.stringify(await run(['b', 'a']).then(({ a, b }) => [a, b])),
    );
  });

  it('another seed, another arrival: other ids', async () => {
    const ids: string[] = [];
    for (const seed of ['a', 'b']) {
      const sim = await simulator({ seed, responses: { script: ROUNDS } });
      for (const _ of [1, 2]) ids.push((await respond(sim, BODY)).body.id);
    }
    expect(new Set(ids).size).toBe(4);
  });
});
