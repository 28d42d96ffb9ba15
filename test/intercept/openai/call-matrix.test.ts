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

const VERSIONS = ['openai-4.87', 'openai-4.104', 'openai-5.23', 'openai-6.49', 'openai'];
/** Versions that the other instrumentation takes. */
const SHARED = VERSIONS.filter((sdk) => sdk !== 'openai');
/** Versions with a WebSocket, and with beta Responses. */
const NEWER = new Set(['openai-6.49', 'openai']);

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
  ...VERSIONS.flatMap((sdk) => ['bare', 'hooked'].map((mode) => [sdk, mode] as const)),
  ...SHARED.flatMap((sdk) => ['theirs', 'both'].map((mode) => [sdk, mode] as const)),
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
    Object.entries(report).map(([name, { outcome, log, unhandled, requests }]) => [
      name,
      { outcome, log, unhandled, requests },
    ]),
  ),
});

/** Calls whose end only the garbage collector can tell. */
const OPEN_ENDED = /create: never awaited|stream: never read|a listener throws/;

/** How the calls of a shape end, where it is not `completed`. */
const ENDS: readonly (readonly [pattern: RegExp, end: string])[] = [
  [/socket (?:refused|cut off)|websocket/, 'failed'],
  [
    /: (?:bad|unauthorized|missing|limited|broken|plain-error)$|refused|failure$|rejection|parse: never awaited/,
    'failed',
  ],
  [/broken JSON|cut off$|timeout|no server|fetch that throws|error event|broken event/, 'failed'],
  [/break|throw inside|by hand$|cancelled|abort|before any read|closed before/, 'aborted'],
  [/asResponse$|asResponse, then parsed/, 'raw'],
];
/**
 * Shapes of several calls that do not all end alike, one that is refused by this side, and one that older SDKs hand out as
 * any other event.
 */
const MIXED = /several at once|connected again|params missing|responses stream: error event/;
const expectedEnd = (name: string): string =>
  name.startsWith('socket a message')
    ? 'completed'
    : (ENDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'completed');

/** Shapes that ask a model more than once, or not at all. */
const CALLS: readonly (readonly [pattern: RegExp, calls: number])[] = [
  [/then, catch, finally|several at once/, 3],
  [/two rejections|runTools: (?:to the end|streamed)|Azure/, 2],
  [/stored: input items|conversations|post by hand|input tokens/, 0],
  [/socket (?:sent in turn|two in one|steered)|connected again/, 2],
  [/socket lanes/, 3],
  [/socket (?:sent when|no server|what an application)/, 0],
];
const expectedCalls = (name: string): number => CALLS.find(([pattern]) => pattern.test(name))?.[1] ?? 1;

const isAbsent = ({ outcome }: ShapeReport): boolean => JSON.stringify(outcome) === '{"value":"absent"}';
/** Up to 4.9x the helper `stream({ response_id })` sends as a request what it is given. */
const asksModel = ({ seen: { body } }: Recorded): boolean =>
  typeof body === 'object' && body !== null && ('input' in body || 'messages' in body);

const isSpanOfCall = ({ name }: ShapeReport['spans'][number]): boolean => name.startsWith('chat ');

