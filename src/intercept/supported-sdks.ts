import { ANTHROPIC } from './anthropic.ts';
import { BEDROCK_RUNTIME } from './bedrock-runtime.ts';
import { GOOGLE_GENAI } from './google-genai.ts';
import { OPENAI } from './openai.ts';
import type { SupportedSdk } from './supported-sdk.ts';

/** Every SDK that is observed. */
export const SUPPORTED_SDKS: readonly SupportedSdk[] = [ANTHROPIC, GOOGLE_GENAI, OPENAI, BEDROCK_RUNTIME];
