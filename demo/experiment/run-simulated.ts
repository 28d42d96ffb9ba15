import { type ArmKind, type ExperimentProgress, type ExperimentReport, runExperiment } from '../../src/index.ts';
import { LOOPS, type LoopName, simulatedAgent } from './agents.ts';
import { TASKS } from './tasks.ts';

export interface SimulatedExperiment {
  readonly loop: LoopName;
  readonly seed: string;
  readonly arms?: readonly ArmKind[];
  onProgress?(progress: ExperimentProgress): void;
}

const TITLES: Readonly<Record<LoopName, string>> = {
  anthropic: 'Anthropic Messages',
  responses: 'OpenAI Responses',
  chat: 'Chat Completions of DeepSeek',
};

export const LOOP_NAMES = Object.keys(TITLES) as readonly LoopName[];

/** The thirty tasks through one API. The model is simulated, and so is what comes of it. */
export const runSimulated = ({ loop, ...rest }: SimulatedExperiment): Promise<ExperimentReport> =>
  runExperiment({
    title: `SIMULATED MODEL (not a measurement of any real one): ${TITLES[loop]}`,
    name: `experiment ${loop}`,
    tasks: TASKS,
    agent: simulatedAgent(LOOPS[loop]),
    judge: (settled, { outcome }) => settled === outcome,
    ...rest,
  });
