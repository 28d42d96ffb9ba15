import { beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from '../support/recording.ts';
import { runChild } from '../support/run-child.ts';

/** What one shape of call did to the application, and what we saw of it. */
interface ShapeReport {
  readonly outcome: unknown;
  readonly log: unknown[];
  readonly unhandled: unknown[];
  readonly requests: string[];
  readonly spans: { readonly name: string; readonly judged: boolean }[];
  readonly observed: Recorded[];
}

interface MatrixReport {
  readonly report: Readonly<Record<string, ShapeReport>>;
  readonly warnings: string[];
  readonly diagnostics: string[];
}

const VERSIONS = ['bedrock-runtime-3.840', '@aws-sdk/client-bedrock-runtime'];
const CHILD = new URL('./support/matrix-child.ts', import.meta.url).pathname;

async function matrix(sdk: string, mode: string): Promise<MatrixReport> {
  const { code, stdout, stderr } = await runChild(CHILD, [sdk, mode]);
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

/** What the application saw, without what we saw. */
const seenByApplication = ({ report, warnings, diagnostics }: MatrixReport) => ({
  warnings: warnings.map((warning) => warning.replace(/rejection id: \d+/, 'rejection id: …')),
  diagnostics,
  shapes: Object.fromEntries(
    Object.entries(report).map(([name, { outcome, log, unhandled, requests }]) => [
      name,
      { outcome, log, unhandled, requests },
    ]),
  ),
});

/** Only the garbage collector can tell that nobody will read it. */
const OPEN_ENDED = /stream: never read/;
const ENDS: readonly (readonly [pattern: RegExp, end: string])[] = [
  [
    /: (?:bad|forbidden|missing|throttled|broken|unknown)$|refused|rejection|no server|exception event|that throws$/,
    'failed',
  ],
  [/cut off$|answers itself|converse send: answered with broken/, 'failed'],
  [/break|throw inside|by hand$|abort/, 'aborted'],
  [/invoke send: answered with/, 'raw'],
];
const expectedEnd = (name: string): string =>
  name.endsWith('callback that throws')
    ? 'completed'
    : (ENDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'completed');

/** Shapes that ask a model more than once, or not at all: what fails before it is sent, or is no call that is judged. */
const CALLS: readonly (readonly [pattern: RegExp, calls: number])[] = [
  [/then, catch, finally|several at once|handlers cached/, 3],
  [/one command twice/, 2],
  [/no credentials|model missing|replaced by hand|unjudged: (?!a prompt)/, 0],
];
const expectedCalls = (name: string): number => CALLS.find(([pattern]) => pattern.test(name))?.[1] ?? 1;

describe.each(VERSIONS)('every way to call %s', (sdk) => {
  let bare: MatrixReport;
  let hooked: MatrixReport;
  let shapes: readonly (readonly [string, ShapeReport])[];
  const stepsIn = (name: string) => hooked.report[name]?.observed[0]?.steps;

  beforeAll(async () => {
    [bare, hooked] = await Promise.all([matrix(sdk, 'bare'), matrix(sdk, 'hooked')]);
    shapes = Object.entries(hooked.report);
  });

  it('gives the application the same with loader hooks, judgement and telemetry', () => {
    expect(seenByApplication(hooked)).toEqual(seenByApplication(bare));
    expect(hooked.diagnostics).toEqual([]);
  });

  it('has what is compared', () => {
    expect(shapes.length).toBeGreaterThan(120);
    expect(shapes.filter(([, { outcome }]) => JSON.stringify(outcome).includes('never came back'))).toEqual([]);
  });

  it('sees every call once, and its end exactly once, as it ended', () => {
    for (const [name, { observed }] of shapes) {
      expect(observed, name).toHaveLength(expectedCalls(name));
      for (const { ends } of observed) {
        if (OPEN_ENDED.test(name)) expect(ends.length, name).toBeLessThanOrEqual(1);
        else expect([name, ...ends]).toEqual([name, expectedEnd(name)]);
      }
    }
  });

  it('sees the body as it is sent, and its model and stream flag beside it', () => {
    let compared = 0;
    for (const [name, { observed, requests }] of shapes) {
      const [call] = observed;
      const [request] = requests;
      if (!call || !request || observed.length > 1 || requests.length > 1) continue;
      const [path = '', body = ''] = request.split('\n');
      const streams = path.endsWith('stream');
      const { modelId, model, stream, ...sent } = call.seen.body as Record<string, unknown>;
      expect(sent, name).toEqual(JSON.parse(body));
      expect(decodeURIComponent(path), name).toContain(`/model/${modelId ?? model}/`);
      expect([call.seen.stream, stream === true], name).toEqual([streams, streams]);
      expect(call.seen.api, name).toBe(path.includes('/invoke') ? 'anthropic.messages' : 'bedrock.converse');
      compared += 1;
    }
    expect(compared).toBeGreaterThan(90);
  });

  it('names the SDK, its version, the target and the platform', () => {
    const seen = hooked.report['converse send: await']?.observed[0]?.seen;
    expect(seen?.sdk.name).toBe('@aws-sdk/client-bedrock-runtime');
    expect(seen?.sdk.version).toMatch(sdk.endsWith('840') ? /^3\.840\./ : /^3\.1\d{3}\./);
    expect(seen?.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([seen?.provider, seen?.manual]).toEqual(['aws.bedrock', false]);
  });

  it('reads an error the same in every version and operation', () => {
    const message = 'messages.1.content.0.thinking.signature: Field required';
    for (const name of ['converse send', 'converse stream', 'invoke send', 'invoke stream']) {
      expect(stepsIn(`${name}: bad`), name).toEqual([`error 400 | ValidationException | - | ${message}`, 'end failed']);
      expect(stepsIn(`${name}: broken`)?.[0], name).toBe(`error 500 | InternalServerException | - | ${message}`);
    }
    for (const name of ['converse', 'invoke']) {
      expect(stepsIn(`${name} send: aborted while waiting`)).toEqual(['end aborted']);
      expect(stepsIn(`${name} stream: exception event`)?.slice(-2)).toEqual([
        'error - | ThrottlingException | - | Too many tokens',
        'end failed',
      ]);
    }
  });

  it('sees each event of a stream once', () => {
    const count = { converse: 9, invoke: 10 };
    for (const api of ['converse', 'invoke'] as const) {
      const steps = stepsIn(`${api} stream: read to the end`) ?? [];
      expect(steps.filter((step) => step.startsWith('event '))).toHaveLength(count[api]);
      for (const way of ['as a Readable', 'events changed by the reader', 'callback', 'retried twice']) {
        expect(stepsIn(`${api} stream: ${way}`), way).toEqual(steps);
      }
      expect(stepsIn(`${api} method: stream`)).toEqual(steps);
    }
  });

  it('puts one judged span on each call that asks a model', () => {
    let spansInAll = 0;
    let callsInAll = 0;
    for (const [name, { spans, observed }] of shapes) {
      // A body without messages is nothing to judge.
      const calls = name.includes('a prompt') ? 0 : observed.length;
      if (!OPEN_ENDED.test(name)) expect(spans.length, name).toBeGreaterThanOrEqual(calls);
      expect(
        spans.filter(({ judged }) => !judged),
        name,
      ).toEqual([]);
      spansInAll += spans.length;
      callsInAll += calls;
    }
    expect(spansInAll).toBeLessThanOrEqual(callsInAll);
    expect(callsInAll).toBeGreaterThan(120);
  });
});
