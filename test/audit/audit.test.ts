import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { type Dialects, replay } from '../../src/audit/replay.ts';
import { isFault, readTranscript } from '../../src/audit/transcript.ts';
import { dialects } from '../../src/dialects/index.ts';
import { call, om, res, th, thought, tx, user } from '../dialects/anthropic-messages/blocks.ts';
import { drop, noThinking, splice } from '../dialects/anthropic-messages/edits.ts';
import { closedLoop, openLoop } from '../dialects/anthropic-messages/loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY } from '../dialects/anthropic-messages/models.ts';
import { type Step, talk } from '../dialects/anthropic-messages/talk.ts';

/** The command as a function: files in, lines and an exit code out. */

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const save = (name: string, content: string | readonly unknown[]): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify({ steps: content }));
  return path;
};

async function run(files: string[], json = false) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await audit(files, { json, write: (line) => out.push(line), warn: (line) => err.push(line) });
  return { code, out, err };
}
/** The steps of one JSON report. */
const stepsOf = (line: string | undefined) => JSON.parse(line ?? '{}').steps;

const CLEAN = openLoop(KEEPS_ALL).send().steps;
const LOST = openLoop(KEEPS_ALL).send(noThinking).steps;
const NOTE = closedLoop(LAST_TURN_ONLY).send(noThinking).steps;
const OTHER_API = { api: 'openai.chat', request: { model: 'gpt-5.5', messages: [] } };
const OTHER_ANSWER = { api: 'openai.chat', response: { choices: [] } };

describe('exit codes', () => {
  it('0: nothing lost', async () => expect((await run([save('clean.json', CLEAN)])).code).toBe(0));
  it('0: notes at most', async () => expect((await run([save('note.json', NOTE)])).code).toBe(0));
  it('1: findings', async () => expect((await run([save('lost.json', LOST)])).code).toBe(1));
  it('2: no such file', async () => {
    const path = join(folder, 'absent.json');
    expect(await run([path])).toEqual({ code: 2, out: [], err: [`${path}: no such file`] });
  });
  it('2: a directory', async () =>
    expect(await run([folder])).toEqual({ code: 2, out: [], err: [`${folder}: is a directory, not a file`] }));
  it('2: not text', async () => {
    const path = join(folder, 'bytes.json');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    expect(await run([path])).toEqual({ code: 2, out: [], err: [`${path}: is not UTF-8 text`] });
  });
  it('a byte order mark is no fault', async () =>
    expect((await run([save('bom.json', `\uFEFF${JSON.stringify({ steps: CLEAN })}`)])).code).toBe(0));

  it('2 wins, and nothing else is lost', async () => {
    const files = [save('lost.json', LOST), save('broken.json', '{"steps": ['), save('clean.json', CLEAN)];
    const { code, out, err } = await run(files, true);
    expect(code).toBe(2);
    expect(err).toEqual([`${files[1]}: line 1, column 12: is not JSON (the text ends too early)`]);
    expect(out.map((line) => JSON.parse(line).file)).toEqual([files[0], files[2]]);
  });
});

describe('--json: one line a file', () => {
  it('has an entry for each request, in the documented shape', async () => {
    const path = save('one.json', openLoop(KEEPS_ALL).send(drop('b')).steps);
    const { out } = await run([path], true);
    expect(out).toEqual([
      JSON.stringify({
        file: path,
        steps: [
          { step: 0, verdict: 'clean', cycle: 'closed', report: {}, findings: [] },
          { step: 2, verdict: 'clean', cycle: 'open', report: {}, findings: [] },
          {
            step: 4,
            verdict: 'finding',
            cycle: 'open',
            report: { dropped: 1 },
            findings: [
              {
                kind: 'dropped',
                count: 1,
                source: 'client',
                reason: 'omitted_in_cycle',
                path: 'messages.3',
                severity: 'loss',
                certainty: 'certain',
              },
            ],
          },
        ],
      }),
    ]);
  });

  it('the report holds notes as well as findings', async () => {
    const long = closedLoop(KEEPS_ALL).answer(th('c'), th('d'), call('c3')).results('c3');
    const both = long.send((history) => splice(0, 4)(drop('c')(history))).steps;
    const { out } = await run([save('both.json', both)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ verdict: 'finding', report: { trimmed: 2, dropped: 1 } });
  });

  it('the entry takes the cycle of its worst unit', async () => {
    const mixed = closedLoop(LAST_TURN_ONLY).answer(th('c'), call('c3')).results('c3').send(noThinking).steps;
    const { out } = await run([save('mixed.json', mixed)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ verdict: 'finding', cycle: 'open', report: { dropped: 3 } });
  });
});

