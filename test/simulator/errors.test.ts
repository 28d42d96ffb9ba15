import { describe, expect, it } from 'vitest';
import { BINDING, BOOK, type Loose, playLoop, post, ROUNDS, SEARCH, simulator } from './support.ts';

const ask = (more: Loose = {}): Loose => ({
  model: 'claude-opus-5-5',
  max_tokens: 500,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
});
const use = (id: string, more: Loose = {}) => ({ type: 'tool_use', id, name: 'search', input: {}, ...more });
const result = (id: string, more: Loose = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more });
const user = (...content: Loose[]) => ({ role: 'user', content });
const assistant = (...content: Loose[]) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const hello = user(text('Hello'));
const webSearch = { type: 'web_search_20250305', name: 'web_search' };
const serverCall = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
const compactionOf = (content: Loose, more: Loose = {}) => ({ type: 'compaction', content, ...more });

interface Row {
  readonly name: string;
  readonly body: Loose;
  readonly says: string;
  readonly status?: number;
  readonly type?: string;
  readonly code?: string;
  readonly betas?: readonly string[];
}

const UNANSWERED = '`tool_use` ids were found without `tool_result` blocks immediately after';
const ORPHAN = 'unexpected `tool_use_id` found in';

const ROWS: readonly Row[] = [
  { name: 'no model', body: ask({ model: undefined }), says: 'model: Field required' },
  {
    name: 'unknown model',
    body: ask({ model: 'claude-sonnet-4-7' }),
    says: 'model: claude-sonnet-4-7',
    status: 404,
    type: 'not_found_error',
  },
  { name: 'no max_tokens', body: ask({ max_tokens: undefined }), says: 'max_tokens: Field required' },
  { name: 'no messages', body: ask({ messages: undefined }), says: 'messages: ' },
  { name: 'empty messages', body: ask({ messages: [] }), says: 'at least one message is required' },
  { name: 'unknown role', body: ask({ messages: [{ role: 'tool', content: '' }] }), says: 'messages.0.role: ' },
  { name: 'no content', body: ask({ messages: [{ role: 'user' }] }), says: 'messages.0.content: Field required' },
  { name: 'unknown member', body: ask({ reasoning: {} }), says: 'reasoning: Extra inputs are not permitted' },
  {
    name: 'fallbacks without header',
    body: ask({ fallbacks: 'default' }),
    says: 'fallbacks: Extra inputs are not permitted',
  },
  {
    name: 'context editing without header',
    body: ask({ context_management: { edits: [] } }),
    says: 'context_management: Extra inputs',
  },
  {
    name: 'edit without its own header',
    body: ask({ context_management: { edits: [{ type: 'compact_20260112' }] } }),
    betas: ['context-management-2025-06-27'],
    says: 'context_management.edits.0',
  },
  { name: 'same tool name twice', body: ask({ tools: [SEARCH, SEARCH] }), says: 'unique', code: 'tool_name_conflict' },
  ...['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-mythos-5-1'].flatMap((model) =>
    [{ type: 'any' }, { type: 'tool', name: 'search' }].map((tool_choice) => ({
      name: `forced tool, ${model}, ${tool_choice.type}`,
      body: ask({ model, tools: [SEARCH], tool_choice }),
      says: 'tool_choice: type "tool" and "any" are not supported',
    })),
  ),
  {
    name: 'call without result',
    body: ask({ messages: [hello, assistant(use('t1')), user(text('Well?'))] }),
    says: UNANSWERED,
  },
  {
    name: 'call at the end',
    body: ask({ model: 'claude-sonnet-4-5', messages: [hello, assistant(use('t1'))] }),
    says: UNANSWERED,
  },
  {
    name: 'one of two results',
    body: ask({ messages: [hello, assistant(use('t1'), use('t2')), user(result('t1'))] }),
    says: 't2',
  },
  {
    name: 'text before the result',
    body: ask({ messages: [hello, assistant(use('t1')), user(text('So:'), result('t1'))] }),
    says: UNANSWERED,
  },
  {
    name: 'late result',
    body: ask({ messages: [hello, assistant(use('t1')), user(text('x')), assistant(text('y')), user(result('t1'))] }),
    says: UNANSWERED,
  },
  {
    name: 'results split',
    body: ask({ messages: [hello, assistant(use('t1'), use('t2')), user(result('t1')), user(result('t2'))] }),
    says: UNANSWERED,
  },
  { name: 'orphan result', body: ask({ messages: [hello, assistant(text('x')), user(result('t9'))] }), says: ORPHAN },
  {
    name: 'orphan beside a good one',
    body: ask({ messages: [hello, assistant(use('t1')), user(result('t1'), result('t9'))] }),
    says: 'messages.2.content.1: ',
  },
  {
    name: 'two results for one call',
    body: ask({ messages: [hello, assistant(use('t1')), user(result('t1'), result('t1'))] }),
    says: 'single result',
  },
  {
    name: 'toolset name not repeated',
    body: ask({ messages: [hello, assistant(use('t1', { toolset_name: 'browser' })), user(result('t1'))] }),
    says: 'toolset_name',
  },
  {
    name: 'system message first',
    body: ask({ messages: [{ role: 'system', content: 'x' }, hello] }),
    says: "role 'system' must follow a 'user' message",
  },
  {
    name: 'system message between call and result',
    body: ask({ messages: [hello, assistant(use('t1')), { role: 'system', content: 'x' }, user(result('t1'))] }),
    says: "role 'system' must follow a 'user' message",
  },
  {
    name: 'system message on sonnet-5',
    body: ask({ model: 'claude-sonnet-5', messages: [hello, { role: 'system', content: 'x' }] }),
    says: 'not supported on this model',
  },
  {
    name: 'effort in a message without header',
    body: ask({ messages: [hello, { role: 'system', output_config: { effort: 'low' } }] }),
    says: 'output_config: Extra inputs are not permitted',
  },
  {
    name: 'prefill',
    body: ask({ messages: [hello, assistant(text('It is'))] }),
    says: 'does not support assistant message prefill',
  },
  {
    name: 'open server tool, then a user text',
    body: ask({ tools: [webSearch], messages: [hello, assistant(serverCall), user(text('And?'))] }),
    says: 'was found without a corresponding `web_search_tool_result` block',
  },
  {
    name: 'open server tool, tool gone',
    body: ask({ messages: [hello, assistant(serverCall)] }),
    says: 'tool was provided',
  },
  {
    name: 'programmatic call: container missing',
    body: ask({
      messages: [
        hello,
        assistant(use('t1', { caller: { type: 'code_execution_20260120', tool_id: 's' } })),
        user(result('t1')),
      ],
    }),
    says: 'container_id is required',
  },
  {
    name: 'programmatic call: text beside the result',
    body: ask({
      container: 'c',
      messages: [
        hello,
        assistant(use('t1', { caller: { type: 'code_execution_20260120', tool_id: 's' } })),
        user(result('t1'), text('x')),
      ],
    }),
    says: 'only `tool_result` blocks',
  },
  {
    name: 'compaction of nothing',
    body: ask({ compaction: { type: 'summarize' }, messages: [assistant(compactionOf('s'))] }),
    betas: ['compact-2026-09-04'],
    says: 'nothing to summarize',
    code: 'compaction_nothing_to_summarize',
  },
  {
    name: 'compaction inside an answer',
    body: ask({ compaction: { type: 'summarize' }, messages: [hello, assistant(use('t1'))] }),
    betas: ['compact-2026-09-04'],
    says: 'unfinished',
    code: 'compaction_incomplete_turn',
  },
  {
    name: 'forged compaction',
    body: ask({ messages: [assistant(compactionOf('s', { signature: 'QUJD' })), hello] }),
    says: 'compaction',
    code: 'compaction_signature_invalid',
  },
  {
    name: 'empty compaction',
    body: ask({ messages: [assistant(compactionOf('')), hello] }),
    says: 'must not be empty',
  },
  {
    name: 'continued thread unknown',
    body: ask({ thread: { type: 'continue', previous_message_id: 'msg_x' } }),
    betas: ['message-threads-2026-08-12'],
    says: 'msg_x',
    status: 404,
    type: 'not_found_error',
    code: 'thread_not_found',
  },
];

