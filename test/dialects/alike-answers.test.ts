import { describe, expect, test } from 'vitest';
import { createLedger } from '../../src/continuity/ledger.ts';
import type { ApiName, Dialect } from '../../src/dialects/dialect.ts';
import { dialects } from '../../src/dialects/index.ts';

type Body = Record<string, unknown>;

/** One API: how an agent on it polls, and what its answers hold. */
interface Way {
  readonly api: ApiName;
  request(history: readonly Body[]): Body;
  /** An answer that says the same each time; the first one with reasoning. */
  answer(index: number): { readonly response: Body; readonly messages: readonly Body[] };
  /** What the client puts behind an answer. */
  next(index: number): Body;
  readonly task: Body;
  /** The first answer without its reasoning. */
  strip(first: readonly Body[]): readonly Body[];
}

const SAID = 'Still waiting for the depot, as far as I can see.';
const text = { type: 'text', text: SAID };

const WAYS: readonly Way[] = [
  {
    api: 'anthropic.messages',
    request: (messages) => ({ model: 'claude-opus-4-8', thinking: { type: 'adaptive' }, messages }),
    answer(index) {
      const thinking = { type: 'thinking', thinking: 'I look first.', signature: 'c2VhbC1vZi10aGUtZmlyc3Q=' };
      const content = index === 0 ? [thinking, text] : [text];
      return {
        response: { model: 'claude-opus-4-8', stop_reason: 'end_turn', content },
        messages: [{ role: 'assistant', content }],
      };
    },
    next: () => ({ role: 'user', content: 'Look again.' }),
    task: { role: 'user', content: 'Watch the depot.' },
    strip: () => [{ role: 'assistant', content: [text] }],
  },
  {
    api: 'openai.chat',
    request: (messages) => ({ model: 'kimi-k3', tools: [{ type: 'function', function: { name: 'look' } }], messages }),
    answer(index) {
      const message = {
        role: 'assistant',
        content: SAID,
        ...(index === 0 && { reasoning_content: 'I look first, and think about it.' }),
      };
      return {
        response: { model: 'kimi-k3', choices: [{ index: 0, finish_reason: 'stop', message }] },
        messages: [message],
      };
    },
    next: () => ({ role: 'user', content: 'Look again.' }),
    task: { role: 'user', content: 'Watch the depot.' },
    strip: () => [{ role: 'assistant', content: SAID }],
  },
  {
    api: 'openai.responses',
    request: (input) => ({ model: 'gpt-6.2', store: false, reasoning: { context: 'all_turns' }, input }),
    answer(index) {
      const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: SAID }] };
      const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'c2VhbC1vZi10aGUtZmlyc3Q=' };
      const output = index === 0 ? [reasoning, message] : [message];
      return {
        response: { id: `resp_${index}`, model: 'gpt-6.2', status: 'completed', output },
        messages: output,
      };
    },
    next: () => ({ role: 'user', content: 'Look again.' }),
    task: { role: 'user', content: 'Watch the depot.' },
    strip: (first) => first.slice(1),
  },
  {
    api: 'gemini.generateContent',
    request: (contents) => ({ model: 'gemini-2.5-flash', contents }),
    answer(index) {
      const seal = index === 0 ? { thoughtSignature: 'c2VhbC1vZi10aGUtZmlyc3Q=' } : {};
      const content = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, ...seal }] };
      return { response: { candidates: [{ content, finishReason: 'STOP' }] }, messages: [content] };
    },
    next: () => ({ role: 'user', parts: [{ functionResponse: { name: 'look', response: { state: 'waiting' } } }] }),
    task: { role: 'user', parts: [{ text: 'Watch the depot.' }] },
    strip: () => [{ role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }],
  },
];

/** More than the ledger tells apart by what they say. */
const STEPS = 80;

describe.each(WAYS)('$api: a run that says the same at every step', ({ api, ...way }) => {
  function poll() {
    const ledger = createLedger();
    const dialect = dialects[api] as Dialect;
    let history: readonly Body[] = [way.task];
    const runs = new Set<string>();
    let first: readonly Body[] = [];
    for (let index = 0; index < STEPS; index++) {
      const call = dialect.open({ body: way.request(history) }, ledger);
      const { response, messages } = way.answer(index);
      call?.response(structuredClone(response));
      const judgement = call?.close('completed');
      expect(judgement?.findings).toEqual([]);
      runs.add(judgement?.runId ?? '');
      if (index === 0) first = messages;
      history = [...history, ...messages, way.next(index)];
    }
    return { ledger, dialect, history, first, runs };
  }

  test('is one run, and its first answer is known at the last step', () => {
    const { ledger, dialect, history, runs } = poll();
    expect(runs.size).toBe(1);
    const last = dialect.open({ body: way.request(history) }, ledger)?.judgement();
    expect([last?.findings, last?.blocks.returned]).toEqual([[], 1]);
  });

  test('and is missed where its reasoning is gone', () => {
    const { ledger, dialect, history, first } = poll();
    const stripped = [way.task, ...way.strip(first), ...history.slice(1 + first.length)];
    const judgement = dialect.open({ body: way.request(stripped) }, ledger)?.judgement();
    expect(judgement?.findings).toMatchObject([{ kind: 'dropped', count: 1 }]);
  });
});
