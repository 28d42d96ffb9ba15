import { describe, expect, it } from 'vitest';
import { type Loose, simulator } from '../support.ts';
import { ask, callsIn, model, playLoop, ROUNDS, resultsFor, say, signedIn, TOOLS, user } from './support.ts';

const STRICT = 'gemini-3-pro-preview';
const KEEPS = 'gemini-3.8-flash';
const ADVISORY = 'gemini-2.5-flash';
const BYPASS = 'skip_thought_signature_validator';
const scripted = (gemini: Loose = {}) => simulator({ gemini: { script: ROUNDS, ...gemini } });
const bare = ({ thoughtSignature: _, ...part }: Loose): Loose => part;

describe('what is signed', () => {
  it('the first call of each step, its parallel siblings not', async () => {
    const body = await playLoop(await scripted(), KEEPS, { rounds: 4 });
    expect(callsIn(body).map((part) => 'thoughtSignature' in part)).toEqual([true, true, false, true]);
    const [first, answer] = [body.contents[1], body.contents.at(-1)];
    expect(first.parts.map((part: Loose) => 'thoughtSignature' in part)).toEqual([false, true]);
    expect(answer.parts).toEqual([{ text: 'Booked.', thoughtSignature: expect.stringMatching(/^E/) }]);
  });

  it('on Gemini 2.5 the first part of any type, with thinking and tools', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, ADVISORY, { rounds: 1 });
    expect(body.contents[1].parts.map((part: Loose) => 'thoughtSignature' in part)).toEqual([true, false]);
    expect(body.contents[1].parts[0].thoughtSignature).toMatch(/^C/);
    const off = { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
    expect(signedIn(await playLoop(sim, ADVISORY, { rounds: 2, body: off }))).toEqual([]);
    const plain = await ask(sim, { model: ADVISORY, contents: [say('Hello.')] });
    expect(plain.parts.some((part) => 'thoughtSignature' in part)).toBe(false);
  });

  it('every image of an image model, and the first part', async () => {
    const image = { block: { inlineData: { mimeType: 'image/png', data: 'AAAA' } } };
    const sim = await simulator({
      gemini: { script: [{ content: [{ think: 'A view.' }, { text: 'Here.' }, image, { text: 'And.' }, image] }] },
    });
    const { parts } = await ask(sim, { model: 'gemini-3-pro-image-preview', contents: [say('Draw.')] });
    expect(parts.map((part) => 'thoughtSignature' in part)).toEqual([true, true, false, true]);
    const contents = [say('Draw.'), model(...parts.map(bare)), say('Again.')];
    const again = await ask(sim, { model: 'gemini-3-pro-image-preview', contents });
    expect(again.body.error.message).toMatch(/^Image part is missing a thought_signature in content position 2, part/);
  });

  it('an answer that the server left unsigned is refused when it comes back', async () => {
    const sim = await simulator({ gemini: { script: [{ content: [{ tool: 'search', unsigned: true }] }] } });
    const body = await playLoop(sim, KEEPS, { rounds: 1 });
    expect((await ask(sim, body)).body.error.message).toMatch(/is missing a thought_signature/);
  });
});

