import { scriptOf } from '../script-parts.ts';
import { createSealedBox, type SealedBox } from '../sealed-box.ts';
import { CONVERSE_CONFLICTS, type ConverseConflicts } from './conflicts.ts';
import { type ConverseScript, type ConverseScriptOption, defaultConverseAgent } from './script.ts';

export interface ConverseOptions {
  /** What models other than Claude answer; Claude answers by `anthropic.script`. By default an agent that plans. */
  readonly script?: ConverseScriptOption;
  /** Application inference profiles, whose ids hide the model: ARN to model id. */
  readonly profiles?: Readonly<Record<string, string>>;
  /** How to behave where sources disagree: a preset, or `strict` with some choices replaced. */
  readonly conflicts?: 'strict' | 'lenient' | Partial<ConverseConflicts>;
}

export interface ConverseContext {
  readonly seed: string;
  readonly options: ConverseOptions;
  readonly conflicts: ConverseConflicts;
  readonly script: ConverseScript;
  readonly box: SealedBox;
}

export function createConverseContext(seed: string, options: ConverseOptions): ConverseContext {
  const { conflicts = 'strict', script = defaultConverseAgent } = options;
  return {
    seed,
    options,
    conflicts:
      typeof conflicts === 'string' ? CONVERSE_CONFLICTS[conflicts] : { ...CONVERSE_CONFLICTS.strict, ...conflicts },
    script: scriptOf(script, 'bedrock.script', ({ answers }) => answers),
    box: createSealedBox(seed, 'bedrock reasoning'),
  };
}
