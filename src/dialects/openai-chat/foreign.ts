import type { IssuedBlock } from '../../continuity/answer.ts';
import type { Certainty } from '../../continuity/vocabulary.ts';
import { API, asChatBlock } from './issued.ts';
import { type ResolvedModel, resolveModel } from './models.ts';
import type { RequestFacts } from './read-request.ts';
import { unreadableBy } from './readers.ts';
import type { Rule } from './rules.ts';

/** Why a target cannot read a block. */
export interface Foreign {
  readonly certainty: Certainty;
  /** The target checks it, whichever turn it is of. */
  readonly refused: boolean;
  /** A request that goes through shows that it was readable after all. */
  readonly disproved: boolean;
}

/** Which maker's seal an element says that it bears (openrouter.ai reasoning-tokens, `format`). */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^anthropic/, 'anthropic'],
  [/^google/, 'google'],
  [/openai/, 'openai'],
  [/^xai/, 'xai'],
];

/** Seals of these are good on one route and for one account only (ai.google.dev thought-signatures, Azure OpenAI reasoning). */
const BOUND = new Set(['google', 'openai', 'xai']);

/** Undefined: readable, as far as anybody knows. Readable text is understood by any model, but is not its own. */
export function foreignTo(block: IssuedBlock, facts: RequestFacts, rule: Rule): Foreign | undefined {
  const producer = makerOf(block);
  const target = facts.model;
  const sealed = block.seal !== undefined;
  const both = producer !== 'unknown' && target.vendor !== 'unknown';
  if (both && producer !== target.vendor) return { certainty: 'certain', refused: sealed, disproved: false };
  if (!sealed) return undefined;
  const { request } = block.answer;
  const unreadable = request.requestModel === facts.requestModel ? undefined : unreadableBy(producerOf(block), target);
  if (unreadable !== undefined) {
    const { certainty, refused } = unreadable;
    return { certainty, refused, disproved: refused };
  }
  // Between two makers that nobody knows, the place has to differ too.
  if (!both) {
    const apart = request.endpoint !== facts.endpoint && request.model !== target.id;
    return apart && producer !== target.vendor ? { certainty: 'inferred', refused: false, disproved: true } : undefined;
  }
  // The two sides of a gateway have addresses and accounts of their own; another API is another address anyway.
  if (request.leg !== facts.leg || request.api !== API || !BOUND.has(producer)) return undefined;
  const known = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined;
  const account = known(request.account, facts.account) && request.account !== facts.account && !rule.profile.router;
  const route = known(request.endpoint, facts.endpoint) && request.endpoint !== facts.endpoint;
  return account || route ? { certainty: 'inferred', refused: true, disproved: true } : undefined;
}

/** The maker of a block: by the name of its model, or where that says nothing (a router's choice), by the label on it. */
function makerOf(block: IssuedBlock): string {
  const { vendor } = producerOf(block);
  if (vendor !== 'unknown') return vendor;
  const format = asChatBlock(block)?.chat.format;
  const labelled = format === undefined ? undefined : FORMATS.find(([pattern]) => pattern.test(format))?.[1];
  return labelled ?? 'unknown';
}

function producerOf(block: IssuedBlock): ResolvedModel {
  return resolveModel(block.model);
}
