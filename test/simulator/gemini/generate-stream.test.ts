import { describe, expect, it } from 'vitest';
import { type Loose, simulator } from '../support.ts';
import { ask, askStream, model, ROUNDS, resultsFor, say, TOOLS, user } from './support.ts';

const KEEPS = 'gemini-3.8-flash';
const scripted = (gemini: Loose = {}) => simulator({ gemini: { script: ROUNDS, ...gemini } });
const body = (more: Loose = {}): Loose => ({ model: KEEPS, tools: TOOLS, contents: [say('Lisbon.')], ...more });
const finishes = (chunks: readonly Loose[]) => chunks.map(({ candidates }) => candidates[0].finishReason);

/** Plays all rounds; every chunk becomes a content of its own, as the SDK's chat keeps them, or all parts one. */
async function play(gemini: Loose, keep: (parts: Loose[]) => Loose[], more: Loose = {}) {
  const sim = await scripted(gemini);
  const next = body(more);
  for (let step = 0; step < 4; step++) {
    const { parts, status } = await askStream(sim, next);
    expect(status).toBe(200);
    next.contents.push(...keep(parts));
    const results = resultsFor(parts);
    next.contents.push(results.length > 0 ? user(...results) : say('And?'));
  }
  const sent = await ask(sim, next);
  return { sent, next };
}

describe('a stream', () => {
  it('brings the signature of a text behind it, on an empty one', async () => {
    const { sent, next } = await play({}, (parts) => [model(...parts)]);
    expect(next.contents.at(-2).parts).toEqual([
      { text: 'Booked.' },
      { text: '', thoughtSignature: expect.any(String) },
    ]);
    expect(sent.verdict.shown).toHaveLength(4);
    expect(sent.verdict.allowed).toEqual([]);
  });

  it('or on its last piece', async () => {
    const { next } = await play({ stream: { signature: 'last_piece' } }, (parts) => [model(...parts)]);
    expect(next.contents.at(-2).parts).toEqual([{ text: 'Booked.', thoughtSignature: expect.any(String) }]);
  });

  it('may be kept chunk by chunk', async () => {
    const { sent } = await play({}, (parts) => {
      const calls = parts.filter(({ functionCall }) => functionCall);
      return [
        ...parts.filter(({ functionCall }) => !functionCall).map((part) => model(part)),
        ...(calls.length > 0 ? [model(...calls)] : []),
      ];
    });
    expect(sent.verdict).toMatchObject({ status: 200, shown: { length: 4 } });
  });

  it('calls that come apart and are kept apart are steps', async () => {
    const sim = await scripted({ stream: { calls: 'apart' } });
    const next = body();
    for (let step = 0; step < 2; step++) {
      const { parts, chunks } = await askStream(sim, next);
      expect(chunks).toHaveLength(2);
      next.contents.push(...parts.map((part) => model(part)), user(...resultsFor(parts)));
    }
    expect((await ask(sim, next)).body.error.message).toMatch(/`default_api:book` , position 6/);
  });

  it('ends with its last part, or in a chunk without content', async () => {
    const plain = await askStream(await scripted(), body());
    expect(finishes(plain.chunks)).toEqual([undefined, 'STOP']);
    const { chunks } = await askStream(await scripted({ stream: { finish: 'own_chunk' } }), body());
    expect(finishes(chunks)).toEqual([undefined, undefined, 'STOP']);
    expect(chunks.at(-1)?.candidates[0]).toEqual({ finishReason: 'STOP', index: 0 });
    expect(chunks.at(-1)?.usageMetadata).toMatchObject({ thoughtsTokenCount: 100 });
  });

  it('without alt=sse is one JSON array', async () => {
    const { body: chunks } = await ask(await scripted(), body(), { method: 'streamGenerateContent' });
    expect(finishes(chunks)).toEqual([undefined, 'STOP']);
  });

  it('thoughts come in pieces, and tell what each chunk knows of the usage', async () => {
    const config = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
    const { parts } = await askStream(await scripted(), body(config));
    const thoughts = parts.filter(({ thought }) => thought);
    expect(thoughts.map(({ text }) => text)).toEqual(['The price is a hard limi', 't.']);
    const { chunks } = await askStream(await scripted(), body(), { host: 'vertex' });
    expect(chunks[0].usageMetadata).toEqual({ trafficType: 'ON_DEMAND' });
  });

  it('goes wrong where a script says so', async () => {
    const [round] = ROUNDS;
    const sim = await simulator({
      gemini: {
        script: [
          {
            content: round?.content ?? [],
            fault: { kind: 'error_event', type: 'INTERNAL', message: 'Broken.', at: { event: 'functionCall' } },
          },
        ],
      },
    });
    const { chunks } = await askStream(sim, body());
    expect(chunks.at(-1)).toEqual({ error: { code: 500, message: 'Broken.', status: 'INTERNAL' } });
    const overloaded = await simulator({
      gemini: { script: [{ content: round?.content ?? [], fault: { kind: 'status', status: 503, times: 1 } }] },
    });
    expect((await ask(overloaded, body())).body.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
    expect((await ask(overloaded, body())).status).toBe(200);
  });
});

describe('streamed arguments of calls', () => {
  const script = [
    {
      content: [
        { think: 'So.' },
        { tool: 'search', input: { to: 'a city by the sea, with an airport', max: 400, direct: true } },
      ],
    },
  ];
  const asked = { toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } } };
  const joined = (parts: readonly Loose[]) => {
    const args: Loose = {};
    for (const { functionCall } of parts) {
      for (const { jsonPath, stringValue, ...other } of functionCall.partialArgs ?? []) {
        const name = jsonPath.slice(2);
        args[name] = stringValue === undefined ? Object.values(other)[0] : (args[name] ?? '') + stringValue;
      }
    }
    return args;
  };

  it.each(['first_chunk', 'fragments'] as const)('with the signature: %s', async (streamedSignature) => {
    const sim = await simulator({ gemini: { script, conflicts: { streamedSignature } } });
    const { parts } = await askStream(sim, body(asked), { host: 'vertex' });
    expect(joined(parts)).toEqual({ to: 'a city by the sea, with an airport', max: 400, direct: true });
    expect(parts.at(-1)?.functionCall).toEqual({});
    const fragments = parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
    expect(fragments.length).toBe(streamedSignature === 'first_chunk' ? 1 : parts.length);
    const send = (thoughtSignature: string) => {
      const call = { functionCall: { name: 'search', args: joined(parts) }, thoughtSignature };
      const contents = [say('Lisbon.'), model(call), user(...resultsFor([call]))];
      return ask(sim, body({ contents }), { host: 'vertex' });
    };
    expect((await send(fragments.join(''))).verdict).toMatchObject({ shown: ['contents.1.parts.0'], allowed: [] });
    if (fragments.length > 1) expect((await send(fragments[0])).status).toBe(400);
  });

  it('not on the Developer API', async () => {
    const { parts } = await askStream(await simulator({ gemini: { script } }), body(asked));
    expect(parts).toHaveLength(1);
  });
});

