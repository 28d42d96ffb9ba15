import { describe, expect, it } from 'vitest';
import { createMemory } from '../../src/dialects/memory.ts';

const rebuilt = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const message = () => ({ role: 'user', content: [{ type: 'text', text: 'What is to be done?'.repeat(40), at: 3 }] });

function counted() {
  let reads = 0;
  const remember = createMemory((value) => {
    reads++;
    return JSON.stringify(value);
  });
  return { remember, reads: () => reads };
}

describe('what was read from an object', () => {
  it('is read once while the object stays as it is', () => {
    const { remember, reads } = counted();
    const own = message();
    expect(remember(own)).toBe(remember(own));
    expect(reads()).toBe(1);
  });

  it('is read again when a leaf, a key or the order of a list was changed in place', () => {
    for (const change of [
      (own: ReturnType<typeof message>) => Object.assign(own.content[0] as object, { text: 'Else.' }),
      (own: ReturnType<typeof message>) => Object.assign(own.content[0] as object, { more: undefined }),
      (own: ReturnType<typeof message>) => own.content.push({ type: 'text', text: '', at: 0 }),
      (own: ReturnType<typeof message>) => own.content.reverse() && Object.assign(own, { role: 'assistant' }),
    ]) {
      const { remember, reads } = counted();
      const own = message();
      remember(own);
      change(own);
      expect(remember(own)).toBe(JSON.stringify(own));
      expect(reads()).toBe(2);
    }
  });

  it('serves an equal object as well', () => {
    const { remember, reads } = counted();
    const own = message();
    const first = remember(own);
    expect(remember(rebuilt(own))).toBe(first);
    expect(remember(rebuilt(own))).toBe(first);
    expect(reads()).toBe(1);
  });

  it('never serves another object, however alike the two look from afar', () => {
    const { remember } = counted();
    const one = { text: `a${'b'.repeat(50)}c${'d'.repeat(50)}e` };
    // Length, ends and middle are the same.
    const two = { text: `a${'x'.repeat(50)}c${'y'.repeat(50)}e` };
    expect(remember(one)).toBe(JSON.stringify(one));
    expect(remember(two)).toBe(JSON.stringify(two));
    expect(remember({ other: one.text })).toBe(JSON.stringify({ other: one.text }));
    expect(remember(rebuilt(one))).toBe(JSON.stringify(one));
  });

  it('is bounded: thousands of others may have come between', () => {
    const { remember } = counted();
    const own = message();
    const first = remember(own);
    for (let i = 0; i < 5_000; i++) remember({ text: `${i}`.repeat(3) });
    expect(remember(own)).toBe(first);
    expect(remember(rebuilt(own))).toBe(JSON.stringify(own));
  });
});
