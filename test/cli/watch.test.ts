import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../demo/model.ts';
import { startSimulator } from '../../src/simulator/index.ts';
import { callSpan, tracePayload } from '../watch/otlp.ts';
import { run, start } from './command.ts';

const NODE = process.execPath;
const script = (code: string): string[] => ['--', NODE, '-e', code];

let occupant: Server | undefined;
afterEach(() => occupant?.close());

const occupy = async (port: number): Promise<number> => {
  occupant = createServer();
  await new Promise<void>((resolve, reject) => occupant?.once('error', reject).listen(port, '127.0.0.1', resolve));
  return (occupant.address() as AddressInfo).port;
};

describe('reasoning-otel watch, without a command', () => {
  it('shows what is sent to it as it comes, and closes with a summary on Ctrl-C', async () => {
    const watch = start(['watch', '--port', '0']);
    const [, url] = await watch.seen(/listening on (\S+)/);
    const body = tracePayload([callSpan({ 'reasoning.blocks.issued': 1 })]);
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/v1/traces`, { method: 'POST', body, headers })).status).toBe(200);
    await watch.seen(/ 1 {2}claude-opus-4-8/);
    expect((await fetch(`${url}/v1/traces`, { method: 'POST', body: 'x' })).status).toBe(415);
    await watch.seen(/! cannot read text\/plain.*OTEL_EXPORTER_OTLP_PROTOCOL=http\/json/);
    watch.child.kill('SIGINT');
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/Summary\n {2}runs +1, all clean/);
    expect(stdout).not.toContain('\u001b[');
  });

  it('colours where asked to, not under NO_COLOR', async () => {
    const coloured = async (env: NodeJS.ProcessEnv): Promise<boolean> => {
      const watch = start(['watch', '--port', '0'], env);
      await watch.seen(/an estimate/);
      watch.child.kill('SIGTERM');
      return (await watch.ended).stdout.includes('\u001b[');
    };
    expect(await coloured({ FORCE_COLOR: '1' })).toBe(true);
    expect(await coloured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  });

  it('names a port that is taken: exit code 2', async () => {
    const port = await occupy(0);
    expect(await run(['watch', '--port', String(port)])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `reasoning-otel: port ${port} is in use; give another one with --port\n`,
    });
  });
});

describe('reasoning-otel watch, with a command', () => {
  it('exits with the code of the command', async () => {
    const { code, stdout } = await run([
      'watch',
      '--port',
      '0',
      ...script('console.log("hello"); process.exitCode = 7'),
    ]);
    expect(code).toBe(7);
    expect(stdout).toContain('hello\n');
    expect(stdout).toContain('No model call was seen.');
  });

  it('hands on the arguments after the command as they are', async () => {
    const { stdout } = await run([
      'watch',
      '--port',
      '0',
      NODE,
      '-p',
      'process.argv.slice(1)',
      '--',
      '--port',
      'x',
      '-v',
    ]);
    expect(stdout).toContain("[ '--port', 'x', '-v' ]");
  });

  it('loads register beside the NODE_OPTIONS of the user, and sets endpoint and protocol', async () => {
    const print =
      'console.log(["NODE_OPTIONS", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL"].map((name) => process.env[name]).join(" "))';
    const { stdout } = await run(['watch', '--port', '0', ...script(print)], { NODE_OPTIONS: '--no-warnings' });
    const [, url] = /listening on (\S+)/.exec(stdout) ?? [];
    expect(stdout).toMatch(/--no-warnings --import=file:\/\/\S+\/dist\/register\.js /);
    expect(stdout).toContain(`${url} http/json\n`);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'forwards %s, and waits for what the command makes of it',
    async (signal) => {
      const trap = `process.on('${signal}', () => { console.log('got it'); process.exit(3) }); setInterval(() => {}, 1e6); console.log('ready')`;
      const watch = start(['watch', '--port', '0', ...script(trap)]);
      await watch.seen(/ready/);
      watch.child.kill(signal);
      expect(await watch.ended).toMatchObject({ code: 3, signal: null, stdout: expect.stringContaining('got it') });
    },
  );

  it('says by which signal a command ended, as shells do', async () => {
    const { code } = await run(['watch', '--port', '0', ...script("process.kill(process.pid, 'SIGKILL')")]);
    expect(code).toBe(137);
  });

  it('says so where the environment silences the program', async () => {
    const { stdout } = await run(['watch', '--port', '0', ...script('')], { REASONING_OTEL_DISABLED: 'true' });
    expect(stdout).toContain('! REASONING_OTEL_DISABLED is set: the program may report nothing');
  });

  it('names a command that is not there: exit code 127', async () => {
    const { code, stderr } = await run(['watch', '--port', '0', '--', 'no-such-program']);
    expect({ code, stderr }).toEqual({
      code: 127,
      stderr: 'reasoning-otel: cannot start no-such-program: no such command\n',
    });
  });

  it('takes a free port where the usual one is taken and none was asked for', async () => {
    // Somebody else may hold it already: just as well.
    await occupy(4318).catch(() => {});
    const { code, stdout } = await run(['watch', ...script('')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/listening on http:\/\/127\.0\.0\.1:(?!4318)\d+/);
  });
});

describe('reasoning-otel watch, over an agent with the real SDK', () => {
  const agent = (name: string) => fileURLToPath(new URL(`../../demo/harnesses/${name}.ts`, import.meta.url));

  it('shows each step with what was lost, why and what to do, though the agent knows nothing of it', async () => {
    const simulator = await startSimulator({ seed: 'watch', ...PROVIDERS });
    try {
      const env = { ANTHROPIC_BASE_URL: simulator.url, ANTHROPIC_API_KEY: 'test', OTEL_SERVICE_NAME: 'agent' };
      const { code, stdout } = await run(['watch', '--port', '0', '--', NODE, agent('filter-by-type')], env);
      expect(code).toBe(0);
      const rows = [...stdout.matchAll(/^ +(\d+) {2}claude-sonnet-5-5 +(\d+) +(\d+) +(\d+) +(\d+) /gm)];
      expect(rows.map((row) => row.slice(1).map(Number))).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((n) => [n + 1, n, 0, n, 0]),
      );
      expect(stdout).toMatch(/● run [\da-f]{8} agent\n/);
      expect(stdout.match(/why {3}1 reasoning block left out in the middle of a tool loop/g)).toHaveLength(1);
      expect(stdout).toMatch(/tool calls +8, 4 of them repeated/);
    } finally {
      await simulator.close();
    }
  });

  it('keeps what an agent did that dies of a refusal, and its exit code', async () => {
    const simulator = await startSimulator({ seed: 'watch', ...PROVIDERS });
    try {
      const env = { ANTHROPIC_BASE_URL: simulator.url, ANTHROPIC_API_KEY: 'test' };
      const { code, stdout, stderr } = await run(['watch', '--port', '0', '--', NODE, agent('tool-added')], env);
      expect(code).toBe(1);
      expect(stderr).toContain('BadRequestError: 400');
      expect(stdout).toMatch(/ 2 {2}claude-sonnet-5-5 .*✖ refused/);
    } finally {
      await simulator.close();
    }
  });
});

describe('reasoning-otel on Node 20', () => {
  const node20 = fileURLToPath(new URL('../../node_modules/node20/bin/node', import.meta.url));

  it('watches a program on Node 20', async () => {
    const watch = start(['watch', '--port', '0', '--', node20, '-p', 'process.version'], {}, node20);
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^v20\./m);
    expect(stdout).toContain('No model call was seen.');
  });
});
