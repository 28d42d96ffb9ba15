import { beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from './support/recording.ts';
import { runChild, support } from './support/run-child.ts';

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

const VERSIONS = ['anthropic-0.37', 'anthropic-0.60', 'anthropic-0.137', '@anthropic-ai/sdk'];
/** Those whose own tracing makes a span of each call. */
const NATIVE = new Set(['anthropic-0.137', '@anthropic-ai/sdk']);

async function matrix(sdk: string, mode: string): Promise<MatrixReport> {
  const { code, stdout, stderr } = await runChild(support('matrix-child.ts'), [sdk, mode]);
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

/** What the application saw, without what we saw. */
const seenByApplication = ({ report, warnings }: MatrixReport) => ({
  warnings,
  shapes: Object.fromEntries(
    Object.entries(report).map(([name, { outcome, log, unhandled, requests }]) => [
      name,
      { outcome, log, unhandled, requests },
    ]),
  ),
});

type Spans = ShapeReport['spans'];
const isCallSpan = ({ name }: Spans[number]): boolean =>
  name === 'anthropic.messages.create' || name.startsWith('chat ');
const namesOfOthers = (spans: Spans): string[] => spans.filter((span) => !isCallSpan(span)).map(({ name }) => name);

const maskPort = (step: string): string => step.replace(/:\d+\//, '/');

const namesOfDifferences = (one: MatrixReport, other: MatrixReport): string[] => {
  const [a, b] = [seenByApplication(one).shapes, seenByApplication(other).shapes];
  return Object.keys(a).filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
};

/** Calls whose end only the garbage collector can tell, and one that never comes back in node-fetch. */
const OPEN_ENDED = new Set([
  'create: never awaited',
  'stream: never read',
  'helper: a listener throws',
  'create: answer cut off',
]);

/** How the calls of a shape end, where it is not `completed`. */
const ENDS: readonly (readonly [pattern: RegExp, end: string])[] = [
  [/: (?:bad|unauthorized|missing|limited|broken|plain-error)\b|refused|failure$|rejection/, 'failed'],
  [/broken JSON|cut off|timeout|no server|fetch that throws|error event|broken event/, 'failed'],
  [/break|throw inside|return inside|by hand|returned before|cancelled|abort|before any read/, 'aborted'],
  [/asResponse$|asResponse, then parsed|async post/, 'raw'],
];
const expectedEnd = (name: string): string => ENDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'completed';

describe.each(VERSIONS)('every way to call %s', (sdk) => {
  let bare: MatrixReport;
  let watched: MatrixReport;
  let client: MatrixReport;
  let hooked: MatrixReport;

  beforeAll(async () => {
    [bare, watched] = await Promise.all([matrix(sdk, 'bare'), matrix(sdk, 'watched')]);
    [client, hooked] = await Promise.all([matrix(sdk, 'client'), matrix(sdk, 'hooked')]);
  });

  it('gives the application the same under observation', () => {
    expect(seenByApplication(watched)).toEqual(seenByApplication(bare));
  });

  it('gives the application the same with instrumentClient', () => {
    expect(seenByApplication(client)).toEqual(seenByApplication(bare));
  });

  it('gives the application the same with loader hooks, judgement and telemetry', () => {
    expect(seenByApplication(hooked)).toEqual(seenByApplication(bare));
    expect(hooked.diagnostics).toEqual(bare.diagnostics);
  });

  it('sees every call, and its end exactly once', () => {
    for (const [name, { observed }] of Object.entries(watched.report)) {
      for (const { ends } of observed) {
        if (OPEN_ENDED.has(name)) expect(ends.length, name).toBeLessThanOrEqual(1);
        else expect(ends, name).toHaveLength(1);
      }
    }
  });

  it('tells how each call ended', () => {
    for (const [name, { observed, outcome }] of Object.entries(watched.report)) {
      if (OPEN_ENDED.has(name) || name.startsWith('create: several') || JSON.stringify(outcome).includes('"absent"'))
        continue;
      for (const { ends } of observed) expect([name, ...ends]).toEqual([name, expectedEnd(name)]);
    }
  });

  it('sees the body as it is sent, the stream flag and the betas', () => {
    let compared = 0;
    for (const [name, { observed, requests }] of Object.entries(watched.report)) {
      const [call] = observed;
      const [request] = requests;
      if (!call || !request || observed.length > 1 || requests.length > 1) continue;
      const [, body = '', ...headers] = request.split(/\n(?=[\w-]+: |\{)/);
      expect(call.seen.body, name).toEqual(JSON.parse(body));
      expect(call.seen.stream, name).toBe(JSON.parse(body).stream === true);
      const beta = headers.find((line) => line.startsWith('anthropic-beta: '))?.slice('anthropic-beta: '.length);
      expect(call.seen.headers?.['anthropic-beta'], name).toBe(beta);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(60);
  });

  it('names the SDK, its version, the base URL and no platform', () => {
    const call = watched.report['create: await']?.observed[0];
    expect(call?.seen.sdk.name).toBe('@anthropic-ai/sdk');
    expect(call?.seen.sdk.version).toMatch(
      sdk === '@anthropic-ai/sdk' ? /^1\./ : new RegExp(`^${sdk.slice('anthropic-'.length)}\\.`),
    );
    expect(call?.seen.baseURL).toMatch(/\/ok$/);
    expect(call?.seen.provider).toBeUndefined();
  });

  it('reads an error the same in every version', () => {
    const steps = (name: string) => watched.report[name]?.observed[0]?.steps;
    expect(steps('create: bad')).toEqual([
      'headers 400 req_01',
      'error 400 | invalid_request_error | - | messages.1.content.0: Invalid `signature` in `thinking` block',
      'end failed',
    ]);
    expect(steps('stream: broken')).toEqual([
      'headers 500 req_01',
      'error 500 | api_error | - | Internal server error',
      'end failed',
    ]);
    expect(steps('stream: error event')?.slice(-2)).toEqual([
      'error - | overloaded_error | - | Overloaded',
      'end failed',
    ]);
    expect(steps('create: retried twice')).toEqual(['headers 200 req_01', 'response message', 'end completed']);
    expect(steps('create: aborted while waiting')).toEqual(['end aborted']);
  });

  it('sees each event of a stream once, before the application does', () => {
    const steps = watched.report['stream: events changed by the reader']?.observed[0]?.steps ?? [];
    expect(steps.filter((step) => step.startsWith('event '))).toHaveLength(12);
    expect(steps.filter((step) => step === 'event mine')).toEqual([]);
    for (const name of [
      'stream: tee',
      'stream: toReadableStream',
      'stream: withResponse',
      'helper: events in order',
      'helper: iterated',
    ]) {
      expect(watched.report[name]?.observed[0]?.steps, name).toEqual(
        watched.report['stream: read to the end']?.observed[0]?.steps,
      );
    }
  });

  it('is observed the same by hook and by client', () => {
    const masked = ({ report }: MatrixReport) =>
      Object.entries(report).map(([name, { observed }]) => [
        name,
        // A subclass that the shape makes by itself is handed to nobody.
        name.startsWith('beside: subclass') || OPEN_ENDED.has(name)
          ? []
          : observed.map((call) => ({ ...call, seen: mask(call.seen), steps: call.steps.map(maskPort) })),
      ]);
    const mask = ({ manual: _, baseURL, ...seen }: Recorded['seen']) => ({
      ...seen,
      path: baseURL?.replace(/^.*:\d+/, ''),
    });
    expect(masked(client)).toEqual(masked(watched));
    expect(client.report['create: await']?.observed[0]?.seen.manual).toBe(true);
    expect(watched.report['create: await']?.observed[0]?.seen.manual).toBe(false);
  });

  it('finds the span of the SDK where it makes one', () => {
    const calls = Object.values(watched.report).flatMap(({ observed }) => observed);
    expect(calls.length).toBeGreaterThan(80);
    // Of a client that switches tracing off there is none.
    expect(calls.filter(({ nativeSpan }) => !nativeSpan).length).toBe(NATIVE.has(sdk) ? 1 : calls.length);
  });

  it('puts one judged span on each call, and makes none beside the span of the SDK', () => {
    let spansInAll = 0;
    let callsInAll = 0;
    for (const [name, { spans }] of Object.entries(hooked.report)) {
      const before = bare.report[name]?.spans ?? [];
      const native = before.filter(isCallSpan).length;
      const calls = watched.report[name]?.observed.length ?? 0;
      const judged = spans.filter((span) => isCallSpan(span) && span.judged).length;
      spansInAll += judged;
      callsInAll += calls;
      if (name.endsWith('async post')) continue;
      if (NATIVE.has(sdk)) expect([name, judged]).toEqual([name, native]);
      // What earlier shapes left unread ends whenever it is collected.
      else if (!OPEN_ENDED.has(name)) expect(judged, name).toBeGreaterThanOrEqual(calls);
      expect(namesOfOthers(spans), name).toEqual(namesOfOthers(before));
    }
    expect(spansInAll).toBeLessThanOrEqual(callsInAll);
  });
});

describe('the comparison itself', () => {
  it('notices a wrapper that awaits', async () => {
    const [bare, faulty] = await Promise.all([
      matrix('@anthropic-ai/sdk', 'bare'),
      matrix('@anthropic-ai/sdk', 'faulty'),
    ]);
    expect(namesOfDifferences(bare, faulty).length).toBeGreaterThan(30);
    expect(namesOfDifferences(bare, bare)).toEqual([]);
  });
});
