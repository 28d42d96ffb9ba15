import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/stack/programs.ts';
import { eventually } from './support/eventually.ts';
import { searchTraces } from './support/jaeger.ts';
import { totals } from './support/prometheus.ts';
import { stackFolder } from './support/stack-folder.ts';

const { folder, remove } = stackFolder();
afterAll(remove);

/** The four programs, and the shell that sees to their end. */
const PROGRAMS_AND_GUARD = 5;

interface Command {
  readonly child: ChildProcess;
  output(): string;
  readonly ended: Promise<number | null>;
}

/** `npm run stack`, without npm in between, which has its own ways with signals. */
function stack(args: readonly string[], env: Readonly<Record<string, string>>): Command {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'stack', 'stack.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, ended };
}

/** What a process has started, by its id. Linux only; elsewhere none is seen. */
function processesOf(parent: number | undefined): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        // "pid (name) state parent …", proc_pid_stat(5)
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent;
      } catch {
        return false;
      }
    });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const addressOf = (output: string, name: string): string => {
  const [, url] = new RegExp(`^ +${name} +(http\\S+)`, 'm').exec(output) ?? [];
  if (!url) throw new Error(`no address of ${name} in\n${output}`);
  return url;
};

it.each(['SIGINT', 'SIGTERM'] as const)(
  'starts, says where everything is, sends the demo through, and on %s leaves nothing behind',
  async (signal) => {
    const command = stack(['demo', 'filter-by-type'], { REASONING_OTEL_STACK_PORTS: 'free' });
    await eventually(async () => expect(command.output()).toContain('The demo is through'), 120_000);
    const output = command.output();
    expect(output).toMatch(/The stack is up after \d/);
    expect(output).toContain('compose.jaeger.yaml');
    await eventually(async () => {
      const found = await searchTraces(addressOf(output, 'Jaeger'), 'demo-filter-by-type', {
        'reasoning.dropped': 'true',
      });
      expect(found.length).toBeGreaterThan(0);
      const dropped = { metric: 'reasoning_blocks_dropped_total', job: 'demo-filter-by-type' };
      expect(await totals(addressOf(output, 'Prometheus'), dropped)).toEqual({ '': 6 });
      expect((await fetch(`${addressOf(output, 'Alertmanager')}/-/ready`)).ok).toBe(true);
    });
    const running = processesOf(command.child.pid);
    if (process.platform === 'linux') expect(running.length).toBe(PROGRAMS_AND_GUARD);
    command.child.kill(signal);
    expect(await command.ended).toBe(0);
    await eventually(async () => expect(running.filter(isAlive)).toEqual([]), 5_000);
  },
);

it('leaves nothing behind where it is killed itself', async () => {
  const command = stack([], { REASONING_OTEL_STACK_PORTS: 'free' });
  await eventually(async () => expect(command.output()).toContain('Ctrl-C ends it'));
  const running = processesOf(command.child.pid);
  command.child.kill('SIGKILL');
  await command.ended;
  await eventually(async () => expect(running.filter(isAlive)).toEqual([]), 10_000);
  // What a SIGKILL leaves no time for.
  const [, logs = ''] = /^Logs: (.+)\/\. /m.exec(command.output()) ?? [];
  expect(logs).toContain('reasoning-otel-stack-');
  rmSync(logs, { recursive: true });
});

it('names the port that something else holds', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.once('error', () => resolve(4318));
    server.listen(4318, '127.0.0.1', () => resolve(4318));
  });
  const command = stack([], {});
  expect(await command.ended).toBe(1);
  server.close();
  expect(command.output()).toContain(`${port} (otlpHttp)`);
  expect(command.output().trim().split('\n').length).toBe(1);
});

it('says what is missing where there is no Go, and what there is instead', async () => {
  const command = stack(['build'], { PATH: folder, REASONING_OTEL_STACK_CACHE: join(folder, 'empty') });
  expect(await command.ended).toBe(1);
  expect(command.output()).toMatch(/Go 1\.\d+\S* or newer, and there is no `go` on the PATH/);
  expect(command.output()).toContain('docker compose -f compose.jaeger.yaml up');
});

it('names a Go that is too old', async () => {
  const command = stack(['build'], {
    PATH: join(ROOT, 'test', 'stack', 'apps', 'old-go'),
    REASONING_OTEL_STACK_CACHE: join(folder, 'empty'),
  });
  expect(await command.ended).toBe(1);
  expect(command.output()).toMatch(/needs Go 1\.\d+\S* or newer, and `go` is 1\.20\.3/);
});

it('knows no other word', async () => {
  const command = stack(['up'], {});
  expect(await command.ended).toBe(2);
  expect(command.output()).toContain('up: no such command');
});
