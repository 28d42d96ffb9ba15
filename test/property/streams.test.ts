import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../dialects/anthropic-messages/blocks.ts';
import { type Cut, judge, reportOf, streamed } from '../dialects/anthropic-messages/check.ts';
import { CHECKED, KEEPS_ALL } from '../dialects/anthropic-messages/models.ts';
import { talk } from '../dialects/anthropic-messages/talk.ts';
import { bounds, callsOf, step, Writer } from './conversations.ts';

/** A stream may be cut into any pieces: what was assembled from it is what came, to the last character. */

const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));

const cutBy =
  (next: Iterator<number>): Cut =>
  (value) => {
    const pieces: string[] = [];
    for (let at = 0; at < value.length; ) {
      const size = next.next().value ?? 1;
      pieces.push(value.slice(at, at + size));
      at += size;
    }
    return pieces;
  };

describe.each([KEEPS_ALL, CHECKED])('streams on %s', (model) => {
  it('in any pieces are assembled to what came', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), sizes, (answers, pieces) => {
        const writer = new Writer();
        const client = talk(model).user(writer.question());
        for (const answer of answers) {
          const content = writer.answer(answer);
          client.answer(...content).results(...callsOf(content));
        }
        client.send();
        const cut = cutBy(pieces);
        for (const [at, judgement] of judge(client.steps.map((one) => streamed(one, cut)))) {
          expect({ at, report: reportOf(judgement) }).toEqual({ at, report: {} });
        }
      }),
      bounds(60),
    );
  });
});

it('a character lost on the way back is seen, wherever it was', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), (pieces, at) => {
      const writer = new Writer();
      const client = talk(KEEPS_ALL).user(writer.question());
      const content = writer.answer(['th', 'call']);
      client.answer(...content).results(...callsOf(content));
      const text = String(content[0]?.thinking);
      const place = at % text.length;
      const shorter = { ...content[0], thinking: text.slice(0, place) + text.slice(place + 1) } as Block;
      client.send((history) =>
        history.map((one, index) => (index === 1 ? { ...one, content: [shorter, ...content.slice(1)] } : one)),
      );
      const judged = [...judge(client.steps.map((one) => streamed(one, cutBy(pieces)))).values()];
      expect(reportOf(judged.at(-1) as (typeof judged)[number])).toEqual({ edited: 1 });
    }),
    bounds(60),
  );
});
