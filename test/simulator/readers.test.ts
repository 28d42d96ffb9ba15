import { describe, expect, it } from 'vitest';
import { BINDING, copy, type Loose, playLoop, post, ROUNDS, simulator, thinkingBody } from './support.ts';

type Place = 'claude' | 'vertex' | 'bedrock';

/** Producer, reader, and where the reader reads it. Readers that no row names are in the last test. */
const ROWS: readonly (readonly [producer: string, reader: string, ...reads: Place[]])[] = [
  ['claude-fable-5-2', 'claude-mythos-5-2', 'claude', 'vertex', 'bedrock'],
  ['claude-fable-5-2', 'claude-fable-5-1'],
  ['claude-mythos-5-2', 'claude-opus-5-5'],
  ['claude-mythos-5-2', 'claude-haiku-5-5'],
  ['claude-fable-5-1', 'claude-mythos-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-mythos-5-1', 'claude-fable-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-fable-5-1', 'claude-opus-5-5'],
  ['claude-fable-5-1', 'claude-sonnet-5-5'],
  ['claude-fable-5-1', 'claude-opus-5'],
  ['claude-opus-5-5', 'claude-fable-5-1', 'claude'],
  ['claude-opus-5-5', 'claude-mythos-5-1', 'claude'],
  ['claude-opus-5-5', 'claude-sonnet-5-5'],
  ['claude-opus-5-5', 'claude-opus-5'],
  ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude', 'vertex'],
  ['claude-sonnet-5-5', 'claude-fable-5-1'],
  ['claude-sonnet-5-5', 'claude-sonnet-5'],
  ['claude-haiku-5-5', 'claude-opus-5-5', 'claude', 'vertex'],
  ['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude', 'vertex'],
  ['claude-haiku-5-5', 'claude-fable-5-1'],
  ['claude-opus-5', 'claude-opus-5-5', 'claude', 'vertex', 'bedrock'],
  ['claude-opus-5', 'claude-fable-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-opus-5', 'claude-sonnet-5-5'],
  ['claude-fable-5', 'claude-mythos-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-mythos-5', 'claude-opus-5-5'],
  ['claude-fable-5', 'claude-sonnet-5-5'],
  ['claude-sonnet-5', 'claude-sonnet-5-5', 'claude', 'vertex', 'bedrock'],
  ['claude-opus-4-8', 'claude-opus-5-5', 'claude', 'vertex', 'bedrock'],
  ['claude-haiku-4-5', 'claude-fable-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-sonnet-4-5', 'claude-mythos-5-1', 'claude', 'vertex', 'bedrock'],
  ['claude-sonnet-5', 'claude-haiku-5-5', 'claude', 'vertex'],
  ['claude-opus-4-6', 'claude-opus-5', 'claude', 'vertex', 'bedrock'],
];

const start = (anthropic: Loose = {}) => simulator({ anthropic: { script: ROUNDS, ...anthropic } });

/** One request, over each platform's wire. */
function on(place: Place, body: Loose): { body: Loose; path: string } {
  const { model, ...rest } = body;
  if (place === 'claude') return { body, path: '/v1/messages' };
  if (place === 'vertex') {
    const path = `/v1/projects/p/locations/global/publishers/anthropic/models/${model}:rawPredict`;
    return { body: { ...rest, anthropic_version: 'vertex-2023-10-16' }, path };
  }
  const { betas: _, ...bare } = rest;
  const wire = { ...bare, anthropic_version: 'bedrock-2023-05-31', anthropic_beta: [BINDING] };
  return { body: wire, path: `/model/us.anthropic.${model}-v1:0/invoke` };
}

