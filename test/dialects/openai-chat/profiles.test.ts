import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../../src/dialects/openai-chat/profiles.ts';
import { check } from './check.ts';
import { setAll, strip, without } from './edits.ts';
import { closedLoop, type Form, openLoop } from './loops.ts';
import { block, chunk, details, encrypted, rc, reasoning, seal, sealedText, text, thought } from './messages.ts';
import type { Report } from './talk.ts';

/** What each host wants back, and what leaving it out or sending it comes to, in one table. */

type Outcome = 'clean' | 'note' | 'finding';
interface Row {
  readonly profile: string;
  readonly model: string;
  readonly endpoint?: string;
  readonly form: Form;
  readonly settings?: Record<string, unknown>;
  /** Left out inside a loop, and after it. */
  readonly open: Outcome;
  readonly closed: Outcome;
  /** Sent after the loop: useful (clean), a waste (note), or refused (finding). */
  readonly sent?: Outcome;
}

const googleSigned: Form = (name) => ({ call: { extra_content: { google: { thought_signature: seal(name) } } } });
const think: Form = (name) => ({ content: `<think>${thought(name)}</think>\n\n` });
const split: Form = (name) => details({ text: thought(name) });
const copilot: Form = (name) => ({ reasoning_text: thought(name), reasoning_opaque: seal(name) });
const claude: Form = (name) => details(sealedText(name));
const litellm: Form = (name) => ({ reasoning_content: thought(name), thinking_blocks: [block(name)] });
const mistral: Form = (name) => ({ content: [chunk(name)] });

