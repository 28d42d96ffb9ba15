import { describe, expect, it } from 'vitest';
import type { Answer, Fault, Simulator } from '../../src/simulator/index.ts';
import { type Loose, lastAnswer, playLoop, post, postStream, ROUNDS, simulator } from './support.ts';

const answer: Answer = {
  content: [{ think: 'First this. Then that.' }, { text: 'Looking.' }, { tool: 'search', input: { to: 'LIS' } }],
};
const body: Loose = {
  model: 'claude-opus-5-5',
  max_tokens: 500,
  thinking: { type: 'adaptive', display: 'summarized' },
  messages: [{ role: 'user', content: 'Go' }],
};
const faulty = (fault: Fault) => simulator({ anthropic: { script: [{ ...answer, fault }] } });
const names = (events: Loose[]) =>
  events.map(({ type, delta }) => (type === 'content_block_delta' ? delta.type : type));

describe('a stream', () => {
  it('has the order and the shapes of the real one', async () => {
    const sim = await simulator({ anthropic: { script: [answer] } });
    const { events } = await postStream(sim, body);
    expect(names(events)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
      'content_block_start',
      'text_delta',
      'content_block_stop',
      'content_block_start',
      'input_json_delta',
      'input_json_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0].message).toMatchObject({
      role: 'assistant',
      content: [],
      stop_reason: null,
      model: 'claude-opus-5-5',
    });
    expect(events[1].content_block).toEqual({ type: 'thinking', thinking: '', signature: '' });
    expect(events[9].content_block).toMatchObject({ type: 'tool_use', name: 'search', input: {} });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use', stop_sequence: null } });
  });

  it('puts together to the very message that JSON would have been', async () => {
    const one = await simulator({ anthropic: { script: ROUNDS } });
    const { events } = await postStream(one, body);
    const content: Loose[] = [];
    for (const { type, content_block, delta } of events) {
      if (type === 'content_block_start') content.push({ ...content_block, json: '' });
      const block = content.at(-1);
      if (delta?.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta?.type === 'signature_delta') block.signature += delta.signature;
      if (delta?.type === 'text_delta') block.text += delta.text;
      if (delta?.type === 'input_json_delta') block.json += delta.partial_json;
    }
    const put = content.map(({ json, ...block }) => (json === '' ? block : { ...block, input: JSON.parse(json) }));
    const recorded = one.requests[0]?.verdict.answer as Loose;
    expect(put).toEqual(recorded.content);
  });

  it('omitted display has one empty delta, or none', async () => {
    for (const [omittedDelta, count] of [
      ['empty', 1],
      ['none', 0],
    ] as const) {
      const sim = await simulator({ anthropic: { script: [answer], conflicts: { omittedDelta } } });
      const { events } = await postStream(sim, { ...body, thinking: { type: 'adaptive' } });
      const deltas = events.filter(({ delta }) => delta?.type === 'thinking_delta');
      expect(deltas.map(({ delta }) => delta.thinking)).toEqual(Array(count).fill(''));
      expect(names(events)).toContain('signature_delta');
    }
  });

  it('estimates thinking tokens when asked', async () => {
    const sim = await simulator({ anthropic: { script: [answer] } });
    const { events } = await postStream(
      sim,
      { ...body, thinking: { type: 'adaptive' } },
      { betas: ['thinking-token-count-2026-05-13'] },
    );
    expect(events.find(({ delta }) => delta?.type === 'thinking_delta').delta.estimated_tokens).toBeGreaterThan(0);
  });
});

describe('what can go wrong on the way', () => {
  const statuses = [
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [503, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
    [413, 'request_too_large'],
    [403, 'permission_error'],
  ] as const;
  for (const [status, type] of statuses) {
    it(`status ${status}, then a retry`, async () => {
      const sim = await faulty({
        kind: 'status',
        status,
        message: 'Not now',
        times: 1,
        headers: { 'retry-after': '0' },
      });
      const first = await post(sim, body);
      expect(first.status).toBe(status);
      expect(first.body.error).toEqual({ type, message: 'Not now' });
      expect(first.headers.get('retry-after')).toBe('0');
      expect(first.verdict.fault).toBe('status');
      expect((await post(sim, body)).status).toBe(200);
    });
  }

  it('carries an error code', async () => {
    const sim = await faulty({ kind: 'status', status: 529, code: 'compaction_unavailable' });
    expect((await post(sim, body)).body.error.details).toEqual({ error_code: 'compaction_unavailable' });
  });

  it('an error event in mid-stream is the last', async () => {
    const sim = await faulty({
      kind: 'error_event',
      type: 'overloaded_error',
      message: 'Overloaded',
      at: { event: 'text_delta', when: 'after' },
    });
    const { events, broken } = await postStream(sim, body);
    expect(broken).toBe(false);
    expect(events.at(-1)).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    expect(names(events).at(-2)).toBe('text_delta');
  });

  it('a cut before the signature leaves none, after it leaves one', async () => {
    for (const [when, sealed] of [
      ['before', false],
      ['after', true],
    ] as const) {
      const sim = await faulty({ kind: 'cut', at: { event: 'signature_delta', when } });
      const { events, broken } = await postStream(sim, body);
      expect(broken).toBe(true);
      expect(names(events).includes('signature_delta')).toBe(sealed);
      expect(names(events).at(-1)).toBe(sealed ? 'signature_delta' : 'thinking_delta');
    }
  });

  it('a cut without a place is one before message_stop', async () => {
    const { events, broken } = await postStream(await faulty({ kind: 'cut' }), body);
    expect(broken).toBe(true);
    expect(names(events).at(-1)).toBe('message_delta');
  });

  it('the second of an event can be meant', async () => {
    const sim = await faulty({ kind: 'cut', at: { event: 'content_block_stop', nth: 2 } });
    const { events } = await postStream(sim, body);
    expect(names(events).filter((name) => name === 'content_block_stop')).toHaveLength(1);
    expect(names(events).at(-1)).toBe('text_delta');
  });

  it('an event of broken JSON, and the rest as it should be', async () => {
    const sim = await faulty({ kind: 'malformed', at: { event: 'text_delta' } });
    const { events } = await postStream(sim, body);
    expect(events.filter(({ type }) => type === 'malformed')).toHaveLength(1);
    expect(names(events).at(-1)).toBe('message_stop');
    expect(names(events)).not.toContain('text_delta');
  });

  it('slow pieces arrive whole', async () => {
    const sim = await faulty({ kind: 'slow', ms: 1, bytes: 64 });
    const { events } = await postStream(sim, body);
    expect(names(events).at(-1)).toBe('message_stop');
    expect((await post(sim, body)).body.content).toHaveLength(3);
  });

  it('half a JSON body, or nothing at all', async () => {
    for (const beforeHeaders of [false, true]) {
      const sim = await faulty({ kind: 'cut', beforeHeaders });
      await expect(post(sim, body)).rejects.toThrow();
      expect(sim.requests[0]?.verdict).toMatchObject({ status: 200, fault: 'cut' });
    }
  });

  it('a late answer is an answer', async () => {
    const sim = await faulty({ kind: 'late', ms: 20 });
    expect((await post(sim, body)).status).toBe(200);
  });

  it('a cut answer echoed with an empty signature poisons the history', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const next = await playLoop(sim, 'claude-opus-5-5', { rounds: 1 });
    next.messages[1].content[0].signature = '';
    expect((await post(sim, next)).status).toBe(400);
  });
});

