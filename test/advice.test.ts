import { describe, expect, it } from 'vitest';
import { adviceFor } from '../src/advice.ts';
import { DROP_REASONS, FINDING_KINDS } from '../src/continuity/vocabulary.ts';

describe('advice', () => {
  it.each([...FINDING_KINDS])('has words for the kind %s', (kind) => {
    const { key, what, mend } = adviceFor({ kind, count: 2, api: 'anthropic.messages' });
    expect(key).toBe(kind);
    expect(what).not.toContain('{');
    expect(mend).not.toBe('');
  });

  it.each([...DROP_REASONS])('has words for the reason %s', (reason) => {
    const { key, what } = adviceFor({ kind: 'dropped', reason, count: 1 });
    expect(key).toBe(reason === 'unknown' ? 'dropped' : reason);
    expect(what.startsWith('1 reasoning block ')).toBe(true);
  });

  it('is most precise where it is known what changed in front of the reasoning', () => {
    const of = (prefixChanged: string) =>
      adviceFor({ kind: 'dropped', reason: 'prefix_mismatch', count: 1, prefixChanged });
    expect(of('system').key).toBe('prefix_broken/system');
    expect(of('tools').key).toBe('prefix_broken/tools');
    expect(of('none').key).toBe('prefix_mismatch');
  });

  it('speaks of the API where that has its own way', () => {
    const fault = { kind: 'dropped', reason: 'omitted_in_cycle', count: 1 };
    expect(adviceFor({ ...fault, api: 'anthropic.messages' }).mend).toContain('response.content');
    expect(adviceFor({ ...fault, api: 'openai.responses' }).mend).toContain('response.output');
    expect(adviceFor({ ...fault, api: 'openai.chat' }).mend).toContain('choices[0].message');
    expect(adviceFor({ ...fault, api: 'gemini.generateContent' }).mend).toContain('thoughtSignature');
    expect(adviceFor({ ...fault, api: 'gemini.interactions' }).mend).toContain('previous_interaction_id');
  });

  it('tells what a helper of the SDK lost from what the application lost', () => {
    const fault = { kind: 'dropped', reason: 'omitted_in_cycle', count: 1, api: 'openai.chat' } as const;
    expect(adviceFor({ ...fault, culprit: 'sdk' }).key).toBe('dropped/sdk');
    expect(adviceFor({ ...fault, culprit: 'app' }).key).toBe('omitted_in_cycle');
    expect(adviceFor({ ...fault, kind: 'edited', reason: undefined, culprit: 'sdk' }).key).toBe('edited');
  });

  it('repeats words of a newer version as they are', () => {
    expect(adviceFor({ kind: 'vaporised', reason: 'sunshine', count: 3 }).what).toBe(
      '3 reasoning blocks: vaporised, sunshine.',
    );
    expect(adviceFor({ kind: 'constructor', count: 1 }).what).toBe('1 reasoning block: constructor.');
  });
});
