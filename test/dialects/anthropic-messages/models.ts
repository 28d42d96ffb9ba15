/** One model of each regime that the rules tell apart (platform.claude.com: build-with-claude/thinking, preserved-thinking). */

/** Keeps all earlier thinking, checks no prefix, thinking off unless asked for. */
export const KEEPS_ALL = 'claude-opus-4-8';
/** Keeps all, checks no prefix, thinking on unless switched off. */
export const ON_BY_DEFAULT = 'claude-sonnet-5';
/** Strips closed turns itself; manual thinking. */
export const LAST_TURN_ONLY = 'claude-sonnet-4-5';
/** Ties blocks to the prefix. */
export const CHECKED = 'claude-fable-5-1';
/** Ties blocks to the prefix and to the account. */
export const ACCOUNT_BOUND = 'claude-sonnet-5-5';
