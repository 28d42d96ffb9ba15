/** One model of each regime that the rules tell apart (developers.openai.com guides/reasoning, guides/keep-prefix-unchanged). */

/** Is shown the reasoning of the turn that is going on; reasons only when asked to. */
export const THIS_TURN = 'gpt-5.1';
/** The same, and always reasons. */
export const ALWAYS = 'gpt-5-mini';
/** Is shown the reasoning of every turn; checks no prefix. */
export const ALL_TURNS = 'gpt-5.6';
/** Is shown every turn and ties reasoning to what stood before it. */
export const CHECKED = 'gpt-6.2-sol';
/** Does not reason. */
export const PLAIN = 'gpt-4.1';
export const GROK = 'grok-4.7';
