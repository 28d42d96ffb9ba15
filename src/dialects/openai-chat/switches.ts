import type { ModelSwitch } from '../../continuity/judgement.ts';
import type { Survival, SwitchDirection } from '../../continuity/vocabulary.ts';
import type { Draft } from './judge.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import type { Response } from './read-response.ts';
import type { Rule } from './rules.ts';

/** The run went on with another model than the one that it was on. */
export function clientSwitch(draft: Draft, facts: RequestFacts, rule: Rule): ModelSwitch | undefined {
  const newest = draft.sideline ? undefined : draft.compared.at(-1)?.answer;
  if (newest === undefined) return undefined;
  const from = resolveModel(newest.request.requestModel);
  if (from.id === facts.model.id) return undefined;
  const lost =
    draft.rows.some(({ entry }) => entry?.kind === 'foreign') ||
    draft.released.some(({ reason }) => reason === 'model_switch');
  const survives = lost || rule.returns === 'nothing' ? 'dropped' : survival(from, facts.model, draft);
  const { requestModel } = newest.request;
  return { direction: directionOf(from, facts.model), from: requestModel, to: facts.requestModel, survives };
}

/** A router answered with another model (openrouter.ai model routing). */
export function serverSwitch(facts: RequestFacts, response: Response): ModelSwitch | undefined {
  if (response.model === undefined) return undefined;
  const to = resolveModel(response.model);
  const { model, requestModel } = facts;
  // A longer name of the same model is no switch; neither is a deployment's.
  if (to.vendor === 'unknown' || model.vendor === 'unknown' || to.id === model.id) return undefined;
  if (to.vendor === model.vendor && (to.id.startsWith(model.id) || model.id.startsWith(to.id))) return undefined;
  const survives = to.vendor === model.vendor ? 'unknown' : 'dropped';
  return { direction: directionOf(model, to), from: requestModel, to: response.model, survives };
}

function survival(from: ResolvedModel, to: ResolvedModel, draft: Draft): Survival {
  if (from.vendor !== to.vendor) {
    return draft.rows.some(({ block }) => block.answer.request.vendor === from.vendor) ? 'unknown' : 'dropped';
  }
  // Readable text goes on; who reads whose seals, the makers do not say.
  const sealed = draft.rows.some(({ block }) => block.seal !== undefined);
  return from.vendor === 'unknown' || sealed || draft.rows.length === 0 ? 'unknown' : 'kept';
}

/** Size classes in makers' names, small to large; what has none is in the middle. */
const SIZES: readonly (readonly [RegExp, number])[] = [
  [/nano|lite|8b|7b|3b/, 1],
  [/mini(?!max)|small|air|haiku|flash|fast|turbo/, 2],
  [/medium|sonnet|plus/, 3],
  [/pro|large|opus|max(?!-m)|ultra|thinking/, 4],
  [/fable|mythos/, 5],
];
const MIDDLE = 3;

function directionOf(from: ResolvedModel, to: ResolvedModel): SwitchDirection {
  if (from.vendor !== to.vendor)
    return from.vendor === 'unknown' || to.vendor === 'unknown' ? 'unknown' : 'cross_provider';
  if (from.vendor === 'unknown') return 'unknown';
  const step = versionOf(to.id) - versionOf(from.id) || sizeOf(to.id) - sizeOf(from.id);
  if (step === 0) return 'lateral';
  return step > 0 ? 'upgrade' : 'downgrade';
}

/** First number of a name: `kimi-k2.6` → 2.6, `claude-opus-4-5` → 4.5. */
function versionOf(id: string): number {
  const match = /(\d+)(?:[.-](\d{1,2})(?!\d))?/.exec(id);
  return match === null ? 0 : Number(`${match[1]}.${match[2] ?? 0}`);
}

const sizeOf = (id: string): number => SIZES.find(([pattern]) => pattern.test(id))?.[1] ?? MIDDLE;
