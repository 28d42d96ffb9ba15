import { beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from '../support/recording.ts';
import { runChild } from '../support/run-child.ts';

/** What one shape of call did to the application, and what we saw of it. */
interface ShapeReport {
  readonly outcome: unknown;
  readonly log: unknown[];
  readonly unhandled: unknown[];
  readonly said: string[];
  readonly requests: string[];
  readonly spans: { readonly name: string; readonly judged: boolean }[];
  readonly observed: Recorded[];
}

interface MatrixReport {
  readonly report: Readonly<Record<string, ShapeReport>>;
  readonly warnings: string[];
  readonly diagnostics: string[];
}

const VERSIONS = ['genai-1.0', 'genai-1.50', 'genai-2.32', '@google/genai'];
const OLDEST = 'genai-1.0';
/** A second build, with classes of its own. 1.0 is published as an ES module only. */
const REQUIRED = ['genai-1.50', '@google/genai'];

const CHILD = new URL('./support/matrix-child.ts', import.meta.url).pathname;

async function runMatrix(sdk: string, mode: string): Promise<MatrixReport> {
  const { code, stdout, stderr } = await runChild(CHILD, [sdk, mode]);
  if (code !== 0) throw new Error(`${sdk} ${mode}: exit code ${code}\n${stderr}`);
  return JSON.parse(stdout);
}

/** One child for each version and mode, some at a time: they wait more than they work. */
const AT_A_TIME = 4;
const reports = new Map<string, Promise<MatrixReport>>();
const queue = [
  ...VERSIONS.flatMap((sdk) => ['bare', 'hooked', 'client'].map((mode) => [sdk, mode] as const)),
  ...REQUIRED.flatMap((sdk) => ['required', 'required-hooked'].map((mode) => [sdk, mode] as const)),
  ['@google/genai', 'faulty'] as const,
];
for (const [index, [sdk, mode]] of queue.entries()) {
  const [before, beforeMode] = queue[index - AT_A_TIME] ?? [];
  const place = before ? reports.get(`${before} ${beforeMode}`)?.catch(() => undefined) : undefined;
  const report = Promise.resolve(place).then(() => runMatrix(sdk, mode));
  report.catch(() => undefined);
  reports.set(`${sdk} ${mode}`, report);
}

async function matrix(sdk: string, mode: string): Promise<MatrixReport> {
  const report = await reports.get(`${sdk} ${mode}`);
  if (!report) throw new Error(`${sdk} ${mode} is not run`);
  return report;
}

/** What the application saw, without what we saw. */
const seenByApplication = ({ report, warnings, diagnostics }: MatrixReport) => ({
  // Numbered by how many rejections had no handler yet at the moment at which they happened.
  warnings: warnings.map((warning) => warning.replace(/rejection id: \d+/, 'rejection id: …')),
  diagnostics,
  shapes: Object.fromEntries(
    Object.entries(report).map(([name, { outcome, log, unhandled, said, requests }]) => [
      name,
      { outcome, log, unhandled, said, requests },
    ]),
  ),
});

/** Calls whose end only the garbage collector can tell. */
const OPEN_ENDED = /never read/;

/** How the calls of a shape end, where it is not `completed`. */
const ENDS: readonly (readonly [pattern: RegExp, end: string])[] = [
  [/: (?:bad|unauthorized|missing|limited|broken|plain-error)\b|refused|rejection/, 'failed'],
  [/broken JSON|with nothing$|cut off|timeout|no server|error event|broken event|no contents/, 'failed'],
  [/break|throw inside|with next|with throw|abort/, 'aborted'],
];
/** Of two calls of a chat, one is given up. */
const MIXED = /chat: streamed, early break|answered with nothing/;
/** 1.x hands an error that comes in a stream out like a chunk, and does not look whether a signal is aborted already. */
const OLD_WAYS = /^stream: error event|generate: aborted before/;
const expectedEnd = (name: string, sdk: string): string =>
  OLD_WAYS.test(name) && sdk.startsWith('genai-1.')
    ? 'completed'
    : (ENDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'completed');

/** Shapes that ask a model more than once, or not at all. */
const CALLS: readonly (readonly [pattern: RegExp, calls: number])[] = [
  [/then, catch, finally|several at once/, 3],
  [/tools: one that throws|tools:.*early break/, 1],
  [/two rejections|^chat: two|^chat: streamed (?:twice)|^chat: streamed, early|^chat: that calls|^tools:/, 2],
  [/no params|params missing|counted|the object itself|as a stream/, 0],
];
const expectedCalls = (name: string, sdk: string): number => {
  // Before 2.2x nothing is continued.
  if (/continued/.test(name)) return sdk.startsWith('genai-1.') ? 1 : 2;
  if (sdk === 'genai-1.50' && /stored: get as a stream/.test(name)) return 1;
  if (sdk === OLDEST && /no contents/.test(name)) return 0;
  return CALLS.find(([pattern]) => pattern.test(name))?.[1] ?? 1;
};

const isAbsent = ({ outcome }: ShapeReport): boolean => JSON.stringify(outcome) === '{"value":"absent"}';
const asksModel = ({ seen: { fetches } }: Recorded): boolean => fetches === undefined;

/** A request as the wire has it, as the SDK's parameters name it. */
function asBody(request: string): Record<string, unknown> {
  const [, body = ''] = request.split(/\n(?=[\w-]+: |\{)/);
  return JSON.parse(body);
}

describe.each(VERSIONS)('every way to call %s', (sdk) => {
  let bare: MatrixReport;
  let hooked: MatrixReport;
  let client: MatrixReport;
  let shapes: readonly (readonly [string, ShapeReport])[];
  const observedIn = (name: string) => hooked.report[name]?.observed ?? [];
  const stepsIn = (name: string) => observedIn(name)[0]?.steps;

  beforeAll(async () => {
    [bare, hooked, client] = await Promise.all([matrix(sdk, 'bare'), matrix(sdk, 'hooked'), matrix(sdk, 'client')]);
    shapes = Object.entries(hooked.report).filter(([, shape]) => !isAbsent(shape));
  });

  it('gives the application the same with loader hooks, judgement and telemetry', () => {
    expect(seenByApplication(hooked)).toEqual(seenByApplication(bare));
    expect(hooked.diagnostics).toEqual([]);
  });

  it('gives the application the same with instrumentClient', () => {
    expect(seenByApplication(client)).toEqual(seenByApplication(bare));
  });

  it('has what is compared', () => {
    expect(shapes.length).toBeGreaterThan(sdk === OLDEST ? 90 : 115);
    expect(shapes.filter(([, { outcome }]) => JSON.stringify(outcome).includes('never came back'))).toEqual([]);
  });

  it('sees every request once, and its end exactly once', () => {
    for (const [name, { observed }] of shapes) {
      expect([name, observed.length]).toEqual([name, expectedCalls(name, sdk)]);
      for (const { ends } of observed) {
        if (OPEN_ENDED.test(name)) expect(ends.length, name).toBeLessThanOrEqual(1);
        else expect(ends, name).toHaveLength(1);
      }
    }
  });

  it('tells how each call ended', () => {
    for (const [name, { observed }] of shapes) {
      if (OPEN_ENDED.test(name) || MIXED.test(name)) continue;
      for (const { ends } of observed) expect([name, ...ends]).toEqual([name, expectedEnd(name, sdk)]);
    }
  });

  it('sees what is sent, and the stream flag', () => {
    let compared = 0;
    for (const [name, { observed, requests }] of shapes) {
      const [call] = observed;
      const [request = ''] = requests;
      if (!call || requests.length !== 1 || !request.startsWith('POST')) continue;
      const sent = asBody(request);
      const body = call.seen.body as Record<string, unknown>;
      if (request.includes('/interactions')) {
        expect([name, call.seen.api]).toEqual([name, 'gemini.interactions']);
        expect([name, body]).toEqual([name, sent]);
        expect(call.seen.stream, name).toBe(sent.stream === true);
      } else {
        expect([name, call.seen.api]).toEqual([name, 'gemini.generateContent']);
        expect(body.model, name).toBe('gemini-3.8-flash');
        if (!/contents as/.test(name)) expect([name, body.contents]).toEqual([name, sent.contents ?? []]);
        expect(call.seen.stream, name).toBe(request.includes(':streamGenerateContent'));
      }
      compared += 1;
    }
    expect(compared).toBeGreaterThan(sdk === OLDEST ? 70 : 90);
  });

  it('names the SDK, its version, the base URL and the platform', () => {
    const [call] = observedIn('generate: await');
    expect(call?.seen.sdk.name).toBe('@google/genai');
    expect(call?.seen.sdk.version).toMatch(
      sdk === '@google/genai' ? /^3\./ : new RegExp(`^${sdk.slice('genai-'.length)}\\.`),
    );
    expect(call?.seen.baseURL).toMatch(/\/ok\/?$/);
    expect([call?.seen.provider, call?.seen.manual]).toEqual(['gcp.gemini', false]);
    expect(observedIn('generate: Vertex AI')[0]?.seen.provider).toBe('gcp.vertex_ai');
    expect(client.report['generate: await']?.observed[0]?.seen.manual).toBe(true);
  });

  it('reads an error the same in every version and on every way', () => {
    const missing =
      'error 400 | INVALID_ARGUMENT | - | Function call is missing a thought_signature in functionCall parts. ' +
      'Additional data, function call `default_api:add` , position 2';
    const last = (name: string) => stepsIn(name)?.slice(-2);
    for (const name of ['generate: bad', 'stream: bad, by hand', 'stream: bad, with its tools', 'chat: refused'])
      expect(last(name), name).toEqual([missing, 'end failed']);
    expect(stepsIn('generate: plain-error')?.slice(-2)).toEqual([
      'error 502 | - | - | <html>bad gateway</html>',
      'end failed',
    ]);
    expect(stepsIn('generate: timeout')).toEqual(['error - | timeout | - | -', 'end failed']);
    expect(stepsIn('generate: aborted while waiting')).toEqual(['end aborted']);
    if (sdk !== OLDEST) expect(last('interactions create: bad')).toEqual([missing, 'end failed']);
  });

  it('sees each chunk of a stream once, before the application does', () => {
    const steps = [...Array(5).fill('event object'), 'end completed'];
    for (const way of ['read to the end', 'the stream itself', 'read twice', 'changed by the reader'])
      for (const mode of ['by hand', 'with its tools']) expect(stepsIn(`stream: ${way}, ${mode}`), way).toEqual(steps);
    if (sdk === OLDEST) return;
    for (const way of ['read to the end', 'the stream itself', 'tee'])
      expect(
        stepsIn(`interactions stream: ${way}`)?.filter((step) => step.startsWith('event ')),
        way,
      ).toHaveLength(8);
  });

  it('is observed the same by hook and by client', () => {
    const masked = ({ report }: MatrixReport) =>
      Object.entries(report).map(([name, { observed }]) => [
        name,
        OPEN_ENDED.test(name)
          ? []
          : observed.map(({ seen: { manual: _, baseURL, ...seen }, ...call }) => ({
              ...call,
              seen: { ...seen, path: baseURL?.replace(/^.*:\d+/, '') },
            })),
      ]);
    expect(masked(client)).toEqual(masked(hooked));
  });

  it.each(['hooked', 'client'])('puts one judged span on each call that asks a model: %s', async (mode) => {
    const { report } = await matrix(sdk, mode);
    let calls = 0;
    for (const [name, { spans, observed }] of Object.entries(report)) {
      const asked = observed.filter(asksModel).length;
      if (!OPEN_ENDED.test(name)) expect([name, spans.length]).toEqual([name, asked]);
      for (const span of spans)
        expect([name, span]).toEqual([name, { name: 'generate_content gemini-3.8-flash', judged: true }]);
      calls += asked;
    }
    expect(calls).toBeGreaterThan(sdk === OLDEST ? 90 : 115);
  });
});

describe.each(REQUIRED)('every way to call %s, loaded with require', (sdk) => {
  it('gives the application the same, and is seen the same', async () => {
    const [bare, hooked, imported] = await Promise.all([
      matrix(sdk, 'required'),
      matrix(sdk, 'required-hooked'),
      matrix(sdk, 'hooked'),
    ]);
    expect(seenByApplication(hooked)).toEqual(seenByApplication(bare));
    const seen = ({ report }: MatrixReport) =>
      Object.entries(report).map(([name, { observed }]) => [
        name,
        observed.map(({ seen: { api, stream }, steps }) => (OPEN_ENDED.test(name) ? api : [api, stream, ...steps])),
      ]);
    expect(seen(hooked)).toEqual(seen(imported));
  });
});

describe('the comparison itself', () => {
  it('notices an answer that is copied', async () => {
    const [bare, faulty] = await Promise.all([matrix('@google/genai', 'bare'), matrix('@google/genai', 'faulty')]);
    const [a, b] = [seenByApplication(bare).shapes, seenByApplication(faulty).shapes];
    const different = Object.keys(a).filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
    expect(different).toContain('generate: getters of the answer');
  });
});
