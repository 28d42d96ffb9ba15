/** How the ledger knows what this dialect has issued. */
export const API = 'openai.responses';
