import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { terminalPicture } from '../../scripts/terminal-picture.ts';

const colors = createColors(true);
const spans = (text: string): (string | undefined)[][] =>
  [
    ...terminalPicture(text, 'title').matchAll(
      /<tspan x="([\d.]+)" textLength="[\d.]+"(?: class="([\w ]+)")?>([^<]*)</g,
    ),
  ].map(([, x, style, words]) => [x, style, words]);

describe('the picture of a terminal', () => {
  it('keeps colours, also nested ones and those that go on in the next line', () => {
    expect(spans(`${colors.red(colors.bold('a'))} b ${colors.dim('c\nd')}e`)).toEqual([
      ['22', 'red bold', 'a'],
      ['38.86', undefined, 'b'],
      ['55.72', 'dim', 'c'],
      ['22', 'dim', 'd'],
      ['30.43', undefined, 'e'],
    ]);
  });

  it('places columns by themselves, so that they line up in any font', () => {
    expect(spans('one two   three').map(([x, , words]) => [x, words])).toEqual([
      ['22', 'one two'],
      ['106.3', 'three'],
    ]);
  });

  it('escapes what XML reserves', () => {
    expect(spans('<a> & b')).toEqual([['22', undefined, '&lt;a&gt; &amp; b']]);
  });
});
