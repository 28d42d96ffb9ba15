import { asList, isWire, type Wire } from '../json.ts';
import type { Answer, Part, ScriptCall } from './script.ts';

/**
 * The model when no script is given: it plans a few tool calls, two at once where it has two tools, and answers. What it
 * does depends on the user's text and the seed. The plan travels in the reasoning.
 */
export function defaultAgent(call: ScriptCall): Answer {
  const open = call.openServerTools[0];
  if (open) {
    return {
      content: [
        { block: { type: `${open.name}_tool_result`, tool_use_id: open.id, content: [] } },
        { text: 'The search brought nothing new; going on with what is known.' },
      ],
    };
  }
  const tools = callable(call);
  const [first] = tools;
  if (!first) {
    return {
      content: [{ think: `A direct question. ${REFLECTIONS[0]}`, plan: { steps: [] } }, { text: answerText(call) }],
    };
  }
  const rounds = 1 + Math.floor(call.turnRandom.number() * 3);
  const steps = Array.from({ length: rounds }, (_, round) => tools[round % tools.length]?.name);
  if (call.step >= rounds && !isForced(call.body.tool_choice)) {
    return {
      content: [
        { think: `All results are in. ${call.random.pick(REFLECTIONS)}`, plan: { steps, done: rounds } },
        { text: answerText(call) },
      ],
    };
  }
  const now = tools[call.step % tools.length] ?? first;
  const beside = call.step === 1 && tools.length > 1 ? tools[(call.step + 1) % tools.length] : undefined;
  const content: Part[] = [
    {
      think: `Step ${call.step + 1} of ${rounds}: ${String(now.name)} comes next. ${call.random.pick(REFLECTIONS)}`,
      plan: { steps, done: call.step },
    },
  ];
  if (call.step === 0) content.push({ text: 'Let me look into that.' });
  for (const tool of [now, beside]) {
    if (tool) content.push({ tool: String(tool.name), input: sampleInput(tool.input_schema, call.random.number()) });
  }
  return { content };
}

const REFLECTIONS = [
  'The constraints are clear enough to go on without asking back.',
  'The hard limit stands; the softer wish can give way if it has to.',
  'What is known so far narrows this down; the next result decides.',
  'Nothing so far contradicts the first idea, so it is kept.',
] as const;

function answerText(call: ScriptCall): string {
  const { output_config: output, output_format } = call.body;
  const format = (isWire(output) && isWire(output.format) && output.format) || output_format;
  if (isWire(format)) return JSON.stringify(sampleValue(format.schema, call.random.number()));
  const results = call.results.length;
  return results > 0 ? `Done: ${results} result${results > 1 ? 's' : ''} taken into account.` : 'Here is the answer.';
}

function callable({ tools, body }: ScriptCall): Wire[] {
  if (isWire(body.tool_choice) && body.tool_choice.type === 'none') return [];
  const named = isWire(body.tool_choice) && body.tool_choice.type === 'tool' ? body.tool_choice.name : undefined;
  return tools.filter(
    (tool) =>
      (tool.type === undefined || tool.type === null || tool.type === 'custom') &&
      tool.defer_loading !== true &&
      (named === undefined || tool.name === named),
  );
}

function isForced(choice: unknown): boolean {
  return isWire(choice) && (choice.type === 'any' || choice.type === 'tool');
}

/** A value that fits a tool's JSON Schema, as far as types, enums and required members go. */
function sampleInput(schema: unknown, random: number): Wire {
  if (!isWire(schema)) return {};
  const input: Record<string, unknown> = {};
  const properties = isWire(schema.properties) ? schema.properties : {};
  for (const name of asList(schema.required).map(String)) input[name] = sampleValue(properties[name], random);
  return input;
}

function sampleValue(schema: unknown, random: number): unknown {
  if (!isWire(schema)) return 'sample';
  const options = asList(schema.enum);
  if (options.length > 0) return options[Math.floor(random * options.length)];
  switch (schema.type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1 + Math.floor(random * 9);
    case 'boolean':
      return random < 0.5;
    case 'array':
      return [sampleValue(schema.items, random)];
    case 'object':
      return sampleInput(schema, random);
    default:
      return `sample-${Math.floor(random * 1000)}`;
  }
}