const ROWS: readonly Row[] = [
  { profile: 'deepseek', model: 'deepseek-v4-pro', form: rc, open: 'finding', closed: 'finding' },
  {
    profile: 'deepseek',
    model: 'deepseek-flash',
    endpoint: 'api.deepseek.com',
    form: rc,
    open: 'finding',
    closed: 'finding',
  },
  // Without tools it is ignored, in whichever turn.
  {
    profile: 'deepseek',
    model: 'deepseek-v4-pro',
    form: rc,
    settings: { tools: undefined },
    open: 'clean',
    closed: 'clean',
    sent: 'note',
  },
  { profile: 'kimi', model: 'kimi-k2.5', form: rc, open: 'finding', closed: 'clean', sent: 'note' },
  {
    profile: 'kimi',
    model: 'kimi-k2.6',
    form: rc,
    settings: { thinking: { type: 'enabled', keep: 'all' } },
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'kimi', model: 'kimi-k3', endpoint: 'api.moonshot.ai', form: rc, open: 'finding', closed: 'finding' },
  { profile: 'kimi', model: 'kimi-k2.7-code', form: rc, open: 'finding', closed: 'finding' },
  { profile: 'glm', model: 'glm-5.2', form: rc, open: 'finding', closed: 'clean', sent: 'note' },
  {
    profile: 'glm',
    model: 'glm-5.2',
    endpoint: 'api.z.ai',
    form: rc,
    settings: { thinking: { type: 'enabled', clear_thinking: false } },
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'glm_coding',
    model: 'glm-5.2',
    endpoint: 'https://api.z.ai/api/coding/paas/v4',
    form: rc,
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'minimax', model: 'MiniMax-M2.5', form: think, open: 'finding', closed: 'finding' },
  {
    profile: 'minimax',
    model: 'MiniMax-M3',
    form: split,
    settings: { reasoning_split: true },
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'qwen',
    model: 'qwen3.6-plus',
    form: rc,
    settings: { enable_thinking: true },
    open: 'finding',
    closed: 'clean',
    sent: 'note',
  },
  {
    profile: 'qwen',
    model: 'qwen3.6-plus',
    endpoint: 'dashscope.aliyuncs.com',
    form: rc,
    settings: { enable_thinking: true, preserve_thinking: true },
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'xai', model: 'grok-4', form: rc, open: 'clean', closed: 'clean', sent: 'note' },
  { profile: 'openai', model: 'gpt-5.5', form: rc, open: 'clean', closed: 'clean', sent: 'note' },
  {
    profile: 'azure',
    model: 'gpt-5.5',
    endpoint: 'corp.openai.azure.com',
    form: rc,
    open: 'clean',
    closed: 'clean',
    sent: 'note',
  },
  {
    profile: 'azure',
    model: 'DeepSeek-V4',
    endpoint: 'corp.services.ai.azure.com',
    form: rc,
    open: 'finding',
    closed: 'finding',
  },
  // Behind a router the maker of the model decides.
  { profile: 'openrouter', model: 'anthropic/claude-opus-4.5', form: claude, open: 'finding', closed: 'finding' },
  { profile: 'openrouter', model: 'anthropic/claude-sonnet-4.5', form: claude, open: 'finding', closed: 'note' },
  {
    profile: 'openrouter',
    model: 'openai/gpt-5',
    form: (name) => details(encrypted(name)),
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'openrouter',
    model: 'openai/gpt-5.6',
    form: (name) => details(encrypted(name)),
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'openrouter',
    model: 'x-ai/grok-4',
    form: (name) => details(encrypted(name, 0, 'xai-responses-v1')),
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'openrouter',
    model: 'deepseek/deepseek-v4-pro',
    form: (name) => ({ ...reasoning(name), ...details(text(name, 0, { format: 'unknown' })) }),
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'openrouter', model: 'moonshotai/kimi-k2.6', form: reasoning, open: 'finding', closed: 'clean' },
  {
    profile: 'openrouter',
    model: 'google/gemini-3.1-pro-preview',
    endpoint: 'openrouter.ai',
    form: (name) => details(encrypted(name, 0, 'google-gemini-v1')),
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'vercel',
    model: 'anthropic/claude-opus-4.5',
    endpoint: 'ai-gateway.vercel.sh',
    form: claude,
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'litellm',
    model: 'claude-opus-4-8',
    endpoint: 'litellm.corp:4000',
    form: litellm,
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'copilot',
    model: 'claude-opus-4.5',
    endpoint: 'api.githubcopilot.com',
    form: copilot,
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'gemini', model: 'gemini-3-flash-preview', form: googleSigned, open: 'finding', closed: 'clean' },
  {
    profile: 'gemini',
    model: 'gemini-3.5-flash',
    endpoint: 'generativelanguage.googleapis.com',
    form: googleSigned,
    open: 'finding',
    closed: 'finding',
  },
  { profile: 'gemini', model: 'gemini-2.5-pro', form: googleSigned, open: 'finding', closed: 'clean' },
  { profile: 'mistral', model: 'magistral-medium', form: mistral, open: 'finding', closed: 'finding' },
  { profile: 'mimo', model: 'mimo-v2.5-pro', form: rc, open: 'finding', closed: 'finding' },
  {
    profile: 'groq',
    model: 'openai/gpt-oss-120b',
    endpoint: 'api.groq.com',
    form: reasoning,
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'cerebras',
    model: 'zai-glm-4.7',
    endpoint: 'api.cerebras.ai',
    form: reasoning,
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'together',
    model: 'zai-org/GLM-5.3',
    endpoint: 'api.together.xyz',
    form: rc,
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'fireworks',
    model: 'accounts/fireworks/models/kimi-k2p6',
    endpoint: 'api.fireworks.ai',
    form: rc,
    settings: { reasoning_history: 'interleaved' },
    open: 'finding',
    closed: 'clean',
  },
  {
    profile: 'fireworks',
    model: 'accounts/fireworks/models/kimi-k2p6',
    endpoint: 'api.fireworks.ai',
    form: rc,
    settings: { reasoning_history: 'preserved' },
    open: 'finding',
    closed: 'finding',
  },
  {
    profile: 'novita',
    model: 'deepseek/deepseek-v4',
    endpoint: 'api.novita.ai',
    form: rc,
    open: 'finding',
    closed: 'clean',
  },
  { profile: 'vllm', model: 'Qwen/Qwen3.6-27B', endpoint: 'vllm', form: reasoning, open: 'finding', closed: 'clean' },
  {
    profile: 'sglang',
    model: 'Qwen/Qwen3.6-27B',
    endpoint: 'sglang:30000',
    form: rc,
    open: 'finding',
    closed: 'clean',
  },
  { profile: 'llama_cpp', model: 'qwen3.6', endpoint: 'llama.cpp:8080', form: rc, open: 'finding', closed: 'clean' },
  {
    profile: 'self_hosted',
    model: 'some-model',
    endpoint: '127.0.0.1:8000',
    form: rc,
    open: 'finding',
    closed: 'clean',
  },
  { profile: 'opencode', model: 'glm-5.2', endpoint: 'opencode.ai', form: rc, open: 'finding', closed: 'clean' },
  // Nothing is known but what holds everywhere.
  { profile: 'other', model: 'house-model-7', endpoint: 'models.corp', form: rc, open: 'finding', closed: 'clean' },
  {
    profile: 'gateway',
    model: 'claude-opus-4-8',
    endpoint: 'models.corp',
    form: rc,
    open: 'finding',
    closed: 'finding',
  },
];

