import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createColors } from 'picocolors';
import { beforeAll, describe, expect, it } from 'vitest';
import { runDemo } from '../../demo/demo.ts';
import { HARNESSES } from '../../demo/manifest.ts';
import { startReceiver } from '../../src/watch/receiver.ts';
import { createRunBook, type RunBook } from '../../src/watch/run-book.ts';
import type { Step } from '../../src/watch/step.ts';

/** One run of the whole demo; every test reads what its receiver saw. */
let book: RunBook;
let lines: string[];
const steps = new Map<string, Step[]>();

beforeAll(async () => {
  lines = [];
  book = await runDemo({
    harnesses: HARNESSES,
    layout: { colors: createColors(false), width: 100 },
    env: process.env,
    print: (line) => lines.push(line),
    onStep: (step) => steps.set(step.service, [...(steps.get(step.service) ?? []), step]),
  });
});

const stepsOf = (name: string): Step[] => steps.get(`demo-${name}`) ?? [];
const unique = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values)].filter((value) => value !== undefined).sort();

describe.each(HARNESSES)('the demo of $name', (harness) => {
  it('shows what is known to be wrong with it, and nothing else', () => {
    const findings = stepsOf(harness.name).flatMap((step) => step.findings);
    expect({
      losses: unique(findings.filter(({ loss }) => loss).map(({ kind }) => kind)),
      notes: unique(findings.filter(({ loss }) => !loss).map(({ kind }) => kind)),
      reasons: unique(findings.filter(({ loss }) => loss).map(({ reason }) => reason)),
      refused: unique(stepsOf(harness.name).map(({ rejection }) => rejection)),
      carries: (book.resentClosed(`demo-${harness.name}`) ?? 0) > 0,
    }).toEqual({
      losses: [...harness.losses],
      notes: [...(harness.notes ?? [])],
      reasons: [...(harness.reasons ?? [])],
      refused: harness.refused ? [harness.refused] : [],
      carries: harness.carries ?? false,
    });
  });

  it('counts its calls and blocks', () => {
    const all = stepsOf(harness.name);
    const sum = (of: (step: Step) => number): number => all.reduce((total, step) => total + of(step), 0);
    const { expected, returned, dropped, damaged } = {
      expected: sum((step) => step.expected),
      returned: sum((step) => step.returned),
      dropped: sum((step) => step.dropped),
      damaged: sum((step) => step.damaged),
    };
    expect([all.length, expected, returned, dropped, damaged]).toEqual([...harness.totals]);
    expect(new Set(all.map(({ runId }) => runId)).size).toBe(1);
  });
});

describe('the demo', () => {
  it('shows each loop under its title, in order, and closes with a summary', () => {
    const titles = lines.filter((line) => line.startsWith('● '));
    expect(titles).toEqual(HARNESSES.map(({ name, title }) => `● ${name}  ${title}`));
    const broken = HARNESSES.filter(({ losses }) => losses.length > 0).length;
    const said = new RegExp(`runs +${HARNESSES.length}, ${broken} with findings`);
    expect(lines.slice(lines.indexOf('Summary')).join('\n')).toMatch(said);
  });

  it('makes the model repeat tool calls where its reasoning is lost, and only there', () => {
    expect(book.toolCalls('demo-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-filter-by-type')).toEqual({ calls: 8, repeated: 4 });
    expect(book.toolCalls('demo-responses-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-responses-filtered')).toEqual({ calls: 8, repeated: 4 });
    expect(book.toolCalls('demo-responses-chain-restarted')).toEqual({ calls: 6, repeated: 2 });
    expect(book.toolCalls('demo-responses-tools-changed')).toEqual({ calls: 5, repeated: 1 });
    expect(book.toolCalls('demo-chat-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-gemini-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-gemini-automatic')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-gemini-bypass')).toEqual({ calls: 8, repeated: 4 });
    expect(book.toolCalls('demo-gemini-thinking-off')).toEqual({ calls: 8, repeated: 4 });
    expect(book.toolCalls('demo-interactions-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-interactions-restarted')).toEqual({ calls: 6, repeated: 2 });
    expect(book.toolCalls('demo-bedrock-healthy')).toEqual({ calls: 4, repeated: 0 });
    expect(book.toolCalls('demo-bedrock-filtered')).toEqual({ calls: 8, repeated: 4 });
  });

  it('tells of each API how to mend it there', () => {
    const shown = (name: string): string => {
      const from = lines.findIndex((line) => line.startsWith(`● ${name} `));
      const length = lines.slice(from + 1).findIndex((line) => line.startsWith('● ') || line === 'Summary');
      return lines
        .slice(from, from + 1 + length)
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    };
    expect(shown('filter-by-type')).toContain("messages.push({ role: 'assistant', content: response.content })");
    expect(shown('responses-filtered')).toContain('input.push(...response.output)');
    expect(shown('responses-added-event')).toContain('response.output_item.done');
    expect(shown('responses-tools-changed')).toContain('`allowed_tools`');
    expect(shown('chat-run-tools')).toContain('left out by a helper of the SDK');
    expect(shown('gemini-rebuilt')).toContain('`thoughtSignature` stands beside `functionCall`');
    expect(shown('gemini-rebuilt')).toContain('ended 400 Function call is missing a thought_signature');
    expect(shown('gemini-stream-joined')).toContain('the part that it came with');
    expect(shown('gemini-bypass')).toContain('the documented bypass');
    expect(shown('interactions-restarted')).toContain('`previous_interaction_id`');
    expect(shown('bedrock-nova-carried')).toContain('Leave `reasoningContent` out');
    expect(shown('bedrock-nova-carried')).toContain('ended User messages cannot contain reasoning content');
  });

  it('sends to the collector that the environment names', async () => {
    const received = createRunBook();
    const collector = await startReceiver({
      port: 0,
      onSpans: (spans) => received.addSpans(spans),
      onPoints: () => {},
      onRefusal: () => {},
    });
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../demo/demo.ts', import.meta.url)), 'healthy'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
    });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    await collector.close();
    expect(code).toBe(0);
    expect(said).toContain(`Sending to ${collector.url}`);
    expect(received.runs.map(({ service, calls }) => [service, calls])).toEqual([['demo-healthy', 4]]);
  });
});