describe('a missing signature', () => {
  it.each(['developer', 'vertex'] as const)(
    'on the first call of a step of the current turn is refused: %s',
    async (host) => {
      const sim = await scripted();
      const body = await playLoop(sim, STRICT, { rounds: 2, host });
      delete callsIn(body)[1].thoughtSignature;
      const sent = await ask(sim, body, { host });
      expect(sent.body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
      expect(sent.body.error.message).toContain(
        host === 'vertex'
          ? 'Unable to submit request because function call `search` in the 4. content block is missing a `thought_signature`'
          : 'Additional data, function call `default_api:search` , position 4.',
      );
      expect(sent.verdict).toMatchObject({ status: 400, error: { type: 'INVALID_ARGUMENT' } });
    },
  );

  it('is not looked at in earlier turns, on text, and on Gemini 2.5', async () => {
    const sim = await scripted();
    for (const name of [STRICT, KEEPS]) {
      const body = await playLoop(sim, name, { rounds: 4 });
      body.contents = [
        ...body.contents.map(({ role, parts }: Loose) => ({ role, parts: parts.map(bare) })),
        say('Next.'),
      ];
      expect((await ask(sim, body)).verdict).toMatchObject({ status: 200, shown: [] });
    }
    const body = await playLoop(sim, ADVISORY, { rounds: 3 });
    for (const part of signedIn(body)) delete part.thoughtSignature;
    expect((await ask(sim, body)).verdict).toMatchObject({ status: 200, shown: [] });
  });

  it('may be a finish reason instead of an error', async () => {
    const sim = await scripted({ conflicts: { missingSignature: 'finish_reason' } });
    const body = await playLoop(sim, STRICT, { rounds: 1 });
    delete signedIn(body)[0].thoughtSignature;
    const { body: answer, verdict } = await ask(sim, body);
    expect(answer.candidates).toEqual([
      { content: { role: 'model' }, finishReason: 'MISSING_THOUGHT_SIGNATURE', index: 0 },
    ]);
    expect(verdict).toMatchObject({ status: 200, stopReason: 'MISSING_THOUGHT_SIGNATURE' });
  });
});

describe('a signature that is not what was issued', () => {
  const second = async (change: (part: Loose, body: Loose) => void, name = KEEPS, conflicts: Loose = {}) => {
    const sim = await scripted({ conflicts });
    const body = await playLoop(sim, name, { rounds: 2 });
    change(signedIn(body)[1], body);
    return ask(sim, body);
  };

  it('altered, cut, invented: refused, or passed over', async () => {
    const changes: ((token: string) => string)[] = [
      (token) => token.slice(0, 80),
      (token) => `${token.slice(0, 60)}xyz${token.slice(63)}`,
      () => Buffer.from('of nobody').toString('base64'),
    ];
    for (const change of changes) {
      const edit = (part: Loose) => Object.assign(part, { thoughtSignature: change(part.thoughtSignature) });
      expect((await second(edit)).body.error.message).toBe('Corrupted thought signature.');
      const lenient = await second(edit, KEEPS, { alteredSignature: 'drop' });
      expect(lenient.verdict.dropped).toEqual([{ path: 'contents.3.parts.0', reason: 'corrupted' }]);
      expect(lenient.verdict.shown).toEqual(['contents.1.parts.1']);
    }
    const { body } = await second((part) => Object.assign(part, { thoughtSignature: 'not base64!' }));
    expect(body.error.message).toMatch(
      /^Invalid value at 'contents\[3\]\.parts\[0\]\.thought_signature' \(TYPE_BYTES\), Base64 decoding/,
    );
  });

  it('a placeholder is let through, and the reasoning is gone', async () => {
    for (const value of [BYPASS, 'context_engineering_is_the_way_to_go', Buffer.from(BYPASS).toString('base64')]) {
      const { verdict } = await second((part) => Object.assign(part, { thoughtSignature: value }));
      expect(verdict.allowed).toEqual([{ path: 'contents.3.parts.0', reason: 'placeholder' }]);
      expect(verdict.shown).toEqual(['contents.1.parts.1']);
    }
    const onText = await second((_, body) => {
      body.contents[1].parts[0] = { text: '', thoughtSignature: BYPASS };
    });
    expect(onText.body.error.message).toBe('Request contains an invalid argument.');
  });

  it('moved or copied goes unnoticed, unless bound to its part', async () => {
    const move = (part: Loose, body: Loose) => {
      body.contents[3].parts[1].thoughtSignature = part.thoughtSignature;
      part.thoughtSignature = BYPASS;
    };
    const copyOn = (part: Loose, body: Loose) => {
      body.contents[3].parts[1].thoughtSignature = part.thoughtSignature;
    };
    expect((await second(move)).verdict.allowed).toContainEqual({ path: 'contents.3.parts.1', reason: 'misplaced' });
    expect((await second(copyOn)).verdict.allowed).toEqual([{ path: 'contents.3.parts.1', reason: 'duplicated' }]);
    const rename = (part: Loose) => Object.assign(part.functionCall.args, { to: 'elsewhere' });
    expect((await second(rename)).verdict.allowed).toEqual([{ path: 'contents.3.parts.0', reason: 'edited' }]);
    expect((await second(rename, KEEPS, { boundTo: 'part' })).status).toBe(400);
  });

  it('of another model, project or host', async () => {
    const sim = await scripted({ projects: { other: {} } });
    const body = await playLoop(sim, KEEPS, { rounds: 2 });
    expect((await ask(sim, { ...body, model: 'gemini-3.7-flash' })).status).toBe(400);
    expect((await ask(sim, body, { key: 'other' })).status).toBe(400);
    expect((await ask(sim, body, { host: 'vertex' })).body.error.message).toMatch(/Thought signature is not valid/);
    const open = await scripted({ conflicts: 'lenient' });
    expect((await ask(open, { ...body, model: 'gemini-3.7-flash' })).verdict.shown).toHaveLength(2);
    // The alias answers under the name that it is routed to, and so do its signatures.
    const alias = await playLoop(sim, 'gemini-3.5-flash', { rounds: 2 });
    const routed = await ask(sim, { ...alias, model: 'gemini-3.6-flash' });
    expect(routed.body.modelVersion).toBe('gemini-3.6-flash');
    expect(routed.verdict.shown).toHaveLength(2);
  });

  it('nothing at all is taken by Gemma', async () => {
    const contents = [say('Hi.'), model({ text: 'Hello.', thoughtSignature: BYPASS }), say('And?')];
    const { body } = await ask(await scripted(), { model: 'gemma-4-31b-it', contents });
    expect(body.error.message).toBe('Request contains an invalid argument.');
  });
});

describe('the shape of steps and results', () => {
  const batch = async (edit: (contents: Loose[]) => Loose[], name = STRICT, conflicts: Loose = {}) => {
    const sim = await scripted({ conflicts });
    const body = await playLoop(sim, name, { rounds: 2 });
    return ask(sim, { ...body, contents: edit(body.contents) });
  };
  const split = (contents: Loose[]) => {
    const [calls, results] = [contents[3].parts, contents[4].parts];
    return [...contents.slice(0, 3), ...calls.flatMap((call: Loose, at: number) => [model(call), user(results[at])])];
  };

  it('a batch in several steps needs several signatures, which it does not have', async () => {
    expect((await batch(split)).body.error.message).toMatch(/`default_api:book` , position 6/);
    expect((await batch(split, ADVISORY)).status).toBe(200);
    const adjacent = (contents: Loose[]) => [
      ...contents.slice(0, 3),
      ...contents[3].parts.map((call: Loose) => model(call)),
      contents[4],
    ];
    expect((await batch(adjacent)).status).toBe(400);
    expect((await batch(adjacent, STRICT, { adjacentContents: 'merged' })).status).toBe(200);
  });

  it('as many results as calls, in one content', async () => {
    const fewer = (contents: Loose[]) => contents.with(4, user(contents[4].parts[0]));
    const apart = (contents: Loose[]) => [
      ...contents.slice(0, 4),
      ...contents[4].parts.map((part: Loose) => user(part)),
    ];
    for (const [edit, conflicts, status] of [
      [fewer, {}, 400],
      [apart, {}, 400],
      [apart, { splitResults: 'accept' }, 200],
    ] as const) {
      expect((await batch(edit, STRICT, conflicts)).status).toBe(status);
    }
    expect((await batch(fewer)).body.error.message).toMatch(/number of function response parts is equal to the number/);
  });

  it('results of other ids or names are answered with nothing', async () => {
    const changed = (change: (result: Loose) => Loose) => (contents: Loose[]) =>
      contents.with(
        4,
        user(
          ...contents[4].parts.map(({ functionResponse }: Loose) => ({ functionResponse: change(functionResponse) })),
        ),
      );
    for (const change of [
      ({ id: _, ...result }: Loose) => result,
      (result: Loose) => ({ ...result, id: 'other' }),
      (result: Loose) => ({ ...result, name: 'other' }),
    ]) {
      const { status, body } = await batch(changed(change));
      expect(status).toBe(200);
      expect(body.candidates).toEqual([{ content: { role: 'model' }, finishReason: 'STOP', index: 0 }]);
      expect(body.usageMetadata).not.toHaveProperty('candidatesTokenCount');
    }
    expect(
      (
        await batch(
          changed(({ id: _, ...result }) => result),
          STRICT,
          { unpairedResults: 'answer' },
        )
      ).parts,
    ).toHaveLength(1);
    expect(
      (
        await batch(
          changed((result) => ({ ...result, name: 'other' })),
          ADVISORY,
        )
      ).parts,
    ).toHaveLength(1);
  });

  it('empty contents, strange roles, signatures without a part', async () => {
    const sim = await scripted();
    const refusal = async (contents: Loose[], host?: 'vertex') =>
      (await ask(sim, { model: STRICT, contents }, host && { host })).body.error.message;
    expect(await refusal([])).toMatch(/contents is not specified/);
    expect(await refusal([say('Hi.'), model()])).toMatch(/contents\[1\]\.parts: contents\.parts must not be empty/);
    expect(await refusal([say('Hi.'), model()], 'vertex')).toMatch(/must include at least one parts field/);
    expect(await refusal([{ role: 'assistant', parts: [{ text: 'x' }] }])).toBe(
      'Please use a valid role: user, model.',
    );
    expect(await refusal([say('Hi.'), model({ thoughtSignature: BYPASS })])).toMatch(/must have one initialized field/);
  });

  it('both spellings of members are read', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, STRICT, { rounds: 2 });
    const snaked = JSON.parse(
      JSON.stringify(body)
        .replaceAll('functionCall"', 'function_call"')
        .replaceAll('functionResponse"', 'function_response"')
        .replaceAll('thoughtSignature"', 'thought_signature"'),
    );
    expect((await ask(sim, snaked)).verdict).toMatchObject({ status: 200, shown: { length: 2 } });
  });
});