const REPORTS: Readonly<Record<Outcome, (talk: ReturnType<typeof openLoop>, report: Report) => void>> = {
  clean: () => {},
  note: (talk, report) => void talk.notes(report),
  finding: (talk, report) => void talk.finds(report),
};

const named = ROWS.map((row): [string, Row] => {
  const settings = row.settings === undefined ? '' : ` ${JSON.stringify(row.settings, (_, value) => value ?? 'none')}`;
  return [`${row.profile}: ${row.model}${settings}`, row];
});

it('the table names every profile', () => {
  const known = [...PROFILES.map(({ name }) => name), 'other', 'gateway'];
  expect([...new Set(ROWS.map(({ profile }) => profile))].sort()).toEqual(known.sort());
});

describe.each(named)('%s', (_name, { model, endpoint, form, settings, open, closed, sent = 'clean' }) => {
  const config = { ...(endpoint === undefined ? {} : { endpoint }), ...settings };

  it('a faithful client inside the loop', () => check(openLoop(model, form, config).send()));

  it(`left out inside the loop: ${open}`, () => {
    const talk = openLoop(model, form, config).send(strip);
    REPORTS[open](talk, { dropped: 2 });
    check(talk);
  });

  it(`left out after it: ${closed}`, () => {
    const talk = closedLoop(model, form, config).send(strip);
    REPORTS[closed](talk, { dropped: 2 });
    check(talk);
  });

  it(`sent after it: ${sent}`, () => {
    const talk = closedLoop(model, form, config).send();
    REPORTS[sent](talk, { carried: 2 });
    check(talk);
  });
});

describe('settings that say otherwise', () => {
  const keep = { thinking: { type: 'enabled', keep: 'all' } };

  it('MiMo asks for it on messages with calls only', () => {
    const bare = setAll((message) => (message.tool_calls ? {} : without('reasoning_content')));
    check(closedLoop('mimo-v2.5-pro', rc).send(bare).notes({ dropped: 1 }));
  });

  it('kept for this request only', () => check(closedLoop('kimi-k2.6', rc).send(strip, keep).finds({ dropped: 2 })));

  it('GLM told to clear on the endpoint that keeps', () =>
    check(
      closedLoop('glm-5.2', rc, { endpoint: 'api.z.ai/api/coding/paas/v4' }).send(strip, {
        thinking: { clear_thinking: true },
      }),
    ));

  it('a router told to read the current turn only', () =>
    check(
      closedLoop('openai/gpt-5.6', (name) => details(encrypted(name)), { reasoning: { context: 'current_turn' } }).send(
        strip,
      ),
    ));

  it('a router told to read all turns', () =>
    check(
      closedLoop('openai/gpt-5', (name) => details(encrypted(name)), { reasoning: { context: 'all_turns' } })
        .send(strip)
        .finds({ dropped: 2 }),
    ));
});
