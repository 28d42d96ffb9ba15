import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { createLiveTable } from '../../src/watch/live-table.ts';
import { createRunBook, type RunBook } from '../../src/watch/run-book.ts';
import { summarise } from '../../src/watch/summary.ts';
import { callSpan } from './otlp.ts';

const layout = { colors: createColors(false), width: 90 };
const show = (book: RunBook, ...batches: Parameters<RunBook['addSpans']>[0][]): string => {
  const table = createLiveTable({
    ...layout,
    heading: (step, again) => `${step.runId.slice(0, 4)}${again ? ' again' : ''}`,
  });
  return batches.flatMap((batch) => table.rows(book.addSpans(batch))).join('\n');
};

const counts = (expected: number, returned: number, dropped: number, issued = 1, damaged = 0) => ({
  'reasoning.blocks.issued': issued,
  'reasoning.blocks.expected': expected,
  'reasoning.blocks.returned': returned,
  'reasoning.blocks.dropped': dropped,
  'reasoning.blocks.damaged': damaged,
  'reasoning.continuity':
    expected === 0 ? 'not_applicable' : returned === expected ? 'intact' : returned === 0 ? 'stripped' : 'partial',
});
const omitted = {
  'reasoning.finding.kind': 'dropped',
  'reasoning.drop.reason': 'omitted_in_cycle',
  'reasoning.finding.path': 'messages.1',
};

describe('the live table', () => {
  it('shows a run that loses its reasoning: each fault explained once, with its mend', () => {
    expect(
      show(createRunBook(), [
        callSpan(counts(0, 0, 0)),
        callSpan({ ...counts(1, 0, 1), 'reasoning.tokens.resent': 0 }, [omitted]),
        callSpan({ ...counts(2, 1, 1), 'reasoning.tokens.resent': 420 }, [{ ...omitted }]),
        callSpan({ ...counts(2, 2, 0), 'reasoning.tokens.resent': 900 }),
      ]),
    ).toMatchInlineSnapshot(`
      "aaaa
        step  model              expected  returned  dropped  damaged  re-sent
           1  claude-opus-4-8           0         0        0        0        -  · thought
           2  claude-opus-4-8           1         0        1        0        0  ✖ all lost
              why   1 reasoning block left out in the middle of a tool loop: the model cannot
                    see why it called the tool.
              do    messages.push({ role: 'assistant', content: response.content }): the whole
                    array, never a selection by type.
           3  claude-opus-4-8           2         1        1        0      420  ✖ as step 2
           4  claude-opus-4-8           2         2        0        0      900  ✔ intact"
    `);
  });

  it.each([
    ['openai', 'gpt-6.2-sol', 'input.2', 'input.push(...response.output)'],
    ['openai', 'gpt-6.2-sol', 'previous_response_id', 'input.push(...response.output)'],
    ['deepseek', 'deepseek-v4-pro', 'messages.2', 'messages.push(choices[0].message)'],
    ['openrouter', 'anthropic/claude-opus-4.8', 'messages.2', 'messages.push(choices[0].message)'],
    ['gcp.vertex_ai', 'claude-opus-4-8', 'messages.1', 'content: response.content'],
    ['aws.bedrock', 'amazon.nova-pro-v1:0', 'messages.1', 'messages.push(response.output.message)'],
    ['aws.bedrock', 'us.anthropic.claude-opus-4-8-v1:0', 'messages.1', 'Append the assistant turn whole'],
  ])('tells of %s with %s, where the finding is at %s, what to do there', (provider, model, path, mend) => {
    const span = callSpan(
      {
        ...counts(1, 0, 1),
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.response.model': model,
      },
      [{ ...omitted, 'reasoning.finding.path': path }],
    );
    expect(show(createRunBook(), [span]).replaceAll(/\s+/g, ' ')).toContain(mend);
  });

  it('shows a refusal, a switch of model and a failed assertion in words', () => {
    expect(
      show(createRunBook(), [
        callSpan(
          {
            ...counts(1, 0, 0, 0, 1),
            'reasoning.prefix.changed': 'system',
            'reasoning.rejection': 'prefix_mismatch',
            'reasoning.switch.direction': 'downgrade',
            'reasoning.switch.from': 'claude-opus-5-5',
            'reasoning.switch.to': 'claude-sonnet-5',
          },
          [{ 'reasoning.finding.kind': 'prefix_broken' }],
        ),
        callSpan({ ...counts(1, 1, 0, 0), 'reasoning.assertion': 'fail' }),
      ]),
    ).toMatchInlineSnapshot(`
      "aaaa
        step  model              expected  returned  dropped  damaged  re-sent
           1  claude-opus-4-8           1         0        0        1        -  ✖ refused
              model switched from claude-opus-5-5 to claude-sonnet-5 (downgrade)
              why   1 reasoning block no longer valid: the system prompt has changed since. The
                    provider refused the request.
              do    Leave \`system\` as it was; append the reminder to \`messages\` as { role:
                    "system" }, which then stays there.
           2  claude-opus-4-8           1         1        0        0        -  ✖ no thinking
              why   Thinking is on by the configuration, but the answer holds none.
              do    Look for a parameter, a default or a proxy that switches it off."
    `);
  });

  it('orders a batch by start time, and counts a span that is sent twice once', () => {
    const later = callSpan({ 'gen_ai.request.model': 'later' }, [], { startMs: 2 });
    const earlier = callSpan({ 'gen_ai.request.model': 'earlier' }, [], { startMs: 1 });
    const book = createRunBook();
    const models = book.addSpans([later, earlier]).map((step) => [step.number, step.model]);
    expect(models).toEqual([
      [1, 'earlier'],
      [2, 'later'],
    ]);
    expect(book.addSpans([later])).toEqual([]);
    expect(book.runs[0]?.calls).toBe(2);
  });

  it('keeps runs apart that report at the same time', () => {
    const of = (run: string) => callSpan({ 'reasoning.run.id': run });
    const lines = show(createRunBook(), [of('aaaa'), of('bbbb')], [of('aaaa')]).split('\n');
    expect(lines.filter((line) => /^(aaaa|bbbb)/.test(line))).toEqual(['aaaa', 'bbbb', 'aaaa again']);
    expect(lines.filter((line) => /^ +\d/.test(line)).map((line) => Number.parseInt(line, 10))).toEqual([1, 1, 2]);
  });

  it('leaves out spans that are no judged call, the roll-up of a tool runner among them', () => {
    const book = createRunBook();
    book.addSpans([
      { ...callSpan({}), attributes: {} },
      callSpan({ 'gen_ai.operation.name': 'invoke_agent', 'reasoning.continuity': 'intact' }),
    ]);
    expect([book.runs.length, book.otherSpans]).toEqual([0, 2]);
  });
});