describe('which turns are read', () => {
  it.each([
    [STRICT, 0, 4],
    [KEEPS, 4, 0],
    [ADVISORY, 0, 4],
  ])('%s', async (name, shown, stripped) => {
    const sim = await scripted();
    const body = await playLoop(sim, name, { rounds: 4 });
    body.contents.push(say('And a hotel?'));
    const { verdict } = await ask(sim, body);
    expect(verdict.shown).toHaveLength(shown);
    expect(verdict.stripped).toHaveLength(stripped);
    for (const { reason } of verdict.stripped) expect(reason).toBe('turn_boundary');
  });

  it('thinking that is switched off in the middle of a turn reads nothing', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, ADVISORY, { rounds: 2 });
    const off = { ...body, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
    const { verdict } = await ask(sim, off);
    expect(verdict.thinking).toEqual({ mode: 'off', silentlyDisabled: true });
    expect(verdict.stripped.map(({ reason }) => reason)).toEqual(['thinking_off', 'thinking_off']);
  });

  it('the plan is read from the signature, from nowhere else', async () => {
    const plans: unknown[] = [];
    const sim = await simulator({
      gemini: {
        script: ({ plan, answers }) => {
          plans.push(plan);
          return ROUNDS[answers] ?? { content: [] };
        },
      },
    });
    const body = await playLoop(sim, STRICT, { rounds: 3 });
    const newest = signedIn(body).at(-1);
    newest.thoughtSignature = BYPASS;
    await ask(sim, body);
    expect(plans).toEqual([undefined, { round: 0 }, { round: 1 }, { round: 1 }]);
  });
});