describe('the readable report', () => {
  it('says what was expected, returned and found, where, and what to do', async () => {
    const path = save('lost.json', LOST);
    const { out } = await run([path]);
    const text = out.join('\n');
    expect(out[0]).toBe(`${path}: 3 requests, 1 with findings`);
    expect(text).toMatch(/step 4 +finding +expected 2, returned 0, dropped 2, cycle open/);
    expect(text).toContain('at messages.1 (omitted_in_cycle, by the client, certain)');
    expect(text).toMatch(/what: .*left out/);
    expect(text).toMatch(/do: .*whole/);
  });

  it('says so where nothing was lost', async () => {
    const path = save('clean.json', CLEAN);
    expect((await run([path])).out[0]).toBe(`${path}: 3 requests, nothing lost`);
  });

  it('advises once for the same fault', async () => {
    const twice = openLoop(KEEPS_ALL).edit(noThinking).send().reply(tx('Done.')).user('Well?').send().steps;
    const { out } = await run([save('twice.json', twice)]);
    const advice = out.filter((line) => line.includes('do:'));
    expect(new Set(advice).size).toBe(advice.length);
  });

  it.each([false, true])('holds no text and no seal (json: %s)', async (json) => {
    const { out } = await run([save('lost.json', LOST)], json);
    for (const secret of [thought('a'), thought('b'), String(th('a').signature), 'Which crates']) {
      expect(out.join('\n')).not.toContain(secret);
    }
  });
});

describe('an API that this version does not read', () => {
  it('is what a table without its dialect makes of it', () => {
    const read = readTranscript({ steps: [OTHER_API, OTHER_ANSWER, ...LOST] });
    if (isFault(read)) throw new Error(read.why);
    const messagesOnly = { 'anthropic.messages': dialects['anthropic.messages'] } as Dialects;
    const { steps, problems } = replay(read, messagesOnly);
    expect(problems).toEqual(['step 0: openai.chat: not judged, this version reads anthropic.messages only']);
    expect(steps.map((step) => ('unjudged' in step ? 'unjudged' : step.judgement.verdict))).toEqual([
      'unjudged',
      'clean',
      'clean',
      'finding',
    ]);
  });
});

describe('which request an answer belongs to', () => {
  const one = openLoop(KEEPS_ALL).send(noThinking).steps;
  const two = talk(KEEPS_ALL).user('Weigh the blue crate.').answer(om('z'), call('z1')).results('z1').send().steps;
  const request = (steps: readonly Step[], at: number) => steps[at] as Step;

  it('the nearest earlier open request of its API', async () => {
    const mixed = [
      request(one, 0),
      OTHER_API,
      request(one, 1),
      OTHER_ANSWER,
      request(one, 2),
      request(one, 3),
      request(one, 4),
    ];
    const { out } = await run([save('nearest.json', mixed)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ step: 6, report: { dropped: 2 } });
  });

  it('or the one that meta.answers names: answers may arrive in any order', async () => {
    const mixed = [
      request(one, 0),
      request(two, 0),
      { ...request(one, 1), meta: { answers: 0 } },
      { ...request(two, 1), meta: { answers: 1 } },
      request(one, 2),
      request(two, 2),
      { ...request(one, 3), meta: { answers: 4 } },
      request(one, 4),
    ];
    const { out, err } = await run([save('answers.json', mixed)], true);
    expect(err).toEqual([]);
    expect(stepsOf(out[0]).map(({ step, report }: { step: number; report: object }) => [step, report])).toEqual([
      [0, {}],
      [1, {}],
      [4, {}],
      [5, {}],
      [7, { dropped: 2 }],
    ]);
  });

  it('an answer without a request is said', async () => {
    const path = save('stray.json', [request(one, 1), ...one]);
    const { code, err } = await run([path]);
    expect(code).toBe(2);
    expect(err).toEqual([`${path}: step 0: response: no earlier anthropic.messages request is waiting for an answer`]);
  });

  it('a second answer to the same request is said', async () => {
    const path = save('second.json', [request(one, 0), request(one, 1), { ...request(one, 1), meta: { answers: 0 } }]);
    expect((await run([path])).err).toEqual([`${path}: step 2: meta.answers: step 0 has its answer already`]);
  });
});

