import { beforeAll, describe, expect, it } from 'vitest';
import type { Simulator } from '../../../src/simulator/index.ts';
import { copy, type Loose, simulator } from '../support.ts';
import { BOOK, outputsFor, place, playLoop, ROUNDS, respond } from './support.ts';

const MODEL = 'gpt-5';
const EFFORT = { reasoning: { effort: 'medium' } };
let sim: Simulator;
/** Developer, user, reasoning, message, call, output, reasoning, call, call, output, output. */
let next: Loose;
const begin = async (options: Parameters<typeof simulator>[0] = {}) => {
  sim = await simulator({ responses: { script: ROUNDS }, ...options });
  next = await playLoop(sim, MODEL, { body: EFFORT });
};

interface Refusal {
  readonly what: string;
  readonly change: (input: Loose[], body: Loose) => void;
  readonly message: RegExp;
  readonly error?: Loose;
}

const reasoning = (input: Loose[], nth = 0): Loose => input.filter(({ type }) => type === 'reasoning').at(nth);

const REFUSED: readonly Refusal[] = [
  {
    what: 'P1: reasoning with its id, its message gone',
    change: (input) => input.splice(3, 1),
    message: /^Item 'rs_\w+' of type 'reasoning' was provided without its required following item\.$/,
    error: { type: 'invalid_request_error', param: 'input', code: null },
  },
  {
    what: 'P1: the follower rebuilt without its id',
    change: (input) => delete input[3].id,
    message: /of type 'reasoning' was provided without its required following item/,
  },
  {
    what: 'P1: a message put between reasoning and its call',
    change: (input) => input.splice(7, 0, { role: 'assistant', content: 'Wait.' }),
    message: /of type 'reasoning' was provided without its required following item/,
  },
  {
    what: 'P1: reasoning at the end',
    change: (input) => {
      for (const item of input.slice(7)) delete item.id;
      input.push(input.splice(6, 1)[0]);
    },
    message: /of type 'reasoning' was provided without its required following item/,
  },
  {
    what: 'P2: reasoning stripped, the message keeps its id',
    change: (input) => input.splice(2, 1),
    message: /^Item 'msg_\w+' of type 'message' was provided without its required 'reasoning' item: 'rs_\w+'\.$/,
    error: { param: 'input', code: null },
  },
  {
    what: 'P2: reasoning stripped, calls keep their ids',
    change: (input) => input.splice(6, 1),
    message: /^Item 'fc_\w+' of type 'function_call' was provided without its required 'reasoning' item: 'rs_\w+'\.$/,
  },
  {
    what: 'P2: reasoning and first call gone, the second call keeps its id',
    change: (input) => {
      const [, first] = input.splice(6, 2);
      input.splice(
        input.findIndex(({ type, call_id }) => type === 'function_call_output' && call_id === first.call_id),
        1,
      );
    },
    message: /of type 'function_call' was provided without its required 'reasoning' item/,
  },
  {
    what: 'P2: ciphertext without its id does not excuse the id of the follower',
    change: (input) => delete reasoning(input).id,
    message: /of type 'message' was provided without its required 'reasoning' item/,
  },
  {
    what: 'P4: a call without its output',
    change: (input) => input.pop(),
    message: /^No tool output found for function call call_\w+\.$/,
    error: { param: 'input', code: null },
  },
  {
    what: 'P4: an output without its call',
    change: (input) => input.push({ type: 'function_call_output', call_id: 'call_none', output: '' }),
    message: /^No tool call found for function call output with call_id call_none\.$/,
  },
  {
    what: 'P5: an item twice',
    change: (input) => input.push(copy(input[2]), copy(input[3])),
    message: /^Duplicate item found with id rs_\w+\. Remove duplicate items from your input and try again\.$/,
  },
  {
    what: 'E3: a bare id, nothing stored',
    change: (input) => delete reasoning(input).encrypted_content,
    message: /^Item with id 'rs_\w+' not found\. Items are not persisted when `store` is set to false\./,
  },
  {
    what: 'E3: ciphertext emptied',
    change: (input) => (reasoning(input).encrypted_content = ''),
    message: /^Item with id 'rs_\w+' not found\./,
  },
  {
    what: 'E4: ciphertext changed',
    change: (input) => {
      const token = reasoning(input).encrypted_content;
      reasoning(input).encrypted_content = `${token.slice(0, 40)}${token[40] === 'A' ? 'B' : 'A'}${token.slice(41)}`;
    },
    message:
      /^The encrypted content for item rs_\w+ could not be verified\. Reason: Encrypted content could not be decrypted or parsed\.$/,
    error: { code: 'invalid_encrypted_content', param: null },
  },
  {
    what: 'E4: ciphertext cut',
    change: (input) => (reasoning(input).encrypted_content = reasoning(input).encrypted_content.slice(0, 60)),
    message: /could not be verified/,
  },
  {
    what: "E4: another item's ciphertext",
    change: (input) => (reasoning(input).encrypted_content = reasoning(input, 1).encrypted_content),
    message: /Reason: Encrypted content item_id did not match the target item id\.$/,
    error: { code: 'invalid_encrypted_content' },
  },
  {
    what: 'E4 without an id names the ends of the ciphertext',
    change: (input) => {
      delete reasoning(input).id;
      reasoning(input).encrypted_content += 'A';
    },
    message: /^The encrypted content gAAA\.\.\.\S{4} could not be verified/,
  },
  {
    what: 'E9: an empty summary stripped',
    change: (input) => delete reasoning(input).summary,
    message: /^Missing required parameter: 'input\[2\]\.summary'\.$/,
    error: { param: 'input[2].summary', code: 'missing_required_parameter' },
  },
  {
    what: 'E10: status on reasoning',
    change: (input) => (reasoning(input).status = 'completed'),
    message: /^Unknown parameter: 'input\[2\]\.status'\.$/,
    error: { code: 'unknown_parameter' },
  },
  {
    what: 'E10: what the SDK added',
    change: (input) => (input[4].parsed_arguments = {}),
    message: /^Unknown parameter: 'input\[4\]\.parsed_arguments'\.$/,
  },
  {
    what: 'E10: what the SDK added to a text',
    change: (input) => (input[3].content[0].parsed = null),
    message: /^Unknown parameter: 'input\[3\]\.content\[0\]\.parsed'\.$/,
  },
  {
    what: 'E10b: an id of another kind',
    change: (input) => (reasoning(input).id = 'item_1'),
    message: /Expected an ID that begins with 'rs'\.$/,
  },
  {
    what: 'E10b: an id too long',
    change: (input) => (reasoning(input).id = `rs_${'a'.repeat(70)}`),
    message: /string too long\. Expected a string with maximum length 64/,
  },
  {
    what: 'E10b: an id with other characters',
    change: (input) => (reasoning(input).id = 'rs_a b'),
    message: /letters, numbers, underscores, or dashes/,
  },
  {
    what: 'E11: a model that does not reason',
    change: (_, body) => Object.assign(body, { model: 'gpt-4.1', reasoning: undefined }),
    message: /can only be provided to a reasoning or computer use model/,
  },
  {
    what: 'an effort the model does not have',
    change: (_, body) => (body.reasoning = { effort: 'none' }),
    message: /'none' is not supported with the 'gpt-5' model\. Supported values are: 'minimal', 'low'/,
    error: { param: 'reasoning.effort', code: 'unsupported_value' },
  },
  {
    what: 'a parameter that does not exist',
    change: (_, body) => (body.thinking = {}),
    message: /^Unknown parameter: 'thinking'\.$/,
  },
  {
    what: 'no model',
    change: (_, body) => delete body.model,
    message: /^Missing required parameter: 'model'\.$/,
  },
  {
    what: 'two ways to hold the state',
    change: (_, body) => Object.assign(body, { previous_response_id: 'resp_1', conversation: 'conv_1' }),
    message: /Mutually exclusive/,
  },
  {
    what: 'a compaction trigger that is not the last item',
    change: (input) => input.unshift({ type: 'compaction_trigger' }),
    message: /must be the last input item/,
  },
];

