import { describe, expect, it } from 'vitest';
import { type Loose, simulator } from '../support.ts';
import { ask, model, playLoop, ROUNDS, say, signedIn, TOOLS, user } from './support.ts';

const KEEPS = 'gemini-3.8-flash';
const scripted = (more: Loose = {}) => simulator({ gemini: { script: ROUNDS }, ...more });

describe('usage', () => {
  it('adds up, and returned thoughts count from Gemini 3.5 on', async () => {
    const prompts = async (name: string) => {
      const sim = await scripted();
      await playLoop(sim, name, { rounds: 3 });
      const answers = sim.requests.map(({ verdict }) => (verdict.answer as Loose).usageMetadata);
      for (const usage of answers) {
        const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = usage;
        expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount);
      }
      expect(answers.map(({ thoughtsTokenCount }) => thoughtsTokenCount)).toEqual([100, 50, 30]);
      return answers.map(({ promptTokenCount }) => promptTokenCount);
    };
    const [older, newer] = [await prompts('gemini-3-pro-preview'), await prompts(KEEPS)];
    // The ids of calls are no longer where there are some.
    expect(newer.map((count, step) => count - (older[step] ?? 0))).toEqual([0, 100, 150]);
  });

  it('what has been read before is cached, up to the first change', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, KEEPS, { rounds: 3 });
    const [first, second, third] = sim.requests.map(({ verdict }) => (verdict.answer as Loose).usageMetadata);
    expect(first).not.toHaveProperty('cachedContentTokenCount');
    expect(second.cachedContentTokenCount).toBe(first.promptTokenCount);
    expect(third.cachedContentTokenCount).toBe(second.promptTokenCount);
    signedIn(body)[0].thoughtSignature = 'skip_thought_signature_validator';
    const changed = await ask(sim, body);
    expect(changed.body.usageMetadata.cachedContentTokenCount).toBeLessThan(second.cachedContentTokenCount + 10);
  });

  it('tools of the provider are counted apart, and their parts are signed', async () => {
    const script = [
      {
        content: [
          { think: 'Look.', tokens: 10 },
          { serverTool: 'GOOGLE_SEARCH_WEB', input: { q: 'x' }, result: { found: 'much' } },
          { text: 'So.' },
        ],
      },
    ];
    const sim = await simulator({ gemini: { script } });
    const asked = { model: KEEPS, tools: [{ googleSearch: {} }], contents: [say('Find it.')] };
    const sent = await ask(sim, asked);
    expect(sent.body.usageMetadata.toolUsePromptTokenCount).toBeGreaterThan(0);
    expect(sent.parts.map((part) => Object.keys(part)[0])).toEqual(['toolCall', 'toolResponse', 'text']);
    for (const part of sent.parts) expect(part.thoughtSignature).toBeDefined();
    const again = { ...asked, contents: [...asked.contents, model(...sent.parts), say('And?')] };
    expect((await ask(sim, again)).verdict.shown).toHaveLength(3);
    const onVertex = await ask(sim, asked, { host: 'vertex' });
    expect(onVertex.parts).toHaveLength(1);
  });

  it('countTokens counts the same', async () => {
    const sim = await scripted();
    const body = await playLoop(sim, KEEPS, { rounds: 2 });
    const { model: name, ...request } = body;
    const counted = await ask(sim, { model: name, generateContentRequest: request }, { method: 'countTokens' });
    const sent = await ask(sim, body);
    expect(counted.body.totalTokens).toBe(sent.body.usageMetadata.promptTokenCount);
  });
});

describe('context caches', () => {
  const create = async (sim: Loose, body: Loose, path = '/v1beta/cachedContents') =>
    (
      await fetch(sim.url + path, { method: 'POST', body: JSON.stringify(body), headers: { 'x-goog-api-key': 'key' } })
    ).json() as Promise<Loose>;
  const held = {
    model: `models/${KEEPS}`,
    tools: TOOLS,
    systemInstruction: { parts: [{ text: 'You book flights.' }] },
    contents: [say('The price list: …')],
  };

  it('stand before the contents of a request, and are read from the cache', async () => {
    const sim = await scripted();
    const cache = await create(sim, held);
    expect(cache).toMatchObject({ name: expect.stringMatching(/^cachedContents\//), model: `models/${KEEPS}` });
    const body: Loose = { model: KEEPS, cachedContent: cache.name, contents: [say('Lisbon.')] };
    const first = await ask(sim, body);
    expect(first.body.usageMetadata.cachedContentTokenCount).toBe(cache.usageMetadata.totalTokenCount);
    expect(first.parts.some((part) => part.functionCall)).toBe(true);
    const { functionCall } = first.parts[1];
    const result = { functionResponse: { id: functionCall.id, name: functionCall.name, response: {} } };
    const second = await ask(sim, { ...body, contents: [...body.contents, model(...first.parts), user(result)] });
    expect(second.verdict.shown).toEqual(['contents.1.parts.1']);
  });

  it('take no other tools, no other model, and come to an end', async () => {
    let time = Date.parse('2026-11-30T12:00:00Z');
    const sim = await scripted({ now: () => time });
    const cache = await create(sim, { ...held, ttl: '60s' });
    const body: Loose = { model: KEEPS, cachedContent: cache.name, contents: [say('Lisbon.')] };
    expect((await ask(sim, { ...body, tools: TOOLS })).body.error.message).toMatch(
      /^CachedContent can not be used with/,
    );
    expect((await ask(sim, { ...body, model: 'gemini-3.7-flash' })).body.error.message).toMatch(/has to be the same/);
    time += 61_000;
    expect((await ask(sim, body)).body.error).toMatchObject({
      code: 403,
      message: expect.stringMatching(/^CachedContent not found/),
    });
  });

  it('are named by their project on Vertex', async () => {
    const sim = await scripted();
    const root = '/v1beta1/projects/acme/locations/global';
    const cache = await create(sim, held, `${root}/cachedContents`);
    expect(cache.name).toMatch(/^projects\/acme\/locations\/global\/cachedContents\//);
    const body: Loose = { model: KEEPS, cachedContent: cache.name, contents: [say('Lisbon.')] };
    expect((await ask(sim, body, { host: 'vertex' })).status).toBe(200);
    const deleted = await fetch(`${sim.url}/v1beta1/${cache.name}`, {
      method: 'DELETE',
      headers: { 'x-goog-api-key': 'key' },
    });
    expect(deleted.status).toBe(200);
    expect((await ask(sim, body, { host: 'vertex' })).status).toBe(403);
  });
});

it('the same seed and requests give the same bytes', async () => {
  const [one, other] = [await scripted({ now: () => 0 }), await scripted({ now: () => 0 })];
  expect(await playLoop(one, KEEPS, { rounds: 4 })).toEqual(await playLoop(other, KEEPS, { rounds: 4 }));
});
