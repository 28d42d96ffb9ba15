import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/watch/child.ts';
import { startReceiver } from '../register/support/receiver.ts';
import { run } from './command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reasoning-otel-experiment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const module = (name: string, source: string): string => {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
};

/** Asks for nothing, but shows its requests to the experiment: four steps, or six where it is left without reasoning. */
const AGENT = `
const tasks = Array.from({ length: 8 }, (_, at) => ({ id: 't' + at }));
function agent(task, arm) {
  const messages = [{ role: 'user', content: task.id }];
  for (let step = 0; step < 4; step++) {
    const sent = arm.strip('anthropic.messages', { messages: [...messages] });
    const shown = JSON.stringify(sent).includes('thinking');
    const again = step > 0 && !shown ? [{ type: 'tool_use', id: 'again' + step, name: 'look', input: {} }] : [];
    messages.push({ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 's' }, { type: 'tool_use', id: 'id' + step, name: 'look', input: { step } }, ...again] });
  }
  arm.strip('anthropic.messages', { messages });
  return arm.name === 'intact';
}
const judge = (result) => result;
`;
const sound = () => module('sound.mjs', `${AGENT} export { tasks, agent, judge }; export const title = 'My agent';`);

describe('reasoning-otel experiment', () => {
  it('runs a module: progress on one side, the table on the other', async () => {
    const { code, stdout, stderr } = await run(['experiment', sound()]);
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 0, lines: 16 });
    expect(stderr).toMatch(
      /^reasoning-otel: {2}1\/16 {2}t\d {2}(?:intact|stripped) {2}\d tool calls {2}(?:not )?completed$/m,
    );
    expect(stdout).toMatch(/^My agent\n\n8 tasks, each in both arms; seed experiment; /);
    expect(stdout).toMatch(/^tool calls per task +4\.0 .* 7\.0 .* \+3\.0 .* p = 0\.008 \* +paired permutation$/m);
    expect(stdout).toMatch(/^completion rate +100% .* 0% .* -100% .* p = 0\.008 \* +McNemar, exact$/m);
  });

  it('--json, --seed, --arms; a CommonJS module', async () => {
    const file = module('common.cjs', `${AGENT} module.exports = { tasks, agent, judge };`);
    const { code, stdout } = await run(['experiment', file, '--json', '--seed', '7', '--arms', 'intact, intact']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      seed: '7',
      tasks: 8,
      arms: [
        { name: 'intact', toolCalls: 32, completed: 8 },
        { name: 'intact_2', toolCalls: 32, completed: 0 },
      ],
      difference: { toolCallsPerTask: { p: 1, significant: false } },
    });
  });

  it('with the instrumentation loaded its runs are counted by arm', async () => {
    const receiver = await startReceiver();
    const register = new URL('../../dist/register.js', import.meta.url).href;
    const { code } = await run(
      ['experiment', sound()],
      childEnvironment({ endpoint: receiver.url, register, env: {} }),
    );
    expect(code).toBe(0);
    expect(receiver.metrics().get('reasoning.runs')).toBe(16);
    expect(receiver.spans().filter(({ name }) => name.startsWith('invoke_agent'))).toHaveLength(16);
    const metrics = receiver.posts.filter(({ path }) => path === '/v1/metrics').map(({ body }) => String(body));
    for (const arm of ['intact', 'stripped']) {
      expect(metrics.join()).toContain(`{"key":"reasoning.experiment.arm","value":{"stringValue":"${arm}"}}`);
    }
  });

  it.each<[string, () => readonly string[], RegExp]>([
    ['no module', () => [], /missing required argument 'module'/],
    ['a module that is not there', () => [join(folder, 'none.mjs')], /none\.mjs: cannot be loaded: Cannot find module/],
    ['one that does not parse', () => [module('broken.mjs', 'export const = 1;')], /broken\.mjs: cannot be loaded: /],
    [
      'one that throws',
      () => [module('throws.mjs', 'throw new Error("no key");')],
      /throws\.mjs: cannot be loaded: no key$/,
    ],
    [
      'one without tasks',
      () => [module('a.mjs', 'export const agent = 1;')],
      /a\.mjs: exports no tasks; expected a list of objects with an id$/,
    ],
    ['tasks that are no list', () => [module('b.mjs', 'export const tasks = {};')], /b\.mjs: tasks is not a list/],
    [
      'an agent that is none',
      () => [module('c.mjs', 'export const tasks = [{}], agent = 1;')],
      /c\.mjs: agent is not a function$/,
    ],
    [
      'no judge',
      () => [module('d.mjs', 'export const tasks = [{}]; export function agent() {}')],
      /d\.mjs: exports no judge; expected a function$/,
    ],
    [
      'a task without an id',
      () => [module('e.mjs', 'export const tasks = [{}], agent = () => 1, judge = () => true;')],
      /tasks\.0\.id: /,
    ],
    [
      'an arm that there is not',
      () => [sound(), '--arms', 'intact,bare'],
      /arms: there is no arm "bare"; there are intact, stripped$/,
    ],
    [
      'an agent that goes round it',
      () => [module('f.mjs', 'export const tasks = [{ id: "x" }], agent = () => 1, judge = () => true;')],
      /no request of task "x" passed through the experiment/,
    ],
  ])('%s: one line, exit code 2', async (_, args, line) => {
    const { code, stdout, stderr } = await run(['experiment', ...args()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });
});
