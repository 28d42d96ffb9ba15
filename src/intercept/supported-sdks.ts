import { ANTHROPIC } from './anthropic.ts';
import { OPENAI } from './openai.ts';
import type { SupportedSdk } from './supported-sdk.ts';

/** Every SDK that is observed. */
export const SUPPORTED_SDKS: readonly SupportedSdk[] = [ANTHROPIC, OPENAI];