describe('streams', () => {
  const events = [
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: thought('a') } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: th('a').signature } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { ...call('c1'), input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"key":"c1"}' } },
    { type: 'content_block_stop', index: 1 },
  ];
  const first = talk(KEEPS_ALL).user('Go.').send().steps[0];
  const follow = (content: readonly object[]) => ({
    api: 'anthropic.messages',
    request: {
      model: KEEPS_ALL,
      thinking: { type: 'adaptive' },
      messages: [user('Go.'), { role: 'assistant', content }, user(res('c1'))],
    },
  });
  const answer = { model: KEEPS_ALL, stop_reason: 'tool_use', content: [th('a'), call('c1')], stream: events };

  it('without their envelope are read by the assembled result beside them', async () => {
    const steps = [first, { api: 'anthropic.messages', response: answer }, follow([call('c1')])];
    const { out } = await run([save('stream.json', steps)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ report: { dropped: 1 } });
  });

  it('win over it: they are what arrived', async () => {
    const wrong = { ...answer, content: [{ type: 'thinking', thinking: thought('a'), signature: '' }, call('c1')] };
    const steps = [first, { api: 'anthropic.messages', response: wrong }, follow([th('a'), call('c1')])];
    const { out } = await run([save('wrong.json', steps)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ report: {} });
  });

  it('that an error event ended were cut', async () => {
    const failed = [
      ...events.slice(0, 2),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ];
    const steps = [
      first,
      { api: 'anthropic.messages', response: { ...answer, stream: failed } },
      { ...follow([]), request: { model: KEEPS_ALL, messages: [user('Go.'), user('Are you there?')] } },
    ];
    const { code, out } = await run([save('failed.json', steps)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ report: {} });
    expect(code).toBe(0);
  });

  it('that were cut owe nothing for what never completed', async () => {
    const cut = { ...answer, stream: events.slice(0, 2) };
    const steps = [
      first,
      { api: 'anthropic.messages', response: cut, meta: { aborted: true } },
      { ...follow([]), request: { model: KEEPS_ALL, messages: [user('Go.'), user('Are you there?')] } },
    ];
    const { code } = await run([save('cut.json', steps)], true);
    expect(code).toBe(0);
  });
});

describe('what stands beside the wire', () => {
  it('a changed account', async () => {
    const one = talk('claude-sonnet-5-5')
      .target({ auth_fingerprint: 'first' })
      .user('Go.')
      .answer(om('a'), call('c1'))
      .results('c1')
      .target({ auth_fingerprint: 'second' })
      .send();
    const { out } = await run([save('account.json', one.steps)], true);
    expect(stepsOf(out[0]).at(-1)).toMatchObject({ report: { foreign: 1 } });
  });

  it('a refusal is named', async () => {
    const one = openLoop(CHECKED).send().fails(400, 'messages.1.content.0: bound to a different conversation');
    const { out } = await run([save('refused.json', one.steps)]);
    expect(out.join('\n')).toContain('refused (prefix_mismatch)');
  });
});

function withoutModel(step: object, request: unknown): { request?: object } {
  if (request === undefined) return step;
  const { model: _, ...body } = request as { readonly model: string };
  return { ...step, request: body };
}

describe('a recording of an API that names the model in its URL', () => {
  const question = { role: 'user', parts: [{ text: 'Which files?' }] };
  const called = {
    role: 'model',
    parts: [{ functionCall: { name: 'list', args: {} }, thoughtSignature: 'c2VhbC1vZi1vbmU=' }],
  };
  const result = { role: 'user', parts: [{ functionResponse: { name: 'list', response: { files: 2 } } }] };
  const bare = { role: 'model', parts: [{ functionCall: { name: 'list', args: {} } }] };
  const gemini = (meta: object) => [
    { api: 'gemini.generateContent', request: { contents: [question] }, meta },
    { api: 'gemini.generateContent', response: { candidates: [{ content: called, finishReason: 'STOP' }] } },
    { api: 'gemini.generateContent', request: { contents: [question, bare, result] }, meta },
  ];

  it.each([
    ['gemini.generateContent', 'gemini-3.1-pro-preview', gemini({})],
    ['anthropic.messages', KEEPS_ALL, LOST.map(({ request, ...step }) => withoutModel(step, request))],
  ])('%s: is judged as with the model in the body', async (_, model, steps) => {
    const asked = steps.map((step) => ('request' in step ? { ...step, meta: { model } } : step));
    const inBody = steps.map((step) => ('request' in step ? { ...step, request: { model, ...step.request } } : step));
    const { code, out, err } = await run([save('url.json', asked)], true);
    expect([code, err]).toEqual([1, []]);
    expect(stepsOf(out[0]).at(-1).report.dropped).toBeGreaterThan(0);
    expect(stepsOf(out[0])).toEqual(stepsOf((await run([save('body.json', inBody)], true)).out[0]));
  });

  it.each([
    ['gemini.generateContent', gemini({}).slice(0, 1), 'model'],
    ['bedrock.converse', [{ api: 'bedrock.converse', request: { messages: [] } }], 'modelId'],
  ])('%s: says where to put it', async (_, steps, member) => {
    const file = save('no-model.json', steps);
    const { code, err } = await run([file]);
    expect(code).toBe(2);
    expect(err).toEqual([
      `${file}: step 0: request.${member} is missing; where it is the URL that names the model, put it into meta.model`,
    ]);
  });
});
