/** What every harness of the demo shares: the client, the task and the tools. The loops are in harnesses/. */
import Anthropic from '@anthropic-ai/sdk';

/** As an agent should: it logs what it dies of, and still comes to an orderly end. */
process.on('uncaughtException', (error) => {
  console.error(String(error));
  process.exitCode = 1;
});

/** Takes ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY from the environment, which the demo points at the simulator. */
export const anthropic = new Anthropic();

export type Messages = Anthropic.MessageParam[];
export type BetaMessages = Anthropic.Beta.BetaMessageParam[];

export const SYSTEM = 'You reconcile invoices. Use the tools; do not guess.';
export const TASK = 'Reconcile invoice 8841 against the ledger.';

const tool = (name: string, description: string): Anthropic.Tool => ({
  name,
  description,
  input_schema: { type: 'object', properties: { invoice: { type: 'string' } }, required: ['invoice'] },
});

export const TOOLS = [
  tool('get_invoice', 'The invoice with its lines.'),
  tool('get_ledger_entries', 'Ledger entries booked for an invoice.'),
  tool('get_payments', 'Payments received for an invoice.'),
  tool('get_credit_notes', 'Credit notes issued for an invoice.'),
];

const RESULTS: Readonly<Record<string, string>> = {
  get_invoice: '{"invoice":"8841","total":1240.00}',
  get_ledger_entries: '[{"invoice":"8841","booked":1200.00}]',
  get_payments: '[{"invoice":"8841","paid":1200.00}]',
  get_credit_notes: '[]',
};

/** Runs the tools that an answer calls: one result for each call, in order. */
export function runTools(
  content: readonly (Anthropic.ContentBlock | Anthropic.Beta.BetaContentBlock)[],
): Anthropic.ToolResultBlockParam[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: RESULTS[call.name] ?? 'no such tool' }));
}