describe('refused', () => {
  for (const { what, change, message, error } of REFUSED) {
    it(what, async () => {
      await begin();
      const body = copy(next);
      change(body.input, body);
      const sent = await respond(sim, body);
      expect(sent.body.error?.message).toMatch(message);
      expect(sent.status).toBe(what.startsWith('E3') ? 404 : 400);
      expect(sent.body.error).toMatchObject(error ?? {});
      expect(sent.verdict).toMatchObject({ status: sent.status, error: { message: sent.body.error.message } });
      // The faithful request is still good.
      expect((await respond(sim, next)).status).toBe(200);
    });
  }

  it('no key, no JSON, no such model, no such path', async () => {
    await begin();
    const send = (init: RequestInit, path = '') => fetch(`${sim.url}/v1/responses${path}`, { method: 'POST', ...init });
    expect((await send({ body: '{}' })).status).toBe(401);
    const headers = { authorization: 'Bearer key' };
    expect((await send({ headers, body: '{' })).status).toBe(400);
    expect(await respond(sim, { model: 'gpt-9', input: 'x' })).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found' } },
    });
    expect((await send({ headers, body: '{}' }, '/resp_1/nothing')).status).toBe(404);
  });
});

interface Accepted {
  readonly what: string;
  readonly change: (input: Loose[], body: Loose) => void;
  /** Reasoning that the model is shown afterwards. */
  readonly shown: number;
  readonly plan?: unknown;
}