describe('what is recorded', () => {
  it('each request with its verdict, or the verdict alone', async () => {
    for (const keepBodies of [true, false]) {
      const sim = await simulator({ keepBodies, anthropic: { script: ROUNDS } });
      const next = await playLoopOf(sim);
      const [first, second] = sim.requests;
      expect(sim.requests).toHaveLength(2);
      expect(second).toMatchObject({ index: 1, method: 'POST', path: '/v1/messages', query: 'beta=true' });
      expect(second?.headers['x-api-key']).toBe('key');
      expect(second?.verdict).toMatchObject({ status: 200, model: 'claude-opus-5-5', stopReason: 'tool_use' });
      expect(second?.verdict.shown).toEqual(['messages.1.content.0', 'messages.1.content.1']);
      expect(first?.body).toEqual(keepBodies ? { ...next, messages: next.messages.slice(0, 1) } : undefined);
      expect('answer' in (first?.verdict ?? {})).toBe(keepBodies);
    }
  });

  /** One round, then the next request, on the beta path. */
  async function playLoopOf(sim: Simulator) {
    const next = await playLoop(sim, 'claude-opus-5-5', { rounds: 1, path: '/v1/messages?beta=true' });
    await post(sim, next, { path: '/v1/messages?beta=true' });
    return next;
  }
});

describe('the same seed', () => {
  const play = async (seed: string, order: readonly number[] = [0, 1]) => {
    const sim = await simulator({ seed, now: () => 1_790_000_000_000 });
    const bytes: string[] = [];
    for (const index of order) {
      const words = ['One thing', 'Another'][index];
      const messages: Loose[] = [{ role: 'user', content: words }];
      const tools = [
        { name: 'search', input_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } },
      ];
      for (let step = 0; step < 5; step++) {
        const response = await fetch(`${sim.url}/v1/messages`, {
          method: 'POST',
          headers: { 'x-api-key': 'key' },
          body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 900, stream: step % 2 === 1, tools, messages }),
        });
        const text = await response.text();
        bytes.push(`${index} ${step} ${JSON.stringify([...response.headers])} ${text}`);
        const { content } = lastAnswer(sim);
        messages.push({ role: 'assistant', content });
        const calls = content.filter(({ type }: Loose) => type === 'tool_use');
        if (calls.length === 0) break;
        messages.push({
          role: 'user',
          content: calls.map(({ id }: Loose) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
        });
      }
    }
    return bytes;
  };

  it('gives the same bytes, in whatever order conversations come', async () => {
    const first = await play('a');
    expect(first.length).toBeGreaterThan(3);
    expect(await play('a')).toEqual(first);
    expect((await play('a', [1, 0])).sort()).toEqual([...first].sort());
    expect(await play('b')).not.toEqual(first);
  });

  it('reads the seals of another simulator, another seed does not', async () => {
    const one = await simulator({ seed: 'x', anthropic: { script: ROUNDS } });
    const body = await playLoop(one, 'claude-opus-5-5');
    expect((await post(await simulator({ seed: 'x' }), body)).verdict.shown).toHaveLength(3);
    const other = await post(await simulator({ seed: 'y' }), body);
    expect(other.body.error.message).toBe('messages.1.content.0: Invalid `signature` in `thinking` block');
  });

  it('answers the same request twice under different ids', async () => {
    const sim = await simulator();
    const [one, two] = [await post(sim, body), await post(sim, body)];
    expect(one.body.id).not.toBe(two.body.id);
    expect(one.body.content.at(-1)).toEqual(two.body.content.at(-1));
  });
});
