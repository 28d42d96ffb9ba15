import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invariants, judge, reportOf } from '../dialects/openai-chat/check.ts';
import { put, set, setCalls, splice } from '../dialects/openai-chat/edits.ts';
import {
  assistant,
  block,
  call,
  chunk,
  details,
  encrypted,
  type Members,
  type Message,
  part,
  rc,
  reasoning,
  result,
  seal,
  sealedText,
  summary,
  text,
  thought,
} from '../dialects/openai-chat/messages.ts';
import { streamed } from '../dialects/openai-chat/streamed.ts';
import { type Report, type Step, type Talk, talk } from '../dialects/openai-chat/talk.ts';
import { bounds } from './conversations.ts';

/** Random conversations on every kind of host: a faithful client is never accused, and each damage is called by its name. */

/** How an answer with calls and one without deliver a piece of reasoning. */
interface Carrier {
  readonly model: string;
  readonly config?: Members;
  readonly write: (name: string, words: string | null, ids: readonly string[]) => Members;
}

const plainCalls = (ids: readonly string[]): Members =>
  ids.length > 0 ? { tool_calls: ids.map((id) => call(id)) } : {};
const beside =
  (form: (name: string) => Members): Carrier['write'] =>
  (name, words, ids) => ({ ...form(name), content: words, ...plainCalls(ids) });

const STRING: Carrier = { model: 'deepseek-v4-pro', write: beside(rc) };
const LIST: Carrier = {
  model: 'anthropic/claude-opus-4.5',
  write: beside((name) => ({ ...reasoning(name), ...details(sealedText(name), encrypted(`${name}-x`, 1)) })),
};
const SIGNED: Carrier = {
  model: 'gemini-3.5-flash',
  write: (name, words, ids) => {
    const extra = { extra_content: { google: { thought_signature: seal(name) } } };
    if (ids.length === 0) return { content: words, ...extra };
    return { content: words, tool_calls: ids.map((id, at) => call(id, { key: id }, 'lookup', at === 0 ? extra : {})) };
  },
};

const CARRIERS: Readonly<Record<string, Carrier>> = {
  deepseek: STRING,
  kimi: { model: 'kimi-k2.6', write: beside(rc) },
  'kimi, keeping all': { model: 'kimi-k3', write: beside(rc) },
  mimo: { model: 'mimo-v2.5', write: beside(rc) },
  glm: { model: 'glm-5.2', write: beside(rc) },
  'minimax, tags': {
    model: 'MiniMax-M2.5',
    write: (name, words, ids) => ({
      content: `<think>\n${thought(name)}\n</think>\n\n${words ?? ''}`,
      ...plainCalls(ids),
    }),
  },
  'minimax, split': { model: 'MiniMax-M3', write: beside((name) => details({ text: thought(name) })) },
  qwen: { model: 'qwen3.6-plus', config: { enable_thinking: true }, write: beside(rc) },
  openrouter: LIST,
  'openrouter, gpt': { model: 'openai/gpt-5.6', write: beside((name) => details(summary(name), encrypted(name, 1))) },
  'openrouter, open weights': {
    model: 'deepseek/deepseek-v4-pro',
    write: beside((name) => ({ ...reasoning(name), ...details(text(name, 0, { format: 'unknown' })) })),
  },
  vercel: { model: 'anthropic/claude-opus-4.5', config: { endpoint: 'ai-gateway.vercel.sh' }, write: LIST.write },
  gemini: SIGNED,
  mistral: {
    model: 'magistral-medium',
    write: (name, words, ids) => ({
      content: [chunk(name), ...(words === null ? [] : [part(words)])],
      ...plainCalls(ids),
    }),
  },
  groq: { model: 'openai/gpt-oss-120b', config: { endpoint: 'api.groq.com' }, write: beside(reasoning) },
  vllm: { model: 'Qwen/Qwen3.6-27B', config: { endpoint: 'vllm' }, write: beside(reasoning) },
  litellm: {
    model: 'claude-opus-4-8',
    config: { endpoint: 'litellm' },
    write: beside((name) => ({ ...rc(name), thinking_blocks: [block(name)] })),
  },
  copilot: {
    model: 'claude-opus-4.5',
    config: { endpoint: 'api.githubcopilot.com' },
    write: beside((name) => ({ reasoning_text: thought(name), reasoning_opaque: seal(name) })),
  },
  'openai behind a router': { model: 'gpt-5.5', write: beside(rc) },
  'nobody knows': { model: 'house-7', config: { endpoint: 'models.corp' }, write: beside(rc) },
};