describe('the summary', () => {
  const name = (run: { runId: string }) => run.runId.slice(0, 4);

  it('adds up, names the worst reason and what to do first', () => {
    const book = createRunBook();
    book.addSpans([
      callSpan({ 'reasoning.run.id': 'aaaa', ...counts(1, 0, 1), 'reasoning.tokens.resent': 5 }, [omitted]),
      callSpan({ 'reasoning.run.id': 'aaaa', ...counts(2, 0, 2) }, [{ ...omitted, 'reasoning.finding.count': 2 }]),
      callSpan({ 'reasoning.run.id': 'bbbb', ...counts(1, 0, 0, 1, 1) }, [{ 'reasoning.finding.kind': 'edited' }]),
      callSpan({ 'reasoning.run.id': 'cccc', ...counts(1, 1, 0), 'reasoning.tokens.resent': 7 }),
    ]);
    const point = (value: number, repeated: string) => ({
      metric: 'reasoning.tool_calls',
      value,
      temporality: 'cumulative' as const,
      service: 'agent',
      series: repeated,
      attributes: { 'reasoning.tool_call.repeated': repeated },
    });
    book.addPoints([point(9, 'false'), point(2, 'true')]);
    book.addPoints([point(10, 'false')]);
    expect(summarise(book, { ...layout, name }).join('\n')).toMatchInlineSnapshot(`
      "Summary
        runs              3, 2 with findings
        model calls       4
        blocks issued     4
        blocks expected   5 over all requests: 1 returned, 3 dropped, 1 damaged
        tokens re-sent    12 of reasoning (estimate)
        tool calls        12, 2 of them repeated

      ┌──────┬───────┬──────────┬──────────┬─────────┬─────────┬─────────────────────────────┐
      │ run  │ calls │ expected │ returned │ dropped │ damaged │ reason                      │
      ├──────┼───────┼──────────┼──────────┼─────────┼─────────┼─────────────────────────────┤
      │ aaaa │     2 │        3 │        0 │       3 │       0 │ left out inside a tool loop │
      │ bbbb │     1 │        1 │        0 │       0 │       1 │ changed on the way back     │
      │ cccc │     1 │        1 │        1 │       0 │       0 │ ✔                           │
      └──────┴───────┴──────────┴──────────┴─────────┴─────────┴─────────────────────────────┘

      Worst reasons
        2 requests        left out inside a tool loop (omitted_in_cycle)
        1 request         changed on the way back (edited)

      Do first
        messages.push({ role: 'assistant', content: response.content }): the whole array, never
        a selection by type."
    `);
  });

  it('says so when nothing was lost, when nothing came, and when what came was not judged', () => {
    const clean = createRunBook();
    clean.addSpans([callSpan(counts(1, 1, 0))]);
    expect(summarise(clean, { ...layout, name }).at(-1)).toContain('No reasoning was lost');
    expect(summarise(createRunBook(), { ...layout, name })).toEqual(['No model call was seen.']);
    const foreign = createRunBook();
    foreign.addSpans([{ ...callSpan({}), attributes: {} }]);
    expect(summarise(foreign, { ...layout, name })).toEqual([
      'Received 1 span, none of a judged model call: is reasoning-otel/register loaded in the program?',
    ]);
  });
});
