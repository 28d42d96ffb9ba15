import { isWire, type Wire } from './json.ts';
import { sampleInput, sampleValue } from './sample-value.ts';
import type { TextPart, ThinkPart } from './script-parts.ts';
import type { Seeded } from './seeded.ts';

/** A tool that the model may call. */
export interface CallableTool {
  readonly name: string;
  /** JSON Schema of its arguments. */
  readonly schema: unknown;
}

/** What the agent looks at, whatever API it is asked through. */
export interface AgentView {
  readonly tools: readonly CallableTool[];
  /** Answers already given in this turn. */
  readonly step: number;
  /** Results that the request brings. */
  readonly results: number;
  /** Whether the request insists on a call. */
  readonly mustCall: boolean;
  /** JSON Schema of a structured answer. */
  readonly format?: unknown;
  readonly random: Seeded;
  readonly turnRandom: Seeded;
}

/**
 * The model when no script is given: it plans one to three rounds of tool calls, two at once in the second where it has
 * two tools, and answers. What it does depends on the user's text and the seed. The plan travels in the reasoning.
 */
export function planningAgent(view: AgentView): {
  content: (ThinkPart | TextPart | { readonly tool: string; readonly input: Wire })[];
} {
  const { tools, step, random } = view;
  const [first] = tools;
  if (!first) {
    return {
      content: [{ think: `A direct question. ${REFLECTIONS[0]}`, plan: { steps: [] } }, { text: answerText(view) }],
    };
  }
  const rounds = 1 + Math.floor(view.turnRandom.number() * 3);
  const steps = Array.from({ length: rounds }, (_, round) => tools[round % tools.length]?.name);
  if (step >= rounds && !view.mustCall) {
    return {
      content: [
        { think: `All results are in. ${random.pick(REFLECTIONS)}`, plan: { steps, done: rounds } },
        { text: answerText(view) },
      ],
    };
  }
  const now = tools[step % tools.length] ?? first;
  const beside = step === 1 && tools.length > 1 ? tools[(step + 1) % tools.length] : undefined;
  return {
    content: [
      {
        think: `Step ${step + 1} of ${rounds}: ${now.name} comes next. ${random.pick(REFLECTIONS)}`,
        plan: { steps, done: step },
      },
      ...(step === 0 ? [{ text: 'Let me look into that.' }] : []),
      ...[now, beside]
        .filter((tool) => tool !== undefined)
        .map(({ name, schema }) => ({ tool: name, input: sampleInput(schema, random.number()) })),
    ],
  };
}

const REFLECTIONS = [
  'The constraints are clear enough to go on without asking back.',
  'The hard limit stands; the softer wish can give way if it has to.',
  'What is known so far narrows this down; the next result decides.',
  'Nothing so far contradicts the first idea, so it is kept.',
] as const;

function answerText({ format, results, random }: AgentView): string {
  if (isWire(format)) return JSON.stringify(sampleValue(format, random.number()));
  return results > 0 ? `Done: ${results} result${results > 1 ? 's' : ''} taken into account.` : 'Here is the answer.';
}
