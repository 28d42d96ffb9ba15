import type { Standing } from '../../continuity/answer.ts';
import { type Digest, digest, mix } from '../../continuity/digest.ts';
import type { Step } from './read-step.ts';

/** Where each step stands: in which turn, in which run of steps by the model, behind which prefix. */
export interface Turns {
  readonly turnOf: readonly number[];
  /** First step of the run that a step belongs to. */
  readonly groupOf: readonly number[];
  readonly prefixOf: readonly Digest[];
  readonly prefix: Digest;
  readonly lastTurn: number;
  readonly open: boolean;
  readonly cycleGroups: number;
  readonly cycleCalls: number;
  /** Ids of calls that are answered and not in the request. */
  readonly orphans: readonly Digest[];
}

const START = digest('start');

export const isModels = ({ kind }: Step): boolean => kind !== 'user' && kind !== 'result';

/**
 * A turn begins with an input of the user that holds no result; its cycle is open from its first call until an answer
 * without one. A request that names an earlier interaction goes on where that one stood.
 */
export function readTurns(steps: readonly Step[], standing: Standing | undefined): Turns {
  const turnOf: number[] = [];
  const groupOf: number[] = [];
  const prefixOf: Digest[] = [];
  const orphans: Digest[] = [];
  const calls = new Set<Digest>();
  let prefix = standing?.prefix ?? START;
  let turn = 0;
  let open = standing?.open ?? false;
  let groups = standing?.cycleGroups ?? 0;
  let count = standing?.cycleCalls ?? 0;
  for (const [s, step] of steps.entries()) {
    const before = steps[s - 1];
    const inGroup = isModels(step) && before !== undefined && isModels(before);
    prefixOf.push(prefix);
    groupOf.push(inGroup ? (groupOf[s - 1] ?? s) : s);
    if (isModels(step)) {
      if (!inGroup) open = false;
      if (step.kind === 'call') {
        if (!open) groups++;
        open = true;
        count++;
        calls.add(step.key);
      }
    } else if (step.kind === 'result') {
      if (step.answers !== undefined && !calls.has(step.answers)) orphans.push(step.answers);
      // The call that it answers stands elsewhere: the loop goes on all the same.
      open = true;
    } else if (!answersBeside(steps, s)) {
      turn++;
      open = false;
      groups = 0;
      count = 0;
    }
    turnOf.push(turn);
    if (step.part !== 0) prefix = mix(prefix, step.part);
  }
  return { turnOf, groupOf, prefixOf, prefix, lastTurn: turn, open, cycleGroups: groups, cycleCalls: count, orphans };
}

/** Words that come with the results of a turn's calls do not end it. */
function answersBeside(steps: readonly Step[], at: number): boolean {
  for (let s = at - 1; s >= 0 && steps[s]?.kind !== undefined && !isModels(steps[s] as Step); s--) {
    if (steps[s]?.kind === 'result') return true;
  }
  for (let s = at + 1; s < steps.length && !isModels(steps[s] as Step); s++) {
    if (steps[s]?.kind === 'result') return true;
  }
  return false;
}
