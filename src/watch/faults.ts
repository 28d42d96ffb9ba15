import { adviceFor, type Counsel } from '../advice.ts';
import { refusalWords } from './refusals.ts';
import type { Step } from './step.ts';

/** One thing wrong with a step, or worth a line (`loss` false), with what to tell of it. */
export interface StepFault {
  readonly counsel: Counsel;
  readonly loss: boolean;
}

const ABSENT: Counsel = {
  key: 'thinking_absent',
  title: 'no thinking',
  what: 'Thinking is on by the configuration, but the answer holds none.',
  mend: 'Look for a parameter, a default or a proxy that switches it off.',
};

/** Each row of the advice table once, losses first. A refusal and an absence count where no finding explains them. */
export function faultsOf(step: Step): StepFault[] {
  const faults = new Map<string, StepFault>();
  for (const finding of step.findings) {
    const counsel = adviceFor({ ...finding, prefixChanged: step.prefixChanged, api: step.api });
    if (!faults.has(counsel.key)) faults.set(counsel.key, { counsel, loss: finding.loss });
  }
  const found = [...faults.values()];
  if (found.some(({ loss }) => loss)) return found;
  const { rejection, assertionFailed } = step;
  const what = rejection && {
    key: `refused/${rejection}`,
    title: 'refused by the provider',
    what: refusalWords(rejection),
  };
  return [
    ...(what ? [{ counsel: what, loss: true }] : []),
    ...(assertionFailed ? [{ counsel: ABSENT, loss: true }] : []),
    ...found,
  ];
}