describe('the thinking configuration', () => {
  const mode = async (name: string, thinkingConfig: Loose, generationConfig: Loose = {}) => {
    const sim = await scripted();
    const body = { model: name, contents: [say('Hi.')], generationConfig: { ...generationConfig, thinkingConfig } };
    const sent = await ask(sim, body);
    return sent.verdict.thinking?.mode ?? sent.body.error.message;
  };

  it.each([
    ['gemini-3-pro-preview', {}, 'high'],
    ['gemini-3-pro-preview', { thinkingLevel: 'MEDIUM' }, /not supported/],
    ['gemini-3.1-flash-lite', {}, 'minimal'],
    ['gemini-3.5-flash', {}, 'medium'],
    ['gemini-3.8-flash', { thinkingLevel: 'low' }, 'low'],
    ['gemini-3.8-flash', { thinkingLevel: 'MINIMAL' }, /MINIMAL is not supported/],
    ['gemini-3-pro-preview', { thinkingBudget: 1024 }, 'budget 1024'],
    ['gemini-3.8-flash', { thinkingBudget: 1024 }, /budget is not supported/],
    ['gemini-3-pro-preview', { thinkingBudget: 1, thinkingLevel: 'LOW' }, /only set only one/],
    ['gemini-2.5-pro', { thinkingBudget: 0 }, /only works in thinking mode/],
    ['gemini-2.5-pro', {}, 'dynamic'],
    ['gemini-2.5-flash', { thinkingLevel: 'LOW' }, /level is not supported/],
    ['gemini-2.5-flash', { thinkingBudget: 30_000 }, /between 0 and 24576/],
    ['gemini-2.5-flash-lite', {}, 'off'],
    ['gemini-2.5-flash-lite', { thinkingBudget: -1 }, 'dynamic'],
    ['gemini-2.0-flash', {}, 'off'],
  ])('%s %j: %s', async (name, config, wanted) => {
    const found = await mode(name, config);
    if (typeof wanted === 'string') expect(found).toBe(wanted);
    else expect(found).toMatch(wanted);
  });

  it('a budget in the wrong place is not seen', async () => {
    expect(await mode('gemini-2.5-flash', {}, { thinkingBudget: 0 })).toBe('dynamic');
  });

  it('summaries come on request only', async () => {
    const sim = await scripted();
    const asked = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
    const [silent, told] = [
      await playLoop(sim, KEEPS, { rounds: 1 }),
      await playLoop(sim, KEEPS, { rounds: 1, body: asked }),
    ];
    expect(silent.contents[1].parts.filter(({ thought }: Loose) => thought)).toEqual([]);
    expect(told.contents[1].parts[0]).toEqual({ text: 'The price is a hard limit.', thought: true });
    expect((await ask(sim, told)).verdict.shown).toEqual(['contents.1.parts.2']);
  });
});

