import { createRequire } from 'node:module';
import { type Content, GoogleGenAI, type Part } from '@google/genai';
import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../src/simulator/index.ts';
import { type Loose, simulator } from '../support.ts';
import { ROUNDS, resultsFor, TOOLS } from './support.ts';

const load = createRequire(import.meta.url);
const MODEL = 'gemini-3.8-flash';
const scripted = (gemini: Loose = {}) => simulator({ gemini: { script: ROUNDS, ...gemini } });
const clientOf = (sim: Simulator) => new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: sim.url } });

const shown = (sim: Simulator) => {
  for (const { verdict } of sim.requests) expect(verdict).toMatchObject({ status: 200, dropped: [], allowed: [] });
  return sim.requests.map(({ verdict }) => verdict.shown.length);
};

describe('every supported SDK', () => {
  it.each([
    ['genai-1.50', [0, 1, 2, 3]],
    ['genai-2.32', [0, 1, 2, 3]],
    ['@google/genai', [0, 1, 2, 3]],
  ])('%s: a loop, plain and streamed', async (version, wanted) => {
    const sim = await scripted();
    const Client: typeof GoogleGenAI = load(version).GoogleGenAI;
    const ai = new Client({ apiKey: 'key', httpOptions: { baseUrl: sim.url } });
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Lisbon' }] }];
    const config = { tools: TOOLS as Loose };
    for (let step = 0; step < 4; step++) {
      const parts: Part[] = [];
      if (step % 2 === 0) {
        const answer = await ai.models.generateContent({ model: MODEL, contents, config });
        parts.push(...(answer.candidates?.[0]?.content?.parts ?? []));
      } else {
        for await (const chunk of await ai.models.generateContentStream({ model: MODEL, contents, config })) {
          parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
        }
      }
      contents.push({ role: 'model', parts });
      const results = resultsFor(parts);
      if (results.length > 0) contents.push({ role: 'user', parts: results });
    }
    expect(shown(sim)).toEqual(wanted);
  });

  it('genai-1.0 takes the signatures out of the request itself', async () => {
    const sim = await scripted();
    const Client: typeof GoogleGenAI = load('genai-1.0').GoogleGenAI;
    const ai = new Client({ apiKey: 'key', httpOptions: { baseUrl: sim.url } });
    const answer = await ai.models.generateContent({
      model: MODEL,
      contents: 'Lisbon',
      config: { tools: TOOLS as Loose },
    });
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    const contents = [
      { role: 'user', parts: [{ text: 'Lisbon' }] },
      { role: 'model', parts },
      { role: 'user', parts: resultsFor(parts) },
    ];
    await expect(ai.models.generateContent({ model: MODEL, contents })).rejects.toThrow(/missing a thought_signature/);
  });
});

describe('the newest SDK', () => {
  it('chats, plain and streamed', async () => {
    for (const streams of [false, true]) {
      const sim = await scripted();
      const chat = clientOf(sim).chats.create({ model: MODEL, config: { tools: TOOLS as Loose } });
      let message: Loose = 'Lisbon';
      for (let step = 0; step < 4; step++) {
        const parts: Part[] = [];
        if (streams) {
          for await (const chunk of await chat.sendMessageStream({ message })) {
            parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
          }
        } else parts.push(...((await chat.sendMessage({ message })).candidates?.[0]?.content?.parts ?? []));
        message = resultsFor(parts);
      }
      expect(shown(sim)).toEqual([0, 1, 2, 3]);
    }
  });

  it('a chat forgets an exchange whose stream ends without content', async () => {
    const sim = await scripted({ stream: { finish: 'own_chunk' } });
    const chat = clientOf(sim).chats.create({ model: MODEL, config: { tools: TOOLS as Loose } });
    for await (const _ of await chat.sendMessageStream({ message: 'Lisbon' }));
    expect(chat.getHistory(true)).toEqual([]);
  });

  it('automatic function calling and automatic continuation', async () => {
    const long = { ...ROUNDS[3], content: [...(ROUNDS[3]?.content ?? []), { text: ' For good.' }], pauses: [2] };
    const sim = await scripted({ script: [...ROUNDS.slice(0, 3), long] });
    const callable = {
      tool: async () => TOOLS[0] as Loose,
      callTool: async (calls: Loose[]) => resultsFor(calls.map((functionCall) => ({ functionCall }))),
    };
    const answer = await clientOf(sim).models.generateContent({
      model: MODEL,
      contents: 'Lisbon',
      config: { tools: [callable] },
    });
    expect(answer.text).toBe('Booked. For good.');
    expect(shown(sim)).toEqual([0, 1, 2, 3, 3]);
  });

  it('Vertex', async () => {
    const sim = await scripted();
    const ai = new GoogleGenAI({ vertexai: true, apiKey: 'key', httpOptions: { baseUrl: sim.url } });
    const answer = await ai.models.generateContent({
      model: MODEL,
      contents: 'Lisbon',
      config: { tools: TOOLS as Loose },
    });
    expect(answer.functionCalls).toEqual([{ name: 'search', args: { to: 'LIS' } }]);
    expect(sim.requests[0]?.path).toMatch(/publishers\/google\/models/);
  });

  it('caches, counts, errors', async () => {
    const sim = await scripted();
    const ai = clientOf(sim);
    const cache = await ai.caches.create({ model: MODEL, config: { contents: 'The list.', ttl: '60s' } });
    const answer = await ai.models.generateContent({
      model: MODEL,
      contents: 'Hi.',
      config: { cachedContent: cache.name ?? '' },
    });
    expect(answer.usageMetadata?.cachedContentTokenCount).toBe(cache.usageMetadata?.totalTokenCount);
    expect((await ai.models.countTokens({ model: MODEL, contents: 'Hello there.' })).totalTokens).toBe(3);
    await expect(ai.models.generateContent({ model: 'none', contents: 'x' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 404,
    });
  });
});
