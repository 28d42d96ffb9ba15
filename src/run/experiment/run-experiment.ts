import { processContext } from '../../context.ts';
import { bracket } from '../bracket.ts';
import { type Arm, createArm, outsideRun } from './arm.ts';
import { type ArmKind, type ArmPlan, planArms } from './arms.ts';
import { experimentError, isExperimentError } from './experiment-error.ts';
import type { ExperimentReport, ExperimentRun } from './report.ts';
import { createRunRecord, currentRun } from './run-record.ts';
import { type Slot, schedule } from './schedule.ts';
import { type FinishedRun, type Pair, summarise } from './summarise.ts';

/** A task; whatever else it holds is the agent's and the judge's affair. */
export interface ExperimentTask {
  /** Unique among the tasks. */
  readonly id: string;
}

export interface ExperimentProgress {
  readonly run: ExperimentRun;
  /** Runs that have ended, and those there will be. */
  readonly done: number;
  readonly of: number;
}

export interface ExperimentOptions<Task extends ExperimentTask, Result> {
  /** Recorded tasks with a known good outcome. */
  readonly tasks: readonly Task[];
  /** Works one task from the beginning; what it throws makes the run one that was not completed. */
  agent(task: Task, arm: Arm): Result | PromiseLike<Result>;
  /** Whether the result is the known good one. */
  judge(result: Awaited<Result>, task: Task): boolean | PromiseLike<boolean>;
  /** Two. Default `['intact', 'stripped']`; of one kind twice, the same is compared with itself. */
  readonly arms?: readonly ArmKind[];
  /** Of the order of the runs, of what agents get as theirs, and of the intervals. Default `'experiment'`. */
  readonly seed?: string | number;
  /** Tasks worked at the same time, each in both arms one after the other. Default 1. */
  readonly concurrency?: number;
  /** First line of the report. */
  readonly title?: string;
  /** `gen_ai.agent.name` of the runs' spans and metrics. */
  readonly name?: string;
  /** Told of each run that has ended. */
  onProgress?(progress: ExperimentProgress): void;
  /** No further run is begun once it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Runs every task in both arms and compares tool calls per task and completion rate. In the stripped arm the reasoning of earlier
 * answers is left out of outgoing requests, as a filter in a harness would; nowhere else is a request ever changed.
 *
 * The same agent with the same chances gives the same report for the same seed. With the instrumentation loaded, each run is one
 * of `withRun`, every metric carries `reasoning.experiment.arm`, and what was left out counts as released.
 *
 * @throws ExperimentError with one line that says what to change, where the experiment would compare nothing
 * @throws what `judge` throws, and the reason of `signal`
 */
export async function runExperiment<Task extends ExperimentTask, Result>(
  options: ExperimentOptions<Task, Result>,
): Promise<ExperimentReport> {
  const { tasks, title, signal, onProgress, concurrency = 1 } = options;
  const seed = String(options.seed ?? 'experiment');
  const arms = planArms(options.arms ?? ['intact', 'stripped']);
  checkTasks(tasks);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw experimentError(`concurrency: a whole number from 1 on, not ${concurrency}`);
  }

  const finished: Partial<Record<0 | 1, FinishedRun>>[] = tasks.map(() => ({}));
  const closing: (() => void)[] = [];
  let done = 0;
  let failed = false;

  const make = async (slot: Slot<Task>): Promise<void> => {
    signal?.throwIfAborted();
    const result = await oneRun(options, slot, arms[slot.arm], seed, (close) => closing.push(close));
    (finished[slot.at] as Partial<Record<0 | 1, FinishedRun>>)[slot.arm] = result;
    onProgress?.({ run: result.run, done: ++done, of: 2 * tasks.length });
  };
  const waiting = [...schedule(tasks, seed)];
  const worker = async (): Promise<void> => {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      for (const slot of pair) if (!failed) await make(slot);
    }
  };
  const workers = Array.from({ length: concurrency }, () =>
    worker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  try {
    await Promise.all(workers);
  } finally {
    // A run that is under way goes on to its end as it began.
    await Promise.allSettled(workers);
    for (const close of closing) close();
  }
  const pairs = finished.map((runs) => [runs[0], runs[1]] as unknown as Pair);
  return summarise({ ...(title !== undefined && { title }), seed, arms, pairs });
}

function checkTasks(tasks: readonly ExperimentTask[]): void {
  if (tasks.length === 0) throw experimentError('tasks: there is none');
  const ids = new Set<string>();
  tasks.forEach(({ id }, at) => {
    if (typeof id !== 'string' || id === '') throw experimentError(`tasks.${at}.id: a task needs a text that names it`);
    if (ids.has(id)) throw experimentError(`tasks.${at}.id: there are two tasks ${JSON.stringify(id)}`);
    ids.add(id);
  });
}

async function oneRun<Task extends ExperimentTask, Result>(
  { agent, judge, name }: ExperimentOptions<Task, Result>,
  { task, arm: armAt }: Slot<Task>,
  { name: armName, strips }: ArmPlan,
  seed: string,
  opened: (close: () => void) => void,
): Promise<FinishedRun> {
  const record = createRunRecord(strips);
  const arm = createArm(armName, `${seed} ${task.id} ${armAt}`, record, opened);
  const work = async (): Promise<Pick<ExperimentRun, 'completed' | 'error'>> => {
    let result: Awaited<Result>;
    try {
      result = await agent(task, arm);
    } catch (error) {
      if (isExperimentError(error)) throw error;
      return { completed: false, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
    } finally {
      record.end();
    }
    if (record.failure !== undefined) return { completed: false };
    // A judge may ask a model: that is no work of the agent's.
    return { completed: (await processContext().run.exit(() => outsideRun(() => judge(result, task)))) === true };
  };
  let dropped = 0;
  const ended = await currentRun.run(record, () =>
    bracket({ ...(name !== undefined && { name }) }, { experimentArm: armName, strips }, async (run) => {
      const how = await work();
      run.setOutcome(how.completed ? 'completed' : 'failed');
      dropped = run.summary().blocks.dropped;
      return how;
    }),
  );
  if (record.failure !== undefined) throw record.failure;
  if (record.requests === 0 && ended.error === undefined) {
    throw experimentError(
      `no request of task ${JSON.stringify(task.id)} passed through the experiment: the agent has to use arm.client() or arm.strip()`,
    );
  }
  const { toolCalls, repeatedCalls, requests, leftOut, thinkingOff } = record;
  return {
    run: { task: task.id, arm: armName, toolCalls, repeatedCalls, requests, ...ended },
    leftOut,
    thinkingOff,
    dropped,
  };
}