/** An answer: how many calls, whether it says something, whether it reasons. Gemini signs every answer. */
const answer = fc.record({
  calls: fc.integer({ min: 1, max: 3 }),
  says: fc.boolean(),
  reasons: fc.integer({ min: 0, max: 5 }),
});
type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;
const turn = fc.record({ steps: fc.array(answer, { maxLength: 3 }), last: fc.constantFrom('words', 'ok') });
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

/** Gives everything a name of its own, unless a host numbers its calls anew in each answer. */
class Writer {
  private count = 0;

  next(prefix: string): string {
    this.count += 1;
    return `${prefix}${this.count}`;
  }

  play(client: Talk, carrier: Carrier, { calls, says, reasons }: Answer, reuseIds = false): void {
    const ids = Array.from({ length: calls }, (_, at) => (reuseIds ? `call_${at}` : this.next('call')));
    const words = says ? `Remark ${this.next('remark')} on the state of the work.` : null;
    const silent = reasons === 0 && carrier !== SIGNED;
    const members = silent ? { content: words, ...plainCalls(ids) } : carrier.write(this.next('r'), words, ids);
    client.answer(members).results(...ids);
  }

  finish(client: Talk, carrier: Carrier, last: Turn['last']): void {
    const words = last === 'ok' ? 'OK.' : `Conclusion ${this.next('remark')} of the work.`;
    client.answer(carrier.write(this.next('r'), words, []));
  }

  question(): string {
    return `Question ${this.next('question')}: what is to be done next?`;
  }
}

type Act = () => void;
function acts(client: Talk, writer: Writer, carrier: Carrier, { steps, last }: Turn, reuseIds = false): Act[] {
  return [
    () => void client.user(writer.question()),
    ...steps.map((one) => () => writer.play(client, carrier, one, reuseIds)),
    () => writer.finish(client, carrier, last),
  ];
}

const FORMS: Readonly<Record<string, (steps: readonly Step[]) => readonly Step[]>> = {
  kept: (steps) => steps,
  rebuilt: (steps) => JSON.parse(JSON.stringify(steps)),
  streamed: (steps) => steps.map(streamed),
};

