/** Checks the first call of each step of the current turn; does not read earlier turns. */
export const STRICT = 'gemini-3-pro-preview';
/** Strict, and reads the reasoning of earlier turns. */
export const KEEPS = 'gemini-3.8-flash';
/** Takes a missing signature without a word. */
export const ADVISORY = 'gemini-2.5-flash';