describe('an answer that does not fit', () => {
  it('thoughts use the budget up', async () => {
    const { body: answer } = await ask(await scripted(), body({ generationConfig: { maxOutputTokens: 50 } }));
    expect(answer.candidates).toEqual([{ content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 }]);
    expect(answer.usageMetadata).toMatchObject({ thoughtsTokenCount: 50 });
  });

  it('is continued with a token, the same contents and no other answer', async () => {
    const script = [
      {
        content: [{ think: 'Long.', tokens: 10 }, { text: 'First half,' }, { text: ' second half,' }, { tool: 'book' }],
        pauses: [2, 3],
      },
      ROUNDS[3],
    ];
    const sim = await simulator({ gemini: { script: script as Loose } });
    const parts: Loose[] = [];
    let continuationToken: string | undefined;
    const reasons: string[] = [];
    do {
      const sent = await ask(sim, body(continuationToken === undefined ? {} : { continuationToken }));
      const [candidate] = sent.body.candidates;
      parts.push(...sent.parts);
      reasons.push(candidate.finishReason);
      continuationToken = candidate.continuationToken;
    } while (continuationToken !== undefined);
    expect(reasons).toEqual(['CONTINUATION', 'CONTINUATION', 'STOP']);
    const contents = [say('Lisbon.'), model(...parts), user(...resultsFor(parts))];
    expect((await ask(sim, body({ contents }))).verdict).toMatchObject({ shown: ['contents.1.parts.2'], allowed: [] });
    expect((await ask(sim, body({ continuationToken: 'none' }))).status).toBe(400);
  });

  it('ends as a script says', async () => {
    const sim = await simulator({
      gemini: { script: [{ content: [], stop: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Oh.' }] },
    });
    const { body: answer } = await ask(sim, body());
    expect(answer.candidates[0]).toMatchObject({ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Oh.' });
  });
});