describe('faithful clients', () => {
  const extra = fc.constantFrom('none', 'fork', 'branch', 'retry', 'regenerate', 'rebuild', 'switch');
  const plan = fc.record({
    carrier: fc.constantFrom(...Object.keys(CARRIERS)),
    reuseIds: fc.boolean(),
    turns: fc.array(fc.record({ turn, extra }), { minLength: 1, maxLength: 3 }),
  });
  type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

  function life(client: Talk, writer: Writer, { carrier, turns, reuseIds }: Plan, spawn: (more: Act[]) => void): Act[] {
    const own = CARRIERS[carrier] as Carrier;
    return turns.flatMap(({ turn: one, extra: what }) => [
      ...acts(client, writer, own, one, reuseIds),
      () => {
        if (what === 'fork') spawn(acts(client.fork(), writer, own, one, reuseIds));
        if (what === 'branch')
          spawn(
            acts(
              client.fork({}, (history) => history.slice(0, -2)),
              writer,
              own,
              one,
              reuseIds,
            ),
          );
        if (what === 'rebuild') client.edit((history) => JSON.parse(JSON.stringify(history)));
        if (what === 'retry')
          client
            .user(writer.question())
            .send()
            .fails(529, 'Overloaded')
            .answer(own.write(writer.next('r'), 'Done.', []));
        if (what === 'regenerate') {
          client.user(writer.question()).send();
          client.receive(assistant(own.write(writer.next('r'), 'One way.', [])));
          client.answer(own.write(writer.next('r'), 'Another way.', []));
        }
        // To a maker that reads none of it and back: what the other one needs not see is left out there.
        if (what === 'switch') {
          client.user(writer.question()).send(bare, { model: 'gpt-4.1', thinking: undefined });
          client
            .receive(assistant({ content: 'A word from somebody else.' }))
            .append(assistant({ content: 'A word from somebody else.' }));
        }
      },
    ]);
  }

  it('are never accused, alone or beside one another', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat()),
        fc.constantFrom(...Object.keys(FORMS)),
        (plans, order, form) => {
          const writer = new Writer();
          const wire = talk('any');
          const queues = plans.map((one) => {
            const { model, config } = CARRIERS[one.carrier] as Carrier;
            const client = Object.assign(talk(model, config), { steps: wire.steps, expected: wire.expected });
            client.append({ role: 'system', content: 'One of several clients.' });
            return life(client, writer, one, (more) => queues.push(more));
          });
          while (queues.some((queue) => queue.length > 0)) {
            const waiting = queues.filter((queue) => queue.length > 0);
            waiting[(order.next().value ?? 0) % waiting.length]?.shift()?.();
          }
          const traffic = (FORMS[form] as (typeof FORMS)[string])(wire.steps);
          for (const [step, judgement] of judge(traffic)) {
            const report = reportOf(judgement);
            // Old reasoning to a host that has no use for it: a note.
            const { carried: _carried, ...rest } = report;
            expect({ step, report: rest, verdict: judgement.verdict }).toEqual({
              step,
              report: {},
              verdict: report.carried === undefined ? 'clean' : 'note',
            });
            invariants(judgement, traffic, step);
          }
        },
      ),
      bounds(100),
    );
  });

  it.each(Object.entries(CARRIERS).filter(([name]) => !/^(kimi|glm|qwen|openai behind a router)$/.test(name)))(
    'on %s get everything returned that was to be read',
    (_name, carrier) => {
      fc.assert(
        fc.property(fc.array(turn, { minLength: 1, maxLength: 2 }), (turns) => {
          const writer = new Writer();
          const client = talk(carrier.model, carrier.config);
          for (const one of turns) for (const act of acts(client, writer, carrier, one)) act();
          client.user('And?').send();
          const judged = [...judge(client.steps).values()];
          const issued = judged.reduce((sum, { blocks }) => sum + blocks.issued, 0);
          expect(judged.at(-1)?.blocks).toMatchObject({ expected: issued, returned: issued, dropped: 0, damaged: 0 });
        }),
        bounds(8),
      );
    },
  );
});

/** The visible history alone. */
const bare = (history: readonly Message[]): readonly Message[] =>
  history.map((message) => {
    if (message.role !== 'assistant') return message;
    const { content, tool_calls } = message;
    const words = Array.isArray(content)
      ? content.flatMap(({ type, text: own }) => (type === 'text' ? [own] : [])).join('')
      : typeof content === 'string'
        ? content.replace(/^<think>[\s\S]*?<\/think>\s*/, '')
        : content;
    const calls = (tool_calls as readonly Members[] | undefined)?.map(({ id, type, function: own }) => ({
      id,
      type,
      function: own,
    }));
    return { role: 'assistant', content: words, ...(calls ? { tool_calls: calls } : {}) };
  });

interface Damage {
  readonly history: readonly Message[];
  readonly report: Report;
  readonly verdict?: 'note';
  readonly config?: Members;
}
type Below = (limit: number) => number;
type Mutation = (history: readonly Message[], below: Below) => Damage | undefined;

