import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { binary, ROOT } from '../../scripts/stack/programs.ts';
import { config, writePrometheusConfig } from '../../scripts/stack/stack-files.ts';
import { stackFolder } from './support/stack-folder.ts';

const { folder, remove } = stackFolder();
afterAll(remove);

const exec = promisify(execFile);
/** Rejects with what the program says where it does not accept what it is given. */
const accepts = (command: string, ...args: readonly string[]) =>
  exec(binary(command), args, { cwd: ROOT, env: { ...process.env, QUEUE_DIRECTORY: join(folder, 'queue') } });

it.each(['collector.yaml', 'agent.yaml', 'gateway.yaml'])('the Collector accepts %s', async (name) => {
  await accepts('collector', 'validate', '--config', config(name));
});

it('and does not accept just anything', async () => {
  await expect(
    accepts(
      'collector',
      'validate',
      '--config',
      config('collector.yaml'),
      '--config',
      'yaml:processors::tail_sampling::polices: []',
    ),
  ).rejects.toThrow(/polices/);
});

it('Jaeger accepts jaeger.yaml', async () => {
  await accepts('jaeger', 'validate', '--config', config('jaeger.yaml'));
});

it('Prometheus accepts prometheus.yaml and its rules', async () => {
  const { stdout } = await accepts(
    'promtool',
    'check',
    'config',
    '--lint=all',
    '--lint-fatal',
    config('prometheus.yaml'),
  );
  expect(stdout).toMatch(/\d+ rules found/);
  const local = join(folder, 'prometheus.yaml');
  writePrometheusConfig(local, { alertmanager: '127.0.0.1:9093', collectors: ['127.0.0.1:8888'] });
  await accepts('promtool', 'check', 'config', '--lint=all', '--lint-fatal', local);
});

it.each(['compose.jaeger.yaml', 'compose.lgtm.yaml'])('Compose accepts %s', async (name) => {
  await accepts('compose-check', '-format', 'json', name);
});

describe('stores', () => {
  const stores = readdirSync(config('stores')).filter((name) => name.endsWith('.yaml'));
  /** The first line of a file says how it is used. */
  const commands = stores.flatMap((name) => {
    const [, program = '', files = ''] =
      /^# (\S+) (--config .*)$/m.exec(readFileSync(config(join('stores', name)), 'utf8')) ?? [];
    return program === ''
      ? []
      : [{ name, program, args: files.split(' ').map((arg) => (arg.endsWith('.yaml') ? config(arg) : arg)) }];
  });

  it.each(commands)('$program accepts $name as the file says it is used', async ({ name, program, args }) => {
    expect(args).toContain(config(join('stores', name)));
    await accepts(program === 'otelcol-contrib' ? 'collector' : program, 'validate', ...args);
  });

  it('Prometheus accepts the others', async () => {
    const others = stores.filter((name) => !commands.some((command) => command.name === name));
    expect(others).toEqual(['prometheus-remote-write.yaml']);
    for (const name of others) await accepts('promtool', 'check', 'config', config(join('stores', name)));
  });
});