const ACCEPTED: readonly Accepted[] = [
  { what: 'everything as it came', change: () => {}, shown: 2, plan: { round: 1 } },
  {
    what: 'reasoning stripped, and the ids of what it led to',
    change: (input) => {
      for (const item of input) delete item.id;
      input.splice(0, input.length, ...input.filter(({ type }) => type !== 'reasoning'));
    },
    shown: 0,
  },
  {
    what: 'ids stripped from reasoning and followers alike, ciphertext kept',
    change: (input) => {
      for (const item of input) delete item.id;
    },
    shown: 2,
    plan: { round: 1 },
  },
  {
    what: 'only the newest reasoning stripped, with the ids of its calls',
    change: (input) => {
      input.splice(6, 1);
      for (const item of input.slice(6)) delete item.id;
    },
    shown: 1,
    plan: { round: 0 },
  },
  {
    what: 'outputs directly behind their calls',
    change: (input) => input.splice(8, 3, input[9], input[8], input[10]),
    shown: 2,
    plan: { round: 1 },
  },
  {
    what: 'a summary pasted back as a message',
    change: (input) => {
      for (const item of input) delete item.id;
      input.splice(2, 1, { role: 'assistant', content: 'The price is a hard limit.' });
    },
    shown: 1,
    plan: { round: 1 },
  },
  {
    what: 'an edited summary over intact ciphertext',
    change: (input) => reasoning(input).summary.push({ type: 'summary_text', text: 'Other.' }),
    shown: 2,
    plan: { round: 1 },
  },
  { what: 'effort changed', change: (_, body) => (body.reasoning = { effort: 'high' }), shown: 2, plan: { round: 1 } },
  {
    what: 'statuses of calls and messages left out',
    change: (input) => {
      for (const item of input) delete item.status;
    },
    shown: 2,
    plan: { round: 1 },
  },
  {
    what: 'a new user message: reasoning of the closed turn may still be sent and is not rendered',
    change: (input) => input.push({ role: 'user', content: 'And back?' }),
    shown: 0,
  },
  {
    what: 'text of earlier turns as plain messages',
    change: (input) => input.unshift({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }),
    shown: 2,
    plan: { round: 1 },
  },
];