const pick = (history: readonly Message[], below: Below, fits: (message: Message) => boolean): number | undefined => {
  const places = history.flatMap((message, at) => (message.role === 'assistant' && fits(message) ? [at] : []));
  return places.length === 0 ? undefined : places[below(places.length)];
};
const at =
  (
    fits: (message: Message) => boolean,
    damage: (place: number, history: readonly Message[], below: Below) => Damage | undefined,
  ): Mutation =>
  (history, below) => {
    const place = pick(history, below, fits);
    return place === undefined ? undefined : damage(place, history, below);
  };
const changed = (history: readonly Message[], place: number, members: Members): readonly Message[] =>
  set(place, members)(history);
const callsOf = (message: Message | undefined): readonly Members[] =>
  (message?.tool_calls as readonly Members[] | undefined) ?? [];

const hasString = (message: Message): boolean => typeof message.reasoning_content === 'string';
const textAt = (history: readonly Message[], place: number): string => String(history[place]?.reasoning_content);
const string = (change: (words: string) => unknown, report: Report): Mutation =>
  at(hasString, (place, history) => ({
    history: changed(history, place, { reasoning_content: change(textAt(history, place)) }),
    report,
  }));

const ON_STRINGS: Readonly<Record<string, Mutation>> = {
  'left out': string(() => undefined, { dropped: 1 }),
  'null in its place': string(() => null, { dropped: 1 }),
  'empty in its place': string(() => '', { dropped: 1, fabricated: 1 }),
  'blank in its place': string(() => ' ', { dropped: 1, fabricated: 1 }),
  'a constant in its place': string(() => '(omitted)', { dropped: 1, fabricated: 1 }),
  cut: string((words) => words.slice(0, 25), { edited: 1 }),
  trimmed: string((words) => `${words}\n`, { edited: 1 }),
  'under another name': at(hasString, (place, history) => ({
    history: changed(history, place, { reasoning_content: undefined, reasoning: textAt(history, place) }),
    report: { edited: 1 },
  })),
  'said aloud': at(hasString, (place, history) => ({
    history: changed(history, place, {
      reasoning_content: undefined,
      content: `<think>${textAt(history, place)}</think>\n${history[place]?.content ?? ''}`,
    }),
    report: { converted_to_text: 1 },
  })),
  'all of it left out': (history) => {
    const count = history.filter(hasString).length;
    return count === 0 ? undefined : { history: bare(history), report: { dropped: count } };
  },
  'a message twice': at(
    (message) => hasString(message) && callsOf(message).length === 0,
    (place, history) => ({
      history: put(place, (message) => [message, message])(history),
      report: { duplicated: 1 },
    }),
  ),
  'a batch cut up': at(
    (message) => hasString(message) && callsOf(message).length > 1,
    (place, history) => {
      const [first, ...rest] = callsOf(history[place]);
      const own = history[place] as Message;
      const ids = rest.map(({ id }) => String(id));
      const pieces = [
        { ...own, tool_calls: [first] },
        history[place + 1] as Message,
        assistant({ tool_calls: rest }),
        ...ids.map((id) => result(id)),
      ];
      return { history: splice(place, 1 + callsOf(own).length, ...pieces)(history), report: { split: 1 } };
    },
  ),
  'moved to another message': (history) => {
    const places = history.flatMap((message, place) => (hasString(message) ? [place] : []));
    const [one, other] = places;
    if (one === undefined || other === undefined) return undefined;
    const gone = changed(history, other, { reasoning_content: undefined });
    return {
      history: changed(gone, one, { reasoning_content: textAt(history, other) }),
      report: { misplaced: 1, dropped: 1 },
    };
  },
  'switched off': (history) => {
    const opener = history.slice(history.findLastIndex(({ role }) => role === 'user')).some(hasString);
    return opener ? { history, report: { mode_toggled: 1 }, config: { thinking: { type: 'disabled' } } } : undefined;
  },
  'to another maker under its name': (history) => {
    const count = history.filter(hasString).length;
    return count === 0 ? undefined : { history, report: { foreign: count }, config: { model: 'kimi-k3' } };
  },
};

