import { asList, digest, isWire } from '../json.ts';
import type { OpenAiScriptCall } from '../openai/script.ts';
import type { ToolResultSeen } from '../script-parts.ts';
import { seeded } from '../seeded.ts';
import type { Evaluated } from './evaluate.ts';
import { CALLS, isModelItem, isUserMessage, OUTPUTS, type PlacedItem, textOf, turnStart } from './items.ts';

export interface CallPlace {
  readonly seed: string;
  /** Names this very request, and the how-many-eth arrival of it. */
  readonly label: string;
  readonly repeat: number;
}

/** What the script is told. Nothing that the model would not be shown. */
export function scriptCall(
  { request, history, seals, config, binding }: Evaluated,
  place: CallPlace,
): OpenAiScriptCall {
  const { items } = history;
  const { seed, label, repeat } = place;
  const start = turnStart(items);
  const turn = items.filter(isUserMessage).length;
  const user = items[start - 1];
  const userText = user ? textOf(user.item) : '';
  const compaction = items.findLast(({ type }) => type === 'compaction');
  const summary = compaction && seals.get(compaction);
  const plans = [...(summary ? [summary] : []), ...binding.shown.map(({ sealed }) => sealed)];
  return {
    api: 'openai-responses',
    model: request.model.id,
    turn,
    step: answersIn(items.slice(start)),
    answers: answersIn(items),
    repeat,
    body: request.body,
    tools: asList(request.body.tools).filter(isWire),
    effort: config.effort,
    userText,
    results: resultsSeen(items),
    shown: binding.shown.map(({ sealed }) => ({
      text: sealed.text,
      model: sealed.model,
      ...('plan' in sealed && { plan: sealed.plan }),
    })),
    plan: plans.findLast((sealed) => 'plan' in sealed)?.plan,
    random: seeded(seed, `responses script ${label}`),
    turnRandom: seeded(seed, `turn ${turn} ${digest(userText)}`),
  };
}

/** Answers are told apart by what the client put between them. */
function answersIn(items: readonly PlacedItem[]): number {
  return items.filter((item, index) => isModelItem(item) && !isModelItemAt(items, index - 1)).length;
}

function isModelItemAt(items: readonly PlacedItem[], index: number): boolean {
  const item = items[index];
  return item !== undefined && isModelItem(item);
}

function resultsSeen(items: readonly PlacedItem[]): ToolResultSeen[] {
  const last = items.findLastIndex(isModelItem);
  return items.slice(last + 1).flatMap(({ item, type }) => {
    const row = OUTPUTS[type];
    if (!row) return [];
    const id = item[row.key];
    const call = items.find((other) => CALLS[other.type] === row && (other.item.call_id ?? other.item.id) === id)?.item;
    return {
      id: String(id),
      name: String(call?.name ?? ''),
      input: call?.arguments ?? call?.input,
      content: item.output,
      isError: false,
    };
  });
}
