import { pieces } from '../gemini/pieces.ts';
import type { StreamEvent } from '../http/exchange.ts';
import { asList, isWire, type Wire } from '../json.ts';
import type { InteractionsConflicts } from './conflicts.ts';
import { isToolStep, placeSteps } from './steps.ts';

/** The events that a finished interaction would have arrived as. https://ai.google.dev/gemini-api/docs/interactions#streaming */
export function interactionEvents(
  interaction: Wire,
  completedSteps: InteractionsConflicts['completedSteps'],
): StreamEvent[] {
  const { steps, usage, ...head } = interaction;
  const { continuation_token: _, ...begun } = head;
  const drafts: Wire[] = [
    { event_type: 'interaction.created', interaction: { ...begun, status: 'in_progress' } },
    ...asList(steps).filter(isWire).flatMap(stepEvents),
    {
      event_type: 'interaction.completed',
      interaction: { ...head, ...(completedSteps === 'full' && { steps }), usage },
    },
  ];
  return drafts.map((data, at) => ({ event: String(data.event_type), data: { ...data, event_id: `${at}` } }));
}

function stepEvents(step: Wire, index: number): Wire[] {
  const { start, deltas } = pieced(step);
  return [
    { event_type: 'step.start', index, step: start },
    ...deltas.map((delta) => ({ event_type: 'step.delta', index, delta })),
    { event_type: 'step.stop', index },
  ];
}

/** A step as it begins, and what is then added. The signature of a thought comes last. */
function pieced(step: Wire): { readonly start: Wire; readonly deltas: readonly Wire[] } {
  const { signature, summary, content, arguments: input, result, ...rest } = step;
  switch (step.type) {
    case 'thought':
      return {
        start: { ...rest, signature: '' },
        deltas: [
          ...asList(summary).map((one) => ({ type: 'thought_summary', content: one })),
          { type: 'thought_signature', signature },
        ],
      };
    case 'model_output':
      return {
        start: rest,
        deltas: asList(content)
          .filter(isWire)
          .flatMap(({ text }) => pieces(String(text)).map((piece) => ({ type: 'text', text: piece }))),
      };
    case 'function_call':
      return {
        start: { ...rest, arguments: {} },
        deltas: pieces(JSON.stringify(input)).map((piece) => ({ type: 'arguments_delta', arguments: piece })),
      };
  }
  const [placed] = placeSteps([step], 'steps');
  if (!placed || !isToolStep(placed)) return { start: step, deltas: [] };
  const told = input !== undefined ? { arguments: input } : { result };
  return { start: rest, deltas: [{ type: step.type, ...told, signature }] };
}

/** An error in mid-stream. */
export function errorEvent(code: string, message: string): StreamEvent {
  return { event: 'error', data: { event_type: 'error', error: { code, message } } };
}