type Element = Members & { readonly index: number };
const elementsOf = (message: Message | undefined): readonly Element[] =>
  (message?.reasoning_details as readonly Element[] | undefined) ?? [];
const hasList = (message: Message): boolean => elementsOf(message).length > 0;
const listed = (change: (elements: readonly Element[], below: Below) => readonly Members[], report: Report): Mutation =>
  at(hasList, (place, history, below) => ({
    history: changed(history, place, { reasoning_details: change(elementsOf(history[place]), below) }),
    report,
  }));
const first = (change: (element: Element) => readonly Members[], report: Report): Mutation =>
  listed(([one, ...rest]) => [...(one ? change(one) : []), ...rest], report);
const sealAt = (element: Members): string => String(element.signature ?? element.data);

const ON_LISTS: Readonly<Record<string, Mutation>> = {
  'an element left out': listed((elements, below) => elements.toSpliced(below(elements.length), 1), { dropped: 1 }),
  'its seal left out': first(({ signature: _signature, ...rest }) => [rest], { edited: 1 }),
  'its seal cut': first((element) => [{ ...element, signature: sealAt(element).slice(0, 90) }], { edited: 1 }),
  'its text changed': first((element) => [{ ...element, text: 'A summary of it.' }], { edited: 1 }),
  'its text emptied': first((element) => [{ ...element, text: '' }], { edited: 1 }),
  'not joined': first(
    ({ text: words, signature, ...rest }) => [
      { ...rest, text: String(words).slice(0, 9) },
      { ...rest, text: String(words).slice(9) },
      { ...rest, signature },
    ],
    { edited: 1 },
  ),
  'a seal of nobody': first((element) => [{ ...element, signature: seal('nobody') }], { dropped: 1, fabricated: 1 }),
  'in another order': listed((elements) => elements.toReversed(), { reordered: 1 }),
  'another format': first((element) => [{ ...element, format: 'google-gemini-v1' }], { edited: 1 }),
  'the string alone': at(hasList, (place, history) => ({
    history: changed(history, place, { reasoning_details: undefined }),
    report: { edited: 1, dropped: 1 },
  })),
  'the list without the string is whole': at(hasList, (place, history) => ({
    history: changed(history, place, { reasoning: undefined }),
    report: {},
  })),
  'to another maker': (history) => {
    const count = history.reduce((sum, message) => sum + elementsOf(message).length, 0);
    return count === 0 ? undefined : { history, report: { foreign: count }, config: { model: 'openai/gpt-5.6' } };
  },
  'left out at the switch to another maker': (history) => ({
    history: bare(history),
    report: {},
    config: { model: 'openai/gpt-5.6' },
  }),
};

const signatureOf = (one: Members = {}): string => {
  const { google } = one.extra_content as { readonly google: Members };
  return String(google.thought_signature);
};
const bearing = (one: Members | undefined, signature: string): Members => ({
  ...one,
  extra_content: { google: { thought_signature: signature } },
});
const unsigned = ({ extra_content: _extra, ...rest }: Members): Members => rest;
const calling = (count: number) => (message: Message) => callsOf(message).length >= count;
const called = (count: number, change: (calls: readonly Members[]) => readonly Members[], report: Report): Mutation =>
  at(calling(count), (place, history) => ({ history: setCalls(place, change)(history), report }));

