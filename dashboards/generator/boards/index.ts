import type { BoardSpec } from '../board.ts';
import { continuityOverview } from './continuity-overview.ts';
import { intactVersusStripped } from './intact-versus-stripped.ts';
import { loopEconomics } from './loop-economics.ts';
import { modelSwitches } from './model-switches.ts';

/** By the name of their file. */
export const BOARDS: Readonly<Record<string, BoardSpec>> = {
  'continuity-overview': continuityOverview,
  'loop-economics': loopEconomics,
  'model-switches': modelSwitches,
  'intact-versus-stripped': intactVersusStripped,
};
