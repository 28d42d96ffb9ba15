import { pathToFileURL } from 'node:url';
import { ARM_KINDS, parseArms } from '../run/experiment/arms.ts';
import { experimentError, isExperimentError } from '../run/experiment/experiment-error.ts';
import { experimentText } from '../run/experiment/report-text.ts';
import {
  type ExperimentOptions,
  type ExperimentProgress,
  type ExperimentTask,
  runExperiment,
} from '../run/experiment/run-experiment.ts';

export interface ExperimentCommand {
  readonly seed?: string;
  /** Two words with a comma between them. */
  readonly arms?: string;
  readonly json: boolean;
  readonly write: (line: string) => void;
  /** Mistakes, and how far it has come. */
  readonly warn: (line: string) => void;
}

type Module = ExperimentOptions<ExperimentTask, unknown>;
type Member = keyof Module;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What the module exports, and in which form. */
const MEMBERS: readonly (readonly [name: Member, what: string, is: (value: unknown) => boolean, needed: boolean])[] = [
  ['tasks', 'a list of objects with an id', (value) => Array.isArray(value) && value.every(isObject), true],
  ['agent', 'a function', (value) => typeof value === 'function', true],
  ['judge', 'a function', (value) => typeof value === 'function', true],
  ['concurrency', 'a number', (value) => typeof value === 'number', false],
  ['title', 'a text', (value) => typeof value === 'string', false],
  ['name', 'a text', (value) => typeof value === 'string', false],
];

async function load(file: string): Promise<Module> {
  let exported: Record<string, unknown>;
  try {
    exported = await import(pathToFileURL(file).href);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw experimentError(`${file}: cannot be loaded: ${said.split('\n')[0]}`);
  }
  // What `module.exports` holds stands under `default` where Node cannot tell its names beforehand.
  const inner = isObject(exported.default) ? { ...exported.default, ...exported } : exported;
  const members = MEMBERS.flatMap(([name, what, is, needed]) => {
    const value = inner[name];
    if (value === undefined && !needed) return [];
    if (value === undefined) throw experimentError(`${file}: exports no ${name}; expected ${what}`);
    if (!is(value)) throw experimentError(`${file}: ${name} is not ${what}`);
    return [[name, value] as const];
  });
  return Object.fromEntries(members) as unknown as Module;
}

function lineOf({ run, done, of }: ExperimentProgress): string {
  const { task, arm, completed, toolCalls, error } = run;
  const how = completed ? 'completed' : (error ?? 'not completed');
  return `${String(done).padStart(String(of).length)}/${of}  ${task}  ${arm}  ${toolCalls} tool calls  ${how}`;
}

/** Runs the experiment that a module describes. @returns the exit code: 0, or 2 with one line that says what is wrong */
export async function experiment(file: string, command: ExperimentCommand): Promise<number> {
  const { seed, json, write, warn } = command;
  try {
    const arms = command.arms === undefined ? ARM_KINDS : parseArms(command.arms);
    const module = await load(file);
    const report = await runExperiment({
      ...module,
      arms,
      ...(seed !== undefined && { seed }),
      onProgress: (progress) => warn(lineOf(progress)),
    });
    write(json ? JSON.stringify(report) : experimentText(report));
    return 0;
  } catch (error) {
    if (!isExperimentError(error)) throw error;
    warn(error.message);
    return 2;
  }
}
