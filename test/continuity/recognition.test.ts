import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blend, digest, mix } from '../../src/continuity/digest.ts';
import { isDerived, likenessOf } from '../../src/continuity/likeness.ts';
import { contains, passageOf } from '../../src/continuity/passage.ts';
import { bounds } from '../property/conversations.ts';

/** What is kept in the place of texts and seals, and what it can still tell. */

describe('digests', () => {
  it('tell a hundred thousand different strings apart', () => {
    const seen = new Set<number>();
    for (let index = 0; index < 100_000; index += 1) seen.add(digest(`block ${index % 317} of ${index}`));
    expect(seen.size).toBe(100_000);
  });

  it('are whole numbers that JavaScript holds exactly', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(Number.isSafeInteger(digest(text))).toBe(true);
        expect(digest(text)).toBe(digest(`${text} `.slice(0, -1)));
      }),
      bounds(300),
    ));

  it('one unit changed anywhere is another digest', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 500 }),
        (text, at, by) => {
          const place = at % text.length;
          const other = String.fromCharCode((text.charCodeAt(place) + by) % 0xd800);
          expect(digest(text.slice(0, place) + other + text.slice(place + 1))).not.toBe(digest(text));
        },
      ),
      bounds(500),
    ));

  it('a chain knows its order, a blend does not', () => {
    const [a, b, c] = ['first', 'second', 'third'].map(digest) as [number, number, number];
    expect(mix(mix(0, a), b)).not.toBe(mix(mix(0, b), a));
    expect(mix(a, mix(b, c))).not.toBe(mix(mix(a, b), c));
    expect(blend(a, b)).toBe(blend(b, a));
    expect(blend(blend(a, b), c)).toBe(blend(a, blend(b, c)));
    expect(blend(a, a)).not.toBe(blend(b, b));
  });
});

describe('a damaged seal is told from an unrelated one', () => {
  const bytes = (minLength: number, maxLength: number) =>
    fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array).toString('base64'));
  /** A seal as providers make them: a header that all of them share, then bytes of its own. */
  const HEADER = Buffer.from('a header of one vendor').toString('base64').replace(/=+$/, '');
  const sealed = bytes(60, 600).map((body) => HEADER + body);

  const damages: Readonly<Record<string, (value: string, at: number) => string>> = {
    'cut at the end': (value) => value.slice(0, Math.ceil(value.length * 0.6)),
    'cut at the start': (value) => value.slice(Math.floor(value.length * 0.4)),
    'three characters changed': (value, at) => {
      const place = at % (value.length - 3);
      return `${value.slice(0, place)}~~~${value.slice(place + 3)}`;
    },
    base64url: (value) => value.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    'encoded again': (value) => Buffer.from(value).toString('base64'),
    'percent-encoded': (value) => encodeURIComponent(value),
    'with line breaks': (value) => value.replace(/(.{76})/g, '$1\r\n'),
    'with something behind': (value) => `${value}#1`,
  };

  it('cut far up, it is still told from another one of the same vendor', () => {
    const made = (of: number) => `ErUBCkYIBRgC${createHash('sha512').update(`seal ${of}`).digest('hex').repeat(4)}`;
    for (let of = 0; of < 200; of++) {
      const likeness = likenessOf(made(of));
      expect(isDerived(made(of).slice(0, 60), likeness, true)).toBe(true);
      expect(isDerived(made(of + 1).slice(0, 60), likeness, true)).toBe(false);
    }
  });

  it.each(Object.entries(damages))('%s', (_name, damage) =>
    fc.assert(
      fc.property(sealed, fc.nat(), (value, at) => {
        expect(isDerived(damage(value, at), likenessOf(value))).toBe(true);
      }),
      bounds(100),
    ),
  );

  it('another seal of the same vendor is not derived from it', () =>
    fc.assert(
      fc.property(sealed, sealed, (one, other) => {
        fc.pre(one !== other);
        // Equal bytes by chance (the generator likes runs of zeros) are no evidence against the rule.
        fc.pre(new Set(Buffer.from(other.slice(HEADER.length), 'base64')).size > 40);
        fc.pre(new Set(Buffer.from(one.slice(HEADER.length), 'base64')).size > 40);
        expect(isDerived(other, likenessOf(one))).toBe(false);
      }),
      bounds(300),
    ));

  it('a made-up value is not', () => {
    const likeness = likenessOf(`${HEADER}${Buffer.alloc(200, 'seal of long ago').toString('base64')}`);
    for (const value of [
      '',
      'x',
      'skip_thought_signature_validator',
      'fake-signature',
      '0'.repeat(64),
      HEADER.slice(0, 6),
    ]) {
      expect(isDerived(value, likeness), value).toBe(false);
    }
  });

  it('of a short seal eight characters in a row are enough; of a text they are not', () => {
    const short = Buffer.from('seal of one number').toString('base64');
    const likeness = likenessOf(short);
    for (const part of [short.slice(0, 8), short.slice(9, 17), short.slice(-8)]) {
      expect(isDerived(part, likeness, true), part).toBe(true);
      expect(isDerived(part, likeness), part).toBe(false);
    }
    expect(isDerived(short.slice(-7), likeness, true)).toBe(false);
    expect(isDerived(`${short.slice(0, 7)}x`, likeness, true)).toBe(false);
  });
});

describe('a text is found inside another', () => {
  const words = fc
    .array(fc.constantFrom('harbour', 'ledger', 'tide', 'crate', 'late', 'Ä', '漢字', '.'), {
      minLength: 3,
      maxLength: 20,
    })
    .map((list) => list.join(' '))
    // A hit of a few characters inside a longer text says nothing.
    .filter((text) => text.replaceAll(' ', '').length >= 8);

  it('wherever it stands, however it is wrapped', () =>
    fc.assert(
      fc.property(words, words, words, fc.constantFrom(' ', '\n', '\t', '  '), (text, before, after, gap) => {
        const inside = `${before}<thinking>${text.replaceAll(' ', gap)}</thinking>${after}`;
        expect(contains(inside, passageOf(text))).toBe(true);
        expect(contains(text, passageOf(text))).toBe(true);
      }),
      bounds(200),
    ));

  it('and not where a part of it is missing', () =>
    fc.assert(
      fc.property(words, (text) => {
        const missing = text.slice(0, -1);
        fc.pre(!missing.replaceAll(' ', '').includes(text.replaceAll(' ', '')));
        expect(contains(missing, passageOf(text))).toBe(false);
        expect(contains('', passageOf(text))).toBe(false);
      }),
      bounds(200),
    ));
});
