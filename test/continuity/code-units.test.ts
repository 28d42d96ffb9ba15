import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONG, units } from '../../src/continuity/code-units.ts';
import { digest } from '../../src/continuity/digest.ts';
import { isDerived, likenessOf } from '../../src/continuity/likeness.ts';
import { contains, joinPassages, passageOf } from '../../src/continuity/passage.ts';

/** Long texts are read another way than short ones; what comes out has to be of one kind. */

const copyOf = (text: string): string => JSON.parse(JSON.stringify(text));
const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const sizes = fc.integer({ min: LONG - 3, max: 90_000 });
const long = fc.tuple(texts, sizes).map(([text, size]) => text.repeat(Math.ceil(size / text.length)).slice(0, size));

describe('a long text', () => {
  it('has one digest, and another one when a unit of it is changed', () => {
    fc.assert(
      fc.property(long, fc.nat(), (text, at) => {
        expect(digest(copyOf(text))).toBe(digest(text));
        const place = at % text.length;
        const other = String.fromCharCode(text.charCodeAt(place) ^ 1);
        expect(digest(text.slice(0, place) + other + text.slice(place + 1))).not.toBe(digest(text));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('is the passage of its parts joined, short or long', () => {
    fc.assert(
      fc.property(long, fc.nat(), (text, at) => {
        const place = at % text.length;
        const parts = [text.slice(0, place), text.slice(place)].map(passageOf);
        expect(joinPassages(parts[0] as never, parts[1] as never)).toEqual(passageOf(text));
      }),
      { numRuns: 60, seed: 2 },
    );
  });

  it('is found inside a longer one, and known again when it is cut', () => {
    const text = Array.from({ length: 9_000 }, (_, i) => `${i * 7919} ünd ${i % 97}`).join(' ');
    expect(contains(`Before. ${text} After.`, passageOf(text))).toBe(true);
    expect(isDerived(text.slice(0, 60_000), likenessOf(text))).toBe(true);
    expect(isDerived('Something else. '.repeat(4_000), likenessOf(text))).toBe(false);
  });

  it('leaves nothing behind in the memory that it was read in', () => {
    digest('x'.repeat(40_000));
    passageOf('y'.repeat(40_000));
    likenessOf('z'.repeat(40_000));
    expect(units.every((unit) => unit === 0)).toBe(true);
  });
});
