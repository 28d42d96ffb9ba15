import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TASKS, type Task } from '../../demo/experiment/tasks.ts';
import { createWorld } from '../../demo/experiment/world.ts';
import { deliberatingScript, type Simulator, startSimulator } from '../../src/simulator/index.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 'deliberating',
    keepBodies: false,
    anthropic: { script: deliberatingScript },
  });
});
afterAll(() => simulator.close());

interface Run {
  readonly calls: readonly string[];
  readonly settled: string | undefined;
}

/** A loop that keeps of each answer what `keep` says. */
async function work(task: Task, model: string, keep: (block: Anthropic.ContentBlock) => boolean): Promise<Run> {
  const client = new Anthropic({ apiKey: 'any', baseURL: simulator.url, maxRetries: 0 });
  const world = createWorld(task);
  const tools = world.tools.map(({ parameters, ...tool }): Anthropic.Tool => ({ ...tool, input_schema: parameters }));
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task.prompt }];
  const calls: string[] = [];
  for (let step = 0; step < 20; step++) {
    const { content } = await client.messages.create({
      model,
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools,
      messages,
    });
    const made = content.filter((block) => block.type === 'tool_use');
    if (made.length === 0) break;
    calls.push(...made.map(({ name, input }) => `${name} ${JSON.stringify(input)}`));
    messages.push({ role: 'assistant', content: content.filter(keep) });
    messages.push({
      role: 'user',
      content: made.map(({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: world.call(name, input as Record<string, unknown>),
      })),
    });
  }
  return { calls, settled: world.settled };
}

/** Every second one: the effect is large. */
const SOME = TASKS.filter((_, at) => at % 2 === 0);

const repeatsOf = ({ calls }: Run): number => calls.length - new Set(calls).size;
const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);

async function score(model: string, keep: (block: Anthropic.ContentBlock) => boolean) {
  const runs = await Promise.all(SOME.map(async (task) => ({ task, run: await work(task, model, keep) })));
  return {
    repeats: sum(runs.map(({ run }) => repeatsOf(run))),
    right: runs.filter(({ task, run }) => run.settled === task.outcome).length,
  };
}

const everything = (): boolean => true;
const noThinking = ({ type }: Anthropic.ContentBlock): boolean => type !== 'thinking' && type !== 'redacted_thinking';

describe('a model whose plan lives in its reasoning', () => {
  test('without its reasoning it repeats calls and forgets limits', async () => {
    const [intact, stripped] = await Promise.all([
      score('claude-sonnet-5-5', everything),
      score('claude-sonnet-5-5', noThinking),
    ]);
    expect(stripped.repeats).toBeGreaterThan(2 * intact.repeats);
    expect(stripped.right).toBeLessThan(intact.right);
  });

  test('how much is lost depends on the model', async () => {
    const [strong, weak] = await Promise.all([
      score('claude-opus-5-5', noThinking),
      score('claude-haiku-5-5', noThinking),
    ]);
    expect(weak.repeats).toBeGreaterThan(strong.repeats);
    expect(weak.right).toBeLessThan(strong.right);
  });
});
