import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { run } from './command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reasoning-otel-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const transcript = (name: string, steps: readonly object[]): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ steps: steps.map((step) => ({ api: 'anthropic.messages', ...step })) }));
  return file;
};
const user = { role: 'user', content: 'q' };
const answer = [
  { type: 'thinking', thinking: 't', signature: 'c2lnbmF0dXJl' },
  { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} },
];
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' }] };
const request = (messages: readonly object[]) => ({
  request: {
    model: 'claude-opus-4-8',
    max_tokens: 9,
    thinking: { type: 'adaptive' },
    tools: [{ name: 'find' }],
    messages,
  },
});
const response = { response: { id: 'msg_1', role: 'assistant', model: 'claude-opus-4-8', content: answer } };

describe('reasoning-otel', () => {
  it('--version and --help', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
    const help = await run(['--help']);
    expect(help.code).toBe(0);
    expect(help.stdout).toMatch(/watch[\s\S]*audit/);
    const ofWatch = await run(['watch', '--help']);
    expect(ofWatch).toMatchObject({ code: 0 });
    expect(ofWatch.stdout).toContain('[--port <port>] [-- command …]');
  });

  it('without a command it shows the help and fails', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: reasoning-otel');
  });

  it.each([
    ['an unknown option', ['--verbos'], /unknown option '--verbos'/],
    ['an unknown option of watch', ['watch', '--prt', '1'], /unknown option '--prt'/],
    ['an unknown command', ['wach'], /unknown command 'wach'/],
    ['a port that is none', ['watch', '--port', 'http'], /--port.*'http'.*0 to 65535/],
    ['a port out of range', ['watch', '--port', '70000'], /70000/],
    ['an audit of nothing', ['audit'], /missing required argument 'file'/],
    ['a file that is not there', ['audit', 'nowhere.json'], /nowhere\.json/],
  ])('%s: one line, exit code 2', async (_name, args, line) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^reasoning-otel: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('reasoning-otel audit', () => {
  it('exits 0 where nothing is lost and 1 where something is', async () => {
    const echoed = transcript('echoed.json', [
      request([user]),
      response,
      request([user, { role: 'assistant', content: answer }, result]),
    ]);
    const stripped = transcript('stripped.json', [
      request([user]),
      response,
      request([user, { role: 'assistant', content: answer.slice(1) }, result]),
    ]);
    expect(await run(['audit', echoed])).toMatchObject({ code: 0, stderr: '' });
    const bad = await run(['audit', echoed, stripped]);
    expect(bad).toMatchObject({ code: 1, stderr: '' });
    expect(bad.stdout).not.toContain('\u001b[');
    const json = await run(['audit', '--json', stripped]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      steps: [{ verdict: 'clean' }, { verdict: 'finding', report: { dropped: 1 } }],
    });
  });
});

describe('settings of the environment', () => {
  const whole = () =>
    transcript('settings.json', [
      request([user]),
      response,
      request([user, { role: 'assistant', content: answer }, result]),
    ]);
  const rows = (name: string, content: string): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  it.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    [
      'a value that is none',
      () => ({ REASONING_OTEL_LEDGER_MAX_ENTRIES: 'many' }),
      /REASONING_OTEL_LEDGER_MAX_ENTRIES is "many": expected/,
    ],
    [
      'a file that is not there',
      () => ({ REASONING_OTEL_MODELS: 'nowhere.json' }),
      /REASONING_OTEL_MODELS: nowhere\.json/,
    ],
    [
      'a file that is no JSON',
      () => ({ REASONING_OTEL_MODELS: rows('broken.json', '{"a": ') }),
      /broken\.json.*1:\d+|broken\.json.*line 1/,
    ],
    [
      'a row with a wrong member',
      () => ({
        REASONING_OTEL_MODELS: rows(
          'rows.json',
          '{"anthropic.messages":{"claude-next":{"like":"claude-opus-5-5","keepsAll":"yes"}}}',
        ),
      }),
      /rows\.json: anthropic\.messages\.claude-next\.keepsAll/,
    ],
  ])('%s: one line, exit 2, nothing judged', async (_name, env, line) => {
    const { code, stdout, stderr } = await run(['audit', whole()], env());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(line);
  });

  it('model rows of the user are judged by', async () => {
    const env = {
      REASONING_OTEL_MODELS: rows('kept.json', '{"anthropic.messages":{"house-model":{"like":"claude-opus-4-8"}}}'),
    };
    const body = (messages: readonly object[]) => ({ request: { ...request(messages).request, model: 'house-model' } });
    const done = [answer[0] as object, { type: 'text', text: 'Done with all of it.' }];
    const closed = transcript('house.json', [
      body([user]),
      { response: { ...response.response, model: 'house-model', content: done } },
      body([user, { role: 'assistant', content: done.slice(1) }, user]),
    ]);
    expect(await run(['audit', closed])).toMatchObject({ code: 0 });
    expect(await run(['audit', closed], env)).toMatchObject({ code: 1 });
  });
});