describe('who reads whose reasoning', () => {
  for (const [producer, reader, ...reads] of ROWS) {
    it(`${producer} read by ${reader}`, async () => {
      const sim = await start();
      const body = await playLoop(sim, producer, { closed: true, body: thinkingBody(producer) });
      body.messages.push({ role: 'user', content: 'And back?' });
      const switched = { ...body, model: reader, thinking: thinkingBody(reader).thinking };
      if (switched.thinking === undefined) delete switched.thinking;
      const count = body.messages
        .flatMap(({ content }: Loose) => [content].flat())
        .filter((block: Loose) => ['thinking', 'redacted_thinking'].includes(block.type)).length;
      for (const place of ['claude', 'vertex', 'bedrock'] as const) {
        const wire = on(place, switched);
        const sent = await post(sim, wire.body, { path: wire.path, betas: [BINDING] });
        expect(sent.status).toBe(200);
        const dropped = sent.body.input_transformations.filter(({ type }: Loose) => type === 'thinking_dropped');
        expect([place, dropped.length]).toEqual([place, reads.includes(place) ? 0 : count]);
        for (const { reason } of dropped) expect(reason).toBe('model_binding_mismatch');
        expect(sent.verdict.shown).toHaveLength(reads.includes(place) ? count : 0);
      }
      // Without the header every drop is silent; the array itself is untouched, so switching back restores.
      expect((await post(sim, switched)).body).not.toHaveProperty('input_transformations');
    });
  }

  it('a drop is never an error, bills nothing, and is undone by switching back', async () => {
    const sim = await start();
    const body = await playLoop(sim, 'claude-fable-5-1');
    const before = copy(body);
    const fail = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'error' } };
    const foreign = { ...body, model: 'claude-opus-5-5', thinking: fail, system: 'You book fl!ghts.' };
    const sent = await post(sim, foreign, { betas: [BINDING] });
    // Two checks fail; one reason is given.
    expect(sent.status).toBe(200);
    expect(sent.body.input_transformations).toEqual(
      ['messages.1.content.0', 'messages.1.content.1', 'messages.3.content.0'].map((path) => ({
        type: 'thinking_dropped',
        path,
        reason: 'model_binding_mismatch',
      })),
    );
    expect(body).toEqual(before);
    const back = await post(sim, body);
    expect(back.verdict.shown).toHaveLength(3);
    expect(back.body.usage.input_tokens - sent.body.usage.input_tokens).toBe(170);
  });

  it('a foreign latest message is not held to be whole', async () => {
    const sim = await start();
    const body = await playLoop(sim, 'claude-fable-5-1', { rounds: 1 });
    body.messages[1].content.splice(1, 1);
    expect((await post(sim, { ...body, model: 'claude-opus-5-5' })).status).toBe(200);
    expect((await post(sim, body)).status).toBe(400);
  });

  it('pairs that nobody published read, or not, as asked', async () => {
    for (const [unpublishedReaders, shown] of [
      ['read', 3],
      ['drop', 0],
    ] as const) {
      const sim = await start({ conflicts: { unpublishedReaders } });
      const old = await playLoop(sim, 'claude-opus-5');
      expect((await post(sim, { ...old, model: 'claude-fable-5-2' })).verdict.shown).toHaveLength(shown);
      expect((await post(sim, { ...old, model: 'claude-sonnet-5' })).verdict.shown).toHaveLength(shown);
    }
  });

  it('haiku-5-5 blocks on Bedrock, as asked', async () => {
    const sim = await start({ conflicts: { haikuBlocksOnBedrock: 'read' } });
    const body = await playLoop(sim, 'claude-haiku-5-5');
    const wire = on('bedrock', { ...body, model: 'claude-sonnet-5' });
    expect((await post(sim, wire.body, { path: wire.path })).verdict.shown).toHaveLength(3);
  });
});

describe('whose account', () => {
  const accounts = { one: {}, two: {}, sister: { linked: ['one'] } };
  for (const model of ['claude-sonnet-5-5', 'claude-haiku-5-5']) {
    it(`${model} blocks stay in the account or a linked one`, async () => {
      const sim = await start({ accounts });
      const body = await playLoop(sim, model, { key: 'one' });
      const own = await post(sim, body, { key: 'one', betas: [BINDING] });
      const other = await post(sim, body, { key: 'two', betas: [BINDING] });
      const linked = await post(sim, body, { key: 'sister', betas: [BINDING] });
      expect(own.body.input_transformations).toEqual([]);
      expect(linked.body.input_transformations).toEqual([]);
      expect(other.status).toBe(200);
      expect(other.body.input_transformations.map(({ reason }: Loose) => reason)).toEqual(
        Array(3).fill('organization_binding_mismatch'),
      );
      const ids = [own, other, linked].map(({ headers }) => headers.get('anthropic-organization-id'));
      expect(new Set(ids).size).toBe(3);
    });
  }

  it('the account comes before the model in the report', async () => {
    const sim = await start({ accounts });
    const body = await playLoop(sim, 'claude-sonnet-5-5', { key: 'one' });
    const sent = await post(sim, { ...body, model: 'claude-fable-5-1' }, { key: 'two', betas: [BINDING] });
    expect(sent.body.input_transformations[0].reason).toBe('organization_binding_mismatch');
  });

  it('other models do not care', async () => {
    const sim = await start({ accounts });
    const body = await playLoop(sim, 'claude-opus-5-5', { key: 'one' });
    expect((await post(sim, body, { key: 'two' })).verdict.shown).toHaveLength(3);
  });

  it('the end user matters only where that is switched on', async () => {
    const metadata = { metadata: { user_id: 'a' } };
    for (const [endUserBinding, reasons] of [
      ['off', []],
      ['on', Array(3).fill('end_user_binding_mismatch')],
    ] as const) {
      const sim = await start({ conflicts: { endUserBinding } });
      const body = await playLoop(sim, 'claude-opus-5-5', { body: metadata });
      const sent = await post(sim, { ...body, metadata: { user_id: 'b' } }, { betas: [BINDING] });
      expect(sent.body.input_transformations.map(({ reason }: Loose) => reason)).toEqual(reasons);
    }
  });
});
