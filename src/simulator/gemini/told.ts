import { digest } from '../json.ts';
import { seeded } from '../seeded.ts';
import type { GeminiScriptCall } from './script.ts';
import type { Returned } from './verdict.ts';

/** A call among those that one simulator gets. */
export interface CallPlace {
  /** Names this very request, and the how-many-eth arrival of it. */
  readonly label: string;
  readonly repeat: number;
}

interface Told extends CallPlace, Pick<Returned, 'shown'> {
  readonly seed: string;
  readonly api: string;
  readonly turn: number;
  readonly userText: string;
}

/** What a script is told of the reasoning that the model is shown, and the chance that it may use. */
export const told = ({ seed, api, label, repeat, turn, userText, shown }: Told) =>
  ({
    turn,
    repeat,
    userText,
    shown: shown.map(({ sealed }) => ({
      text: sealed.text,
      model: sealed.model,
      ...('plan' in sealed && { plan: sealed.plan }),
    })),
    plan: shown.findLast(({ sealed }) => 'plan' in sealed)?.sealed.plan,
    random: seeded(seed, `${api} script ${label}`),
    turnRandom: seeded(seed, `turn ${turn} ${digest(userText)}`),
  }) satisfies Partial<GeminiScriptCall>;
