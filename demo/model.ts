import type {
  Answer,
  ConverseScript,
  GeminiScript,
  OpenAiScript,
  Script,
  SimulatorOptions,
} from '../src/simulator/index.ts';

/** What the model has in mind: how many rounds of its route are done. It travels in its reasoning, nowhere else. */
interface Plan {
  readonly turn: number;
  readonly done: number;
}

const isPlan = (plan: unknown): plan is Plan => typeof plan === 'object' && plan !== null && 'done' in plan;

/** The second round asks two tools at once. */
const ROUTE: readonly (readonly string[])[] = [
  ['get_invoice'],
  ['get_ledger_entries', 'get_payments'],
  ['get_credit_notes'],
];
const THOUGHTS = [
  'The invoice comes first: its total is what the ledger has to match. If they disagree, stop and escalate.',
  'The invoice says 1240.00. Next the ledger and the payments, which may differ from one another.',
  'Booked and paid are both 1200.00, so 40.00 are open. A credit note would explain them.',
  'No credit note. The 40.00 are a real difference: escalate, as planned.',
];

/** What the model sees of its conversation, whichever API it is asked through. */
interface Sight {
  readonly turn: number;
  readonly step: number;
  readonly plan: unknown;
}

/** How far the model has come, and what it thinks there. */
function thought({ turn, step, plan }: Sight) {
  const begun = isPlan(plan) && plan.turn === turn;
  const done = begun ? plan.done : Math.floor(step / 2);
  return { think: { think: THOUGHTS[done] ?? '', tokens: 400, plan: { turn, done: done + 1 } }, tools: ROUTE[done] };
}

const VERDICT = { text: 'The invoice is 40.00 above what is booked and paid; escalating.' };
const callOf = (tool: string, turn: number) => ({ tool, input: { invoice: `884${turn}` } });

/**
 * The model that the simulator plays. While it is shown its reasoning it knows how far it has come. When the reasoning
 * has not come back it has only the visible messages to go by, and asks again what it has asked before.
 */
const reconciler: Script = ({ model, turn, step, plan, userText }): Answer => {
  // In the middle of a run the big model is overloaded, as it happens; the harness of the downgrade lives on that.
  if (model === 'claude-opus-5-5' && step === 1) {
    return { content: [], fault: { kind: 'status', status: 529, message: 'Overloaded' } };
  }
  const { think, tools } = thought({ turn, step, plan });
  if (!tools) return { content: [think, VERDICT] };
  // A safety system may flag what the model thinks of such details: the block then comes encrypted as a whole.
  const sensitive = userText.includes('bank account') && step === 0;
  return {
    content: [
      think,
      ...(sensitive ? [{ think: 'The account number matches the one on file.', redacted: true, tokens: 100 }] : []),
      ...(userText.includes('Keep me posted') ? [{ progress: `Looking at ${tools.join(' and ')}.` }] : []),
      ...tools.map((tool) => callOf(tool, turn)),
    ],
  };
};

/** The same mind behind the APIs of OpenAI and of those who took them over. */
const openAiReconciler: OpenAiScript = ({ turn, step, plan }) => {
  const { think, tools } = thought({ turn, step, plan });
  return { content: [think, ...(tools ? tools.map((tool) => callOf(tool, turn)) : [VERDICT])] };
};

/** The same behind the APIs of Gemini. */
const geminiReconciler: GeminiScript = ({ turn, step, plan, userText }) => {
  const { think, tools } = thought({ turn, step, plan });
  if (!tools) return { content: [think, VERDICT] };
  const progress = userText.includes('Keep me posted') ? [{ text: `Looking at ${tools.join(' and ')}.` }] : [];
  return { content: [think, ...progress, ...tools.map((tool) => callOf(tool, turn))] };
};

/** The same behind Converse, for models other than Claude. */
const converseReconciler: ConverseScript = ({ turn, step, plan }) => {
  const { think, tools } = thought({ turn, step, plan });
  return { content: [think, ...(tools ? tools.map((tool) => callOf(tool, turn)) : [VERDICT])] };
};

/** The providers of the demo. Where sources disagree whether one refuses or stays silent, the quiet failure is shown. */
export const PROVIDERS: Pick<
  SimulatorOptions,
  'anthropic' | 'responses' | 'chat' | 'gemini' | 'interactions' | 'bedrock'
> = {
  anthropic: {
    script: reconciler,
    conflicts: { thinkingOffWithBlocks: 'strip', splitResults: 'accept' },
    caching: 'automatic',
  },
  responses: { script: openAiReconciler },
  chat: { script: openAiReconciler },
  bedrock: { script: converseReconciler },
  gemini: { script: geminiReconciler },
  interactions: { script: geminiReconciler, conflicts: { missingThought: 'silent' } },
};
