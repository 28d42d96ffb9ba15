import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { getHeapSnapshot } from 'node:v8';
import { expect, it } from 'vitest';
import { createLedger } from '../../src/continuity/ledger.ts';
import { dialects } from '../../src/dialects/index.ts';

/**
 * The ledger outlives the application's history, so it may hold digests only. The heap itself is asked: once the
 * messages are gone, no string of theirs is left in the process.
 */

/** Words that stand nowhere else; kept apart, so that the question is not its own answer. */
const stem = randomBytes(9).toString('hex');
const marked = (what: string): string => ['mark', stem, what].join('-');

function converse(ledger: ReturnType<typeof createLedger>): void {
  const seal = (name: string) => Buffer.from(marked(`seal-${name}`).repeat(8)).toString('base64');
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
  for (const messages of [
    [],
    [
      { role: 'assistant', content: first },
      { role: 'user', content: [result] },
    ],
  ]) {
    const call = dialects['anthropic.messages']?.open({ body: body(messages) }, ledger);
    call?.response({ model: 'claude-fable-5-1', stop_reason: 'tool_use', content: first });
    call?.close('completed');
  }
}

/** Whether the heap holds a string with these characters. */
async function heapHolds(wanted: string): Promise<boolean> {
  const snapshot = getHeapSnapshot();
  let found = false;
  let tail = '';
  snapshot.on('data', (chunk: Buffer) => {
    const text = tail + chunk.toString('latin1');
    found ||= text.includes(wanted);
    tail = text.slice(-wanted.length);
  });
  await once(snapshot, 'end');
  return found;
}

it('holds no text and no seal when the history is gone', async () => {
  const ledger = createLedger();
  converse(ledger);
  expect(ledger.size).toBeGreaterThan(0);
  const kept = marked('control');
  // `mark-<stem>` in any form would begin like this; the control shows that the search finds what is there.
  expect(await heapHolds([`mark-${stem}`, 'control'].join('-'))).toBe(true);
  expect(kept.length).toBeGreaterThan(0);
  for (const what of ['thinking', 'answer', 'argument', 'system', 'tool', 'question', 'result']) {
    expect(await heapHolds(`${['mark', stem].join('-')}-${what}`), what).toBe(false);
  }
});
