import { GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { type Loose, simulator } from '../support.ts';
import { FUNCTIONS, interact, interactStream, playInteractions, resultsFor, says } from './interactions-support.ts';
import { ROUNDS } from './support.ts';

const KEEPS = 'gemini-3.8-flash';
const OLDER = 'gemini-3-pro-preview';
const scripted = (interactions: Loose = {}, more: Loose = {}) =>
  simulator({ interactions: { script: ROUNDS, ...interactions }, ...more });
const typesOf = (steps: readonly Loose[]) => steps.map(({ type }) => type);

describe('steps', () => {
  it('thoughts are signed, calls and texts never; a thought stands before every call', async () => {
    const sim = await simulator({ interactions: { script: [{ content: [{ text: 'So.' }, { tool: 'book' }] }] } });
    const { body } = await interact(sim, { model: KEEPS, tools: FUNCTIONS, input: 'Go.' });
    expect(typesOf(body.steps)).toEqual(['model_output', 'thought', 'function_call']);
    expect(body.steps.map((step: Loose) => 'signature' in step)).toEqual([false, true, false]);
    expect(body).toMatchObject({ object: 'interaction', status: 'requires_action', model: KEEPS });
  });

  it('summaries come on request, tools of the provider are signed', async () => {
    const script = [
      {
        content: [
          { think: 'Look it up. Then answer.' },
          { serverTool: 'google_search', input: { queries: ['x'] }, result: [{}] },
          { text: 'So.' },
        ],
      },
    ];
    const sim = await simulator({ interactions: { script } });
    const asked = { model: KEEPS, input: 'Go.', store: false, generation_config: { thinking_summaries: 'auto' } };
    const { steps } = (await interact(sim, asked)).body;
    expect(typesOf(steps)).toEqual(['thought', 'google_search_call', 'google_search_result', 'model_output']);
    expect(steps[0].summary).toEqual([{ type: 'text', text: 'Look it up.' }]);
    const again = await interact(sim, { ...asked, input: [says('Go.'), ...steps, says('And?')] });
    expect(again.verdict).toMatchObject({ shown: { length: 3 }, allowed: [] });
  });

  it.each(['minimal', 'none'])('levels by model: %s', async (thinking_level) => {
    const { body } = await interact(await scripted(), {
      model: KEEPS,
      input: 'Go.',
      generation_config: { thinking_level },
    });
    expect(body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  });
});

describe('history', () => {
  it.each([true, false])('chained %s: every thought is shown', async (chained) => {
    const sim = await scripted();
    await playInteractions(sim, KEEPS, { chained, rounds: 5 });
    expect(sim.requests.map(({ verdict }) => verdict.shown.length)).toEqual([0, 1, 2, 3, 4]);
    for (const { verdict } of sim.requests) expect(verdict).toMatchObject({ status: 200, allowed: [], dropped: [] });
    expect(sim.requests[2]?.verdict.shown[0]).toBe(chained ? 'previous_interaction_id.1' : 'input.1');
  });

  it('earlier turns are read from Gemini 3.5 on', async () => {
    const sim = await scripted();
    const { verdict } = await interact(sim, await playInteractions(sim, OLDER, { chained: true, rounds: 4 }));
    expect(verdict.shown).toEqual([]);
    expect(verdict.stripped).toHaveLength(4);
  });

  it('a chain can be forked, and begun anew without its thoughts', async () => {
    const sim = await scripted();
    const body = await playInteractions(sim, KEEPS, { chained: true, rounds: 1 });
    const [one, other] = [
      await interact(sim, body),
      await interact(sim, { ...body, input: [...body.input, says('Wait.')] }),
    ];
    expect(one.verdict.shown).toEqual(other.verdict.shown);
    const anew = { ...body, previous_interaction_id: undefined };
    expect((await interact(sim, anew)).body.error.message).toMatch(/does not match any function call/);
  });

  it('what is not stored, expired, deleted or of others cannot be gone on from', async () => {
    let time = Date.parse('2026-11-30T12:00:00Z');
    const sim = await scripted({ projects: { free: { tier: 'free' }, other: {} } }, { now: () => time });
    const ask = async (store: boolean, key = 'key') =>
      (await interact(sim, { model: KEEPS, input: 'Hi.', store }, key)).body.id;
    const goOn = async (id: string, key = 'key') =>
      (await interact(sim, { model: KEEPS, tools: FUNCTIONS, input: 'And?', previous_interaction_id: id }, key)).body
        .error?.code;
    expect(await goOn(await ask(false))).toBe(404);
    const kept = await ask(true);
    expect(await goOn(kept, 'other')).toBe(404);
    const free = await ask(true, 'free');
    time += 25 * 60 * 60_000;
    expect(await goOn(free, 'free')).toBe(404);
    expect(await goOn(kept)).toBe(400);
    await fetch(`${sim.url}/v1beta/interactions/${kept}`, { method: 'DELETE', headers: { 'x-goog-api-key': 'key' } });
    expect(await goOn(kept)).toBe(404);
    const background = await interact(sim, { model: KEEPS, input: 'Hi.', store: false, background: true });
    expect(background.status).toBe(400);
  });

  it('an interaction in the background is finished when it is asked for', async () => {
    const sim = await scripted();
    const { body } = await interact(sim, { model: KEEPS, input: 'Hi.', background: true });
    expect(body).toMatchObject({ status: 'in_progress' });
    const held = await fetch(`${sim.url}/v1beta/interactions/${body.id}?key=key`);
    expect(await held.json()).toMatchObject({ id: body.id, status: 'requires_action', steps: { length: 3 } });
  });
});

describe('what comes back', () => {
  const third = async (edit: (steps: Loose[]) => Loose[], model = KEEPS, conflicts: Loose = {}) => {
    const sim = await scripted({ conflicts });
    const body = await playInteractions(sim, model, { rounds: 2 });
    return interact(sim, { ...body, input: edit(body.input) });
  };
  const thoughtAt = (steps: readonly Loose[]) => steps.findLastIndex(({ type }) => type === 'thought');

  it('a missing thought is refused, or nobody says so', async () => {
    const drop = (steps: Loose[]) => steps.toSpliced(thoughtAt(steps), 1);
    const bare = (steps: Loose[]) => steps.with(thoughtAt(steps), { type: 'thought' });
    expect((await third(drop)).body.error.message).toMatch(/missing the thought step/);
    expect((await third(bare)).body.error.message).toMatch(/missing its signature/);
    expect((await third(drop, KEEPS, { missingThought: 'silent' })).verdict).toMatchObject({
      status: 200,
      shown: ['input.1'],
    });
    expect((await third(drop, 'gemini-2.5-flash')).status).toBe(200);
  });

  it('an altered signature is refused, a copy is not', async () => {
    const alter = (steps: Loose[]) => {
      const at = thoughtAt(steps);
      return steps.with(at, { ...steps[at], signature: steps[at].signature.slice(0, 80) });
    };
    expect((await third(alter)).body.error.message).toBe('Corrupted thought signature.');
    expect((await third(alter, KEEPS, 'lenient' as Loose)).status).toBe(200);
    expect((await third(alter, KEEPS, { alteredSignature: 'drop' })).verdict.dropped).toHaveLength(1);
    const copy = (steps: Loose[]) => steps.toSpliced(thoughtAt(steps), 0, steps[thoughtAt(steps)]);
    expect((await third(copy)).verdict.allowed).toEqual([{ path: 'input.6', reason: 'duplicated' }]);
  });

  it('calls and results have to fit', async () => {
    const last = (steps: Loose[], change: Loose) => steps.with(-1, { ...steps.at(-1), ...change });
    expect((await third((steps) => last(steps, { call_id: 'other' }))).body.error.message).toMatch(/does not match/);
    expect((await third((steps) => last(steps, { name: 'other' }))).body.error.message).toMatch(/another name/);
    expect((await third((steps) => steps.slice(0, -1))).body.error.message).toMatch(/without a function result/);
  });

  it('a thought of another model is left to the provider', async () => {
    const sim = await scripted();
    const body = await playInteractions(sim, KEEPS, { rounds: 2 });
    expect((await interact(sim, { ...body, model: 'gemini-3.7-flash' })).verdict.shown).toHaveLength(2);
    const { verdict } = await interact(sim, { ...body, model: 'gemini-2.5-pro' });
    expect(verdict.stripped.map(({ reason }) => reason)).toEqual(['not_read', 'not_read']);
  });
});

describe('a stream', () => {
  it('is made of steps, the signature last; what completes it has none', async () => {
    const asked = { model: KEEPS, tools: FUNCTIONS, input: 'Go.', generation_config: { thinking_summaries: 'auto' } };
    const events = await interactStream(await scripted(), asked);
    const names = events.map(({ event_type, delta }) => delta?.type ?? event_type);
    expect(names).toEqual([
      'interaction.created',
      ...['step.start', 'thought_summary', 'thought_signature', 'step.stop'],
      ...['step.start', 'text', 'step.stop'],
      ...['step.start', 'arguments_delta', 'step.stop'],
      'interaction.completed',
    ]);
    expect(events[1].step).toEqual({ type: 'thought', signature: '' });
    expect(events.at(-1)?.interaction).not.toHaveProperty('steps');
    expect(events.at(-1)?.interaction).toMatchObject({
      status: 'requires_action',
      usage: { total_thought_tokens: 100 },
    });
    const full = await interactStream(await scripted({ conflicts: { completedSteps: 'full' } }), asked);
    expect(full.at(-1)?.interaction.steps).toHaveLength(3);
  });

  it('goes wrong where a script says so', async () => {
    const fault = { kind: 'error_event', type: 'internal', message: 'Broken.', at: { event: 'thought_signature' } };
    const sim = await simulator({ interactions: { script: [{ ...ROUNDS[0], fault } as Loose] } });
    const events = await interactStream(sim, { model: KEEPS, tools: FUNCTIONS, input: 'Go.' });
    expect(events.map(({ event_type }) => event_type)).toEqual(['interaction.created', 'step.start', 'error']);
  });
});

describe('the SDK', () => {
  const clientOf = (url: string) => new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: url } });

  it('chains, plain and streamed; goes on by itself; tells errors', async () => {
    const long = { ...ROUNDS[3], content: [...(ROUNDS[3]?.content ?? []), { text: ' For good.' }], pauses: [2] };
    const sim = await scripted({ script: [...ROUNDS.slice(0, 3), long] });
    const ai = clientOf(sim.url);
    let next: Loose = { input: 'Lisbon' };
    let last: Loose = {};
    for (let step = 0; step < 4; step++) {
      const params: Loose = { model: KEEPS, tools: FUNCTIONS, ...next };
      if (step === 1) {
        const steps: Loose[] = [];
        let id = '';
        for await (const event of (await ai.interactions.create({ ...params, stream: true } as Loose)) as Loose) {
          if (event.event_type === 'step.start') steps.push({ ...event.step });
          if (event.event_type === 'interaction.completed') id = event.interaction.id;
        }
        last = { id, steps };
      } else last = await ai.interactions.create(params as Loose);
      next = { previous_interaction_id: last.id, input: resultsFor(last.steps) };
    }
    expect(typesOf(last.steps)).toEqual(['thought', 'model_output', 'model_output']);
    expect(last.continuation_ids).toHaveLength(2);
    expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual([200, 200, 200, 200, 200]);
    expect(sim.requests.map(({ verdict }) => verdict.shown.length)).toEqual([0, 1, 2, 3, 4]);
    const refused = ai.interactions.create({ model: KEEPS, input: 'x', previous_interaction_id: 'none' } as Loose);
    await expect(refused).rejects.toThrow(/not found/);
  });
});