describe('what is refused, and how', () => {
  for (const { name, body, says, status = 400, type = 'invalid_request_error', code, betas } of ROWS) {
    it(name, async () => {
      const sent = await post(await simulator(), body, betas && { betas });
      expect(sent.body.error.message).toContain(says);
      expect(sent.status).toBe(status);
      expect(sent.body).toEqual({
        type: 'error',
        error: { type, message: expect.any(String), ...(code && { details: { error_code: code } }) },
        request_id: sent.headers.get('request-id'),
      });
      expect(sent.headers.get('request-id')).toMatch(/^req_011[0-9A-Za-z]{22}$/);
      expect(sent.verdict).toMatchObject({ status, error: { type, message: sent.body.error.message } });
    });
  }

  it('results split over messages pass where the lenient reading is chosen', async () => {
    const sim = await simulator({ anthropic: { conflicts: { splitResults: 'accept' } } });
    const messages = [hello, assistant(use('t1'), use('t2')), user(result('t1')), user(result('t2'))];
    expect((await post(sim, ask({ messages }))).status).toBe(200);
  });

  it('a signed compaction has its place, its content and its peace', async () => {
    const sim = await simulator({ anthropic: { script: ROUNDS } });
    const betas = ['compact-2026-09-04'];
    const body = await playLoop(sim, 'claude-opus-5-5', { closed: true });
    const made = await post(sim, { ...body, compaction: { type: 'summarize' } }, { betas });
    const [block] = made.body.content;
    const asked = (messages: Loose[]) => post(sim, { ...body, messages });
    const code = async (messages: Loose[]) => (await asked(messages)).body.error?.details.error_code;
    expect(await code([assistant(block), hello])).toBeUndefined();
    expect(await code([hello, assistant(block), hello])).toBe('compaction_block_misplaced');
    expect(await code([assistant(block, block), hello])).toBe('compaction_block_ambiguous');
    expect(await code([assistant({ ...block, content: 'Mine.' }), hello])).toBe('compaction_content_mismatch');
    const changes = [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'book' } }];
    expect(await code([assistant({ ...block, tool_changes: changes }), hello])).toBe(
      'compaction_tool_changes_mismatch',
    );
  });

  it('a key is asked for', async () => {
    const sim = await simulator();
    const response = await fetch(`${sim.url}/v1/messages`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  });

  it('a body that is no JSON, a path that is none', async () => {
    const sim = await simulator();
    const headers = { 'x-api-key': 'key' };
    const broken = await fetch(`${sim.url}/v1/messages`, { method: 'POST', headers, body: '{' });
    expect(broken.status).toBe(400);
    expect((await fetch(`${sim.url}/v1/nothing`, { headers })).status).toBe(404);
    expect(sim.requests.map(({ verdict }) => verdict.status)).toEqual([400, 404]);
  });

  it('Vertex refuses a beta it does not know, Bedrock answers in its own shape', async () => {
    const sim = await simulator();
    const { model: _, ...body } = ask();
    const vertexPath = '/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-5-5@20260901:rawPredict';
    const vertex = { ...body, anthropic_version: 'vertex-2023-10-16' };
    expect((await post(sim, vertex, { path: vertexPath, betas: [BINDING] })).status).toBe(200);
    const unknown = await post(sim, vertex, { path: vertexPath, betas: ['made-up-2026-01-01'] });
    expect(unknown.body.error.message).toContain('made-up-2026-01-01');
    const bedrockPath = '/model/anthropic.claude-opus-5-5/invoke';
    const bedrock = { ...body, anthropic_version: 'bedrock-2023-05-31', messages: [] };
    const refused = await post(sim, bedrock, { path: bedrockPath });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ message: expect.stringContaining('at least one message') });
    expect(refused.headers.get('x-amzn-errortype')).toBe('ValidationException');
    const fallbacks = await post(sim, { ...bedrock, messages: [hello], fallbacks: 'default' }, { path: bedrockPath });
    expect(fallbacks.body.message).toContain('fallbacks: Extra inputs are not permitted');
  });

  it('a thrown script is a 500 that names itself, not a hang', async () => {
    const sim = await simulator({
      anthropic: {
        script: () => {
          throw new Error('no idea');
        },
      },
    });
    const sent = await post(sim, ask({ tools: [BOOK] }));
    expect(sent.status).toBe(500);
    expect(sent.body.error.message).toContain('simulator: Error: no idea');
  });
});