it('keys, models, JSON', async () => {
  const sim = await scripted();
  const post = async (path: string, body: string, headers: Record<string, string> = {}) =>
    (await fetch(sim.url + path, { method: 'POST', body, headers })).json() as Promise<Loose>;
  expect((await post('/v1beta/models/gemini-2.5-pro:generateContent', '{}')).error.code).toBe(403);
  expect((await post('/v1beta/models/gemini-2.5-pro:generateContent?key=k', '[')).error.status).toBe(
    'INVALID_ARGUMENT',
  );
  const unknown = await ask(sim, { model: 'gemini-9', contents: [say('Hi.')] });
  expect(unknown.body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
});

it('the agent takes to the tools it is given', async () => {
  const sim = await simulator();
  const body: Loose = { model: KEEPS, tools: TOOLS, contents: [say('Lisbon, please.')] };
  for (let step = 0; step < 6; step++) {
    const { parts, status } = await ask(sim, body);
    expect(status).toBe(200);
    body.contents.push(model(...parts));
    const results = resultsFor(parts);
    if (results.length === 0) break;
    body.contents.push(user(...results));
  }
  const { verdict } = sim.requests.at(-1) ?? {};
  expect(verdict?.shown.length).toBeGreaterThan(0);
  expect(body.contents.at(-1).parts.at(-1).text).toMatch(/^Done: \d result/);
});