describe.each(VERSIONS)('every way to call %s', (sdk) => {
  let bare: MatrixReport;
  let hooked: MatrixReport;
  let shapes: readonly (readonly [string, ShapeReport])[];
  const observedIn = (name: string) => hooked.report[name]?.observed ?? [];
  const stepsIn = (name: string) => observedIn(name)[0]?.steps;

  beforeAll(async () => {
    [bare, hooked] = await Promise.all([matrix(sdk, 'bare'), matrix(sdk, 'hooked')]);
    shapes = Object.entries(hooked.report).filter(([, shape]) => !isAbsent(shape));
  });

  it('gives the application the same with loader hooks, judgement and telemetry', () => {
    expect(seenByApplication(hooked)).toEqual(seenByApplication(bare));
    expect(hooked.diagnostics).toEqual([]);
  });

  it('has what is compared', () => {
    expect(shapes.length).toBeGreaterThan(NEWER.has(sdk) ? 210 : 175);
    expect(shapes.filter(([, { outcome }]) => JSON.stringify(outcome).includes('never came back'))).toEqual([]);
  });

  it('sees every call once, and its end exactly once', () => {
    for (const [name, { observed }] of shapes) {
      // In openai 7 this one fails later, and has been handed on by then.
      if (name.includes('params missing')) continue;
      if (name.includes('tool runner')) expect(observed, name).toHaveLength(4);
      else expect(observed, name).toHaveLength(expectedCalls(name));
      for (const { ends } of observed) {
        if (OPEN_ENDED.test(name)) expect(ends.length, name).toBeLessThanOrEqual(1);
        else expect(ends, name).toHaveLength(1);
      }
    }
  });

  it('tells how each call ended', () => {
    for (const [name, { observed }] of shapes) {
      if (OPEN_ENDED.test(name) || MIXED.test(name)) continue;
      for (const { ends } of observed) expect([name, ...ends]).toEqual([name, expectedEnd(name)]);
    }
  });

  it('sees the body as it is sent, the stream flag and the betas', () => {
    let compared = 0;
    for (const [name, { observed, requests }] of shapes) {
      const [call] = observed;
      const [request] = requests;
      if (!call || !request || observed.length > 1 || requests.length > 1) continue;
      const [line = '', body = '', ...headers] = request.split(/\n(?=[\w-]+: |\{)/);
      if (line.startsWith('GET')) {
        expect([call.seen.body, call.seen.fetches], name).toEqual([undefined, 'resp_01']);
        continue;
      }
      expect(call.seen.body, name).toEqual(JSON.parse(body));
      expect(call.seen.stream, name).toBe(line.startsWith('WS') || JSON.parse(body).stream === true);
      expect(call.seen.api, name).toBe(line.includes('/chat/completions') ? 'openai.chat' : 'openai.responses');
      const beta = headers.find((one) => one.startsWith('openai-beta: '))?.slice('openai-beta: '.length);
      expect(call.seen.headers?.['openai-beta'], name).toBe(beta);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(NEWER.has(sdk) ? 140 : 120);
  });

  it('names the SDK, its version and the base URL, and the platform where there is one', () => {
    const [call] = observedIn('responses create: await');
    expect(call?.seen.sdk.name).toBe('openai');
    expect(call?.seen.sdk.version).toMatch(
      sdk === 'openai' ? /^7\./ : new RegExp(`^${sdk.slice('openai-'.length)}\\.`),
    );
    expect(call?.seen.baseURL).toMatch(/\/ok$/);
    expect([call?.seen.provider, call?.seen.manual]).toEqual([undefined, false]);
    expect(observedIn('responses beside: Azure').map(({ seen }) => [seen.api, seen.provider])).toEqual([
      ['openai.responses', 'azure.ai.openai'],
      ['openai.chat', 'azure.ai.openai'],
    ]);
  });

  it('reads an error the same in every version', () => {
    for (const api of ['chat', 'responses']) {
      expect(stepsIn(`${api} create: bad`)).toEqual([
        'headers 400 req_01',
        'error 400 | invalid_request_error | invalid_encrypted_content | The encrypted content could not be verified.',
        'end failed',
      ]);
      expect(stepsIn(`${api} stream: broken`)).toEqual([
        'headers 500 req_01',
        'error 500 | server_error | - | Internal server error',
        'end failed',
      ]);
      expect(stepsIn(`${api} create: retried twice`)?.[0]).toBe('headers 200 req_01');
      expect(stepsIn(`${api} create: aborted while waiting`)).toEqual(['end aborted']);
    }
    expect(stepsIn('chat stream: error event')?.slice(-2)).toEqual([
      'error - | server_error | - | The server had an error',
      'end failed',
    ]);
  });

  it('sees each event of a stream once, before the application does', () => {
    const steps = {
      chat: ['headers 200 req_01', ...Array(7).fill('event chat.completion.chunk'), 'end completed'],
      responses: stepsIn('responses stream: read to the end') ?? [],
    };
    expect(steps.responses.filter((step) => step.startsWith('event response.'))).toHaveLength(10);
    for (const api of ['chat', 'responses'] as const) {
      for (const way of ['read to the end', 'tee', 'toReadableStream', 'withResponse', 'events changed by the reader'])
        expect(stepsIn(`${api} stream: ${way}`), way).toEqual(steps[api]);
      for (const way of ['events in order', 'iterated']) expect(stepsIn(`${api} helper: ${way}`)).toEqual(steps[api]);
    }
  });

  it('puts one judged span on each call that asks a model', () => {
    let spansInAll = 0;
    let callsInAll = 0;
    for (const [name, { spans, observed }] of shapes) {
      const calls = observed.filter(asksModel).length;
      const judged = spans.filter((span) => isSpanOfCall(span) && span.judged).length;
      // What earlier shapes left unread ends whenever it is collected.
      if (!OPEN_ENDED.test(name)) expect(judged, name).toBeGreaterThanOrEqual(calls);
      expect(judged, name).toBe(spans.length);
      spansInAll += judged;
      callsInAll += calls;
    }
    expect(spansInAll).toBeLessThanOrEqual(callsInAll);
    expect(callsInAll).toBeGreaterThan(150);
  });
});

describe.each(SHARED)('every way to call %s beside another instrumentation', (sdk) => {
  let theirs: MatrixReport;
  let both: MatrixReport;
  beforeAll(async () => {
    [theirs, both] = await Promise.all([matrix(sdk, 'theirs'), matrix(sdk, 'both')]);
  });

  it('gives the application what it has with theirs alone', () => {
    expect(seenByApplication(both)).toEqual(seenByApplication(theirs));
  });

  it('judges on their span where they make one, and makes none beside it', () => {
    let shared = 0;
    for (const [name, { spans, observed }] of Object.entries(both.report)) {
      const before = theirs.report[name]?.spans ?? [];
      const calls = observed.filter(asksModel).length;
      if (calls === observed.length) expect(spans.filter(({ judged }) => !judged).length, name).toBe(0);
      expect(spans.length, name).toBeGreaterThanOrEqual(before.length);
      // A span that they never end is none, also with us.
      expect(spans.length, name).toBeLessThanOrEqual(Math.max(calls, before.length));
      shared += Math.min(before.length, calls);
    }
    expect(shared).toBeGreaterThan(90);
  });
});

describe('the comparison itself', () => {
  it('notices what the other instrumentation changes', async () => {
    const [bare, theirs] = await Promise.all([matrix('openai-6.49', 'bare'), matrix('openai-6.49', 'theirs')]);
    const [without, with_] = [seenByApplication(bare).shapes, seenByApplication(theirs).shapes];
    const different = Object.keys(with_).filter(
      (name) => JSON.stringify(without[name]) !== JSON.stringify(with_[name]),
    );
    // A second consumer of the promise, which reads the body; a stream's promise that lost its methods.
    expect(different).toEqual(
      expect.arrayContaining([
        'chat create: asResponse',
        'chat create: rejection never awaited',
        'chat parse: await',
        'responses parse: await',
        'responses stream: withResponse',
      ]),
    );
    expect(different.length).toBeLessThan(Object.keys(with_).length / 2);
  });
});
