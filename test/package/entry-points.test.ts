import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const NODES = {
  'the development Node': process.execPath,
  'Node 20': `${root}node_modules/node20/bin/node`,
};

/** Runs a program of the given kind on the built package and returns what it prints, as JSON. */
function run(node: string, kind: 'module' | 'commonjs', program: string): unknown {
  const { status, stdout, stderr } = spawnSync(node, [`--input-type=${kind}`, '-e', program], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(`exit code ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

/** A self-reference: resolved through the package's own "exports", as an application resolves it. */
const EXPORTS = { main: 'reasoning-otel', simulator: 'reasoning-otel/simulator', testing: 'reasoning-otel/testing' };

describe.each(Object.entries(NODES))('on %s', (_name, node) => {
  test('import and require give the same exports', () => {
    const list = (load: string): string => `
      const seen = {};
      for (const [name, id] of Object.entries(${JSON.stringify(EXPORTS)})) {
        seen[name] = Object.keys(${load}).filter((key) => key !== 'default' && key !== 'module.exports').sort();
      }
      console.log(JSON.stringify(seen));`;
    const imported = run(node, 'module', list('await import(id)'));
    const required = run(node, 'commonjs', list('require(id)'));
    expect(imported).toEqual(required);
    expect(imported).toMatchObject({ main: expect.arrayContaining(['ReasoningInstrumentation', 'instrumentClient']) });
  });

  test('the ESM and the CommonJS copy share one object', () => {
    const program = `
      import { createRequire } from 'node:module';
      const key = Symbol.for('reasoning-otel/1');
      const esm = await import('reasoning-otel');
      new esm.ReasoningInstrumentation().disable();
      const first = globalThis[key];
      const cjs = createRequire(${JSON.stringify(`${root}package.json`)})('reasoning-otel');
      new cjs.ReasoningInstrumentation().disable();
      console.log(JSON.stringify({
        made: typeof first === 'object',
        same: globalThis[key] === first,
        apart: esm.ReasoningInstrumentation !== cjs.ReasoningInstrumentation,
      }));`;
    expect(run(node, 'module', program)).toEqual({ made: true, same: true, apart: true });
  });

  test('a run of one copy adds up the calls that the other one sees', () => {
    const program = `
      import { createRequire } from 'node:module';
      import Anthropic from '@anthropic-ai/sdk';
      import { withRun } from 'reasoning-otel';
      import { startSimulator } from 'reasoning-otel/simulator';
      const { instrumentClient } = createRequire(${JSON.stringify(`${root}package.json`)})('reasoning-otel');
      const simulator = await startSimulator({ seed: 'copies' });
      const client = instrumentClient(new Anthropic({ baseURL: simulator.url, apiKey: 'k' }));
      const calls = await withRun({}, async (run) => {
        await client.messages.create({
          model: 'claude-sonnet-5-5', max_tokens: 4000, messages: [{ role: 'user', content: 'Hi.' }],
        });
        return run.summary().calls;
      });
      await simulator.close();
      console.log(JSON.stringify({ calls }));`;
    expect(run(node, 'module', program)).toEqual({ calls: 1 });
  });

  test('the command tells its version', () => {
    const { stdout } = spawnSync(node, ['dist/cli.js', '--version'], { cwd: root, encoding: 'utf8' });
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
