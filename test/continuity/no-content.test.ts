import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { getHeapSnapshot } from 'node:v8';
import { expect, it } from 'vitest';
import { createLedger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';

/**
 * The ledger outlives the application's history, so it may hold digests only. The heap itself is asked: once the
 * messages are gone, no string of theirs is left in the process.
 */

/** Words that stand nowhere else in the process. */
const stem = randomBytes(9).toString('hex');
const marked = (what: string): string => ['mark', stem, what].join('-');
const seal = (name: string): string => Buffer.from(marked(`seal-${name}`).repeat(8)).toString('base64');

/** @returns the messages of the last request, all but the first: as a client that cuts its history holds them. */
function converse(ledger: ReturnType<typeof createLedger>): readonly object[] {
  const first = [
    { type: 'thinking', thinking: marked('thinking'), signature: seal('one') },
    { type: 'redacted_thinking', data: seal('two') },
    { type: 'text', text: marked('answer') },
    { type: 'tool_use', id: 'c1', name: 'lookup', input: { query: marked('argument') } },
  ];
  const body = (messages: readonly object[]) => ({
    model: 'claude-fable-5-1',
    system: marked('system'),
    tools: [{ name: 'lookup', description: marked('tool') }],
    messages: [{ role: 'user', content: marked('question') }, ...messages],
  });
  const result = { type: 'tool_result', tool_use_id: 'c1', content: marked('result') };
  const later = [
    { role: 'assistant', content: [{ type: 'text', text: 'And?' }] },
    { role: 'user', content: 'Go on.' },
  ];
  const opening = [
    { role: 'assistant', content: first },
    { role: 'user', content: [result] },
  ];
  for (const messages of [[], opening, [...opening, ...later]]) {
    const call = dialects['anthropic.messages']?.open({ body: body(messages) }, ledger);
    call?.response({ model: 'claude-fable-5-1', stop_reason: 'tool_use', content: first });
    call?.close('completed');
  }
  return later;
}

/** Those of the words that some string on the heap contains. They are made when the snapshot has been taken. */
async function foundOnHeap(make: () => readonly string[]): Promise<string[]> {
  const snapshot = getHeapSnapshot();
  const words = make();
  const longest = Math.max(...words.map(({ length }) => length));
  const found = new Set<string>();
  let tail = '';
  snapshot.on('data', (chunk: Buffer) => {
    const text = tail + chunk.toString('latin1');
    for (const word of words) if (text.includes(word)) found.add(word);
    tail = text.slice(-longest);
  });
  await once(snapshot, 'end');
  return [...found];
}

it('holds no text and no seal when the history, or the beginning of it, is gone', async () => {
  const ledger = createLedger();
  const later = converse(ledger);
  // What a weak reference was made to or asked for stays until the running job is over.
  await setImmediate();
  expect(ledger.size).toBeGreaterThan(0);
  // One string in the form of the others stays, so that the search is known to find what is there.
  const kept = { control: marked('control'), seal: seal('control') };
  const texts = ['control', 'thinking', 'answer', 'argument', 'system', 'tool', 'question', 'result'];
  const found = await foundOnHeap(() => [...texts.map(marked), ...['control', 'one', 'two'].map(seal)]);
  expect(found).toEqual([kept.control, kept.seal]);
  expect(later).toHaveLength(2);
});