describe('accepted without any error', () => {
  const plans: unknown[] = [];
  let tail: Simulator;
  beforeAll(() => {
    plans.length = 0;
  });
  for (const { what, change, shown, plan } of ACCEPTED) {
    it(what, async () => {
      tail = await simulator({
        responses: {
          script: (call) => {
            plans.push(call.plan);
            return ROUNDS[Math.min(call.answers, 3)] ?? { content: [] };
          },
        },
      });
      const body = copy(await playLoop(tail, MODEL, { body: EFFORT }));
      change(body.input, body);
      const sent = await respond(tail, body);
      expect(sent.body.error?.message).toBeUndefined();
      expect(sent.verdict.shown).toHaveLength(shown);
      expect(sent.verdict.dropped).toEqual([]);
      expect(plans.at(-1)).toEqual(plan);
    });
  }

  it('an asynchronous call may be answered later', async () => {
    sim = await simulator({
      responses: {
        script: [
          { content: [{ think: 'a' }, { tool: 'search', async: true }, { tool: 'book' }] },
          { content: [{ think: 'b' }, { text: 'Done so far.' }] },
          { content: [{ text: 'Done.' }] },
        ],
      },
    });
    const first = await respond(sim, { model: MODEL, store: false, tools: [BOOK], input: 'Go' });
    const [late, now] = outputsFor(first.body.output);
    const input = [{ role: 'user', content: 'Go' }, ...first.body.output, now];
    const second = await respond(sim, { model: MODEL, store: false, tools: [BOOK], input });
    expect(second.status).toBe(200);
    const third = { model: MODEL, store: false, tools: [BOOK], input: [...input, ...second.body.output, late] };
    expect((await respond(sim, third)).status).toBe(200);
  });

  it('calls that share one leading item of reasoning', async () => {
    await begin();
    expect(next.input.slice(6, 9).map(({ type }: Loose) => type)).toEqual([
      'reasoning',
      'function_call',
      'function_call',
    ]);
    expect((await respond(sim, next)).verdict.shown).toEqual(['input.2', 'input.6']);
  });
});

describe('where sources disagree', () => {
  it('status on reasoning, the HTTP status of E3, reasoning for a plain model', async () => {
    await begin({ responses: { script: ROUNDS, conflicts: 'lenient' } });
    const body = copy(next);
    reasoning(body.input).status = 'completed';
    expect((await respond(sim, body)).status).toBe(200);
    delete reasoning(body.input).encrypted_content;
    expect((await respond(sim, body)).status).toBe(400);
    const plain = { ...copy(next), model: 'gpt-4.1', reasoning: undefined };
    const sent = await respond(sim, plain);
    expect(sent.verdict.stripped.map(({ reason }) => reason)).toEqual(['plain_model', 'plain_model']);
    expect(sent.body.output.map(({ type }: Loose) => type)).toEqual(['function_call']);
  });

  it('an answer that ended in its reasoning cannot be gone on from (P7)', async () => {
    sim = await simulator({ responses: { script: ROUNDS } });
    const first = await respond(sim, { model: MODEL, input: 'Go', max_output_tokens: 50 });
    expect(first.body).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(first.body.output.map(({ type }: Loose) => type)).toEqual(['reasoning']);
    const message = /of type 'reasoning' was provided without its required following item/;
    const chained = await respond(sim, { model: MODEL, input: 'On', previous_response_id: first.body.id });
    expect(chained.body.error.message).toMatch(message);
    const input = [{ role: 'user', content: 'Go' }, ...first.body.output, { role: 'user', content: 'On' }];
    expect((await respond(sim, { model: MODEL, input, store: false })).body.error.message).toMatch(message);
    // The recommended repair.
    const repaired = input.filter(({ type }) => type !== 'reasoning');
    expect((await respond(sim, { model: MODEL, input: repaired })).status).toBe(200);
  });

  it('a lost phase is accepted', async () => {
    sim = await simulator({ responses: { script: ROUNDS } });
    const body = await playLoop(sim, 'gpt-5.6-sol');
    const message = body.input[place(body, 'message')];
    expect(message.phase).toBe('commentary');
    delete message.phase;
    expect((await respond(sim, body)).verdict).toMatchObject({ status: 200, shown: ['input.2', 'input.6'] });
  });
});
