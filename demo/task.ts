/** What every harness of the demo shares, whichever API it uses: the task, the tools and what they return. */

/** As an agent should: it logs what it dies of, and still comes to an orderly end. */
process.on('uncaughtException', (error) => {
  console.error(String(error));
  process.exitCode = 1;
});

export const SYSTEM = 'You reconcile invoices. Use the tools; do not guess.';
export const TASK = 'Reconcile invoice 8841 against the ledger.';

interface TaskTool {
  readonly name: string;
  readonly description: string;
  /** What it returns for the invoice of the task. */
  readonly result: string;
}

export const TASK_TOOLS: readonly TaskTool[] = [
  {
    name: 'get_invoice',
    description: 'The invoice with its lines.',
    result: '{"invoice":"8841","total":1240.00}',
  },
  {
    name: 'get_ledger_entries',
    description: 'Ledger entries booked for an invoice.',
    result: '[{"invoice":"8841","booked":1200.00}]',
  },
  {
    name: 'get_payments',
    description: 'Payments received for an invoice.',
    result: '[{"invoice":"8841","paid":1200.00}]',
  },
  {
    name: 'get_credit_notes',
    description: 'Credit notes issued for an invoice.',
    result: '[]',
  },
];

export const PARAMETERS = {
  type: 'object' as const,
  properties: { invoice: { type: 'string' } },
  required: ['invoice'],
};

export const resultOf = (tool: string): string =>
  TASK_TOOLS.find(({ name }) => name === tool)?.result ?? 'no such tool';