const ON_CALLS: Readonly<Record<string, Mutation>> = {
  'left out': called(1, (calls) => calls.map(unsigned), { dropped: 1 }),
  cut: called(1, ([one, ...rest]) => [bearing(one, signatureOf(one).slice(0, 130)), ...rest], { edited: 1 }),
  'a bypass in its place': called(1, ([one, ...rest]) => [bearing(one, 'skip_thought_signature_validator'), ...rest], {
    dropped: 1,
    fabricated: 1,
  }),
  'a bypass on the sibling': called(
    2,
    ([one, two, ...rest]) => [one as Members, bearing(two, 'skip_thought_signature_validator'), ...rest],
    {
      fabricated: 1,
    },
  ),
  'stamped on the sibling': called(
    2,
    ([one, two, ...rest]) => [one as Members, bearing(two, signatureOf(one)), ...rest],
    {
      duplicated: 1,
    },
  ),
  'moved to the sibling': called(
    2,
    ([one, two, ...rest]) => [unsigned(one as Members), bearing(two, signatureOf(one)), ...rest],
    {
      misplaced: 1,
    },
  ),
  'behind its sibling': called(2, ([one, two, ...rest]) => [two as Members, one as Members, ...rest], { reordered: 1 }),
  'under another name': called(
    1,
    ([one, ...rest]) => [
      { ...unsigned(one as Members), provider_specific_fields: { thought_signature: signatureOf(one) } },
      ...rest,
    ],
    { edited: 1 },
  ),
  'a call taken out': at(calling(2), (place, history) => {
    const kept = callsOf(history[place]).slice(0, -1);
    const before = setCalls(place, () => kept)(history);
    return { history: splice(place + 1 + kept.length, 1)(before), report: { edited: 1 } };
  }),
  'a batch cut up': at(calling(2), (place, history) => {
    const [one, ...rest] = callsOf(history[place]);
    const own = history[place] as Message;
    const pieces = [
      { ...own, tool_calls: [one] },
      history[place + 1] as Message,
      assistant({ tool_calls: rest }),
      ...rest.map(({ id }) => result(String(id))),
    ];
    return { history: splice(place, 1 + callsOf(own).length, ...pieces)(history), report: { split: 1 } };
  }),
};

describe.each([
  ['strings', STRING, ON_STRINGS],
  ['lists', LIST, ON_LISTS],
  ['signatures of calls', SIGNED, ON_CALLS],
] as const)('damage to %s', (_name, carrier, mutations) => {
  const run = fc.record({
    turns: fc.array(turn, { maxLength: 2 }),
    steps: fc.array(answer, { minLength: 1, maxLength: 3 }),
  });
  const places = fc.infiniteStream(fc.nat());

  it.each(Object.entries(mutations))('%s', (_what, mutate) => {
    let applied = 0;
    fc.assert(
      fc.property(run, places, fc.constantFrom(...Object.keys(FORMS)), ({ turns, steps }, stream, form) => {
        const writer = new Writer();
        const client = talk(carrier.model);
        for (const one of turns) for (const act of acts(client, writer, carrier, one)) act();
        client.user(writer.question());
        for (const one of steps) writer.play(client, carrier, one);
        const below: Below = (limit) => (stream.next().value ?? 0) % limit;
        let damage: Damage | undefined;
        client.send((history) => {
          damage = mutate(history, below);
          return damage?.history ?? history;
        });
        if (damage === undefined) return;
        applied += 1;
        const last = client.steps.length - 1;
        Object.assign(client.steps[last]?.request ?? {}, damage.config);
        const { report } = damage;
        const verdict = Object.keys(report).length === 0 ? 'clean' : 'finding';
        const traffic = (FORMS[form] as (typeof FORMS)[string])(client.steps);
        const judged = judge(traffic);
        for (const [step, judgement] of judged) {
          const told = { step, report: reportOf(judgement), verdict: judgement.verdict };
          expect(told).toEqual(step === last ? { step, report, verdict } : { step, report: {}, verdict: 'clean' });
        }
        const judgement = judged.get(last);
        if (judgement) invariants(judgement, traffic, last);
      }),
      bounds(25),
    );
    expect(applied, 'the damage has really been done').toBeGreaterThan(8);
  });
});
