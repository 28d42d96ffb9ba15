import { type Step, seal } from '../dialects/gemini-interactions/steps.ts';
import type { Report } from '../dialects/gemini-interactions/talk.ts';

export type Mutation = (
  history: readonly Step[],
  at: number,
) => { readonly history: readonly Step[]; readonly report: Report };
const isThought = ({ type }: Step): boolean => type === 'thought';
const isSigned = (one: Step): boolean => 'signature' in one;
const isTool = (one: Step): boolean => isSigned(one) && !isThought(one);
const swapped = (history: readonly Step[], at: number, ...steps: readonly Step[]) => history.toSpliced(at, 1, ...steps);

/** What harnesses do to a unit at a place, and how it is called. */
export const MUTATIONS: Readonly<Record<string, readonly [like: (one: Step) => boolean, Mutation]>> = {
  drop: [isSigned, (history, at) => ({ history: swapped(history, at), report: { dropped: 1 } })],
  'unsign a thought': [
    isThought,
    (history, at) => ({ history: swapped(history, at, { ...history[at], signature: '' }), report: { edited: 1 } }),
  ],
  'unsign a tool': [
    isTool,
    (history, at) => ({ history: swapped(history, at, { ...history[at], signature: '' }), report: { dropped: 1 } }),
  ],
  cut: [
    isSigned,
    (history, at) => {
      const value = String(history[at]?.signature);
      const signature = value.slice(0, Math.ceil(value.length * 0.7));
      return { history: swapped(history, at, { ...history[at], signature }), report: { edited: 1 } };
    },
  ],
  replace: [
    isSigned,
    (history, at) => ({
      history: swapped(history, at, { ...history[at], signature: seal('of nobody') }),
      report: { fabricated: 1, dropped: 1 },
    }),
  ],
  copy: [
    isThought,
    (history, at) => ({
      history: swapped(history, at, history[at] as Step, history[at] as Step),
      report: { duplicated: 1 },
    }),
  ],
};
