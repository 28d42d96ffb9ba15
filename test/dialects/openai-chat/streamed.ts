import type { Step } from './talk.ts';

type Wire = Record<string, unknown>;

/** The same answer as raw chunks: strings in two pieces, elements of lists too, the seal in a piece of its own. */
export function streamed(step: Step): Step {
  const { response } = step;
  if (response === undefined || Array.isArray(response.stream) || !Array.isArray(response.choices)) return step;
  const { choices, usage, ...head } = response;
  const chunks: Wire[] = [];
  for (const { index, message, finish_reason } of choices) {
    const send = (delta: Wire, finish: string | null = null): void =>
      void chunks.push({ ...head, choices: [{ index, delta, finish_reason: finish }] });
    send({ role: 'assistant', content: '' });
    for (const delta of deltasOf(message)) send(delta);
    // A cut answer has no end.
    if (step.meta?.aborted !== true) send({}, finish_reason);
  }
  if (usage !== undefined) chunks.push({ ...head, choices: [], usage });
  return { ...step, response: { ...response, stream: JSON.parse(JSON.stringify(chunks)) } };
}

function deltasOf(message: Wire): Wire[] {
  const deltas: Wire[] = [];
  for (const [member, value] of Object.entries(message)) {
    if (value === null || member === 'role') continue;
    if (member === 'tool_calls') continue;
    if (typeof value === 'string') deltas.push(...halves(value).map((piece) => ({ [member]: piece })));
    else if (member === 'content' && Array.isArray(value)) deltas.push(...value.flatMap(partDeltas));
    else if (Array.isArray(value)) deltas.push(...value.flatMap((element) => elementDeltas(member, element)));
    else deltas.push({ [member]: value });
  }
  if (Array.isArray(message.tool_calls)) deltas.push(...message.tool_calls.flatMap(callDeltas));
  return deltas;
}

/** An empty string in one piece. */
const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return text === '' ? [''] : [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
};

function partDeltas(part: Wire): Wire[] {
  if (part.type === 'text') return halves(String(part.text)).map((text) => ({ content: [{ type: 'text', text }] }));
  const [{ text }] = part.thinking as [{ text: string }];
  const pieces = halves(text);
  return pieces.map((piece, at) => ({
    content: [
      {
        type: 'thinking',
        thinking: [{ type: 'text', text: piece }],
        ...(at === pieces.length - 1 ? { closed: part.closed } : {}),
      },
    ],
  }));
}

const READABLE = ['text', 'summary', 'thinking'];

function elementDeltas(list: string, element: Wire): Wire[] {
  const member = READABLE.find((name) => typeof element[name] === 'string');
  if (member === undefined) return [{ [list]: [element] }];
  const { signature, [member]: readable, ...fixed } = element;
  const pieces = halves(String(readable)).map((piece) => ({ [list]: [{ ...fixed, [member]: piece }] }));
  return signature === undefined
    ? pieces
    : [...pieces, { [list]: [{ ...fixed, ...(list === 'thinking_blocks' ? { [member]: '' } : {}), signature }] }];
}

function callDeltas(call: Wire, index: number): Wire[] {
  const { function: own, ...rest } = call;
  const { name, arguments: args } = own as Wire;
  const [first = '', ...more] = halves(String(args));
  return [
    { tool_calls: [{ index, ...rest, function: { name, arguments: '' } }] },
    ...[first, ...more].map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}
