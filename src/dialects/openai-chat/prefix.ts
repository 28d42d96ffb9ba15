import { type Answer, type Chain, extend } from '../../continuity/answer.ts';
import type { Digest } from '../../continuity/digest.ts';
import type { PrefixChange } from '../../continuity/vocabulary.ts';
import type { ComparedAnswer } from './compare.ts';
import type { RequestFacts } from './read-request.ts';
import type { Turns } from './turns.ts';

/** What differs in front of an answer from what it was given behind. */
export function changeBefore({ answer, message }: ComparedAnswer, facts: RequestFacts, turns: Turns): PrefixChange {
  const { request } = answer;
  if (request.system !== facts.system) return 'system';
  if (request.tools !== facts.tools) return 'tools';
  return request.prefix === turns.prefixOf[turns.groupOf[message] ?? message] ? 'none' : 'messages';
}

/** The same for the tools where their order does not count: Claude takes them as a set (preserved-thinking/prefix-checks). */
export function breaksPrefix(compared: ComparedAnswer, facts: RequestFacts, turns: Turns): boolean {
  const change = changeBefore(compared, facts, turns);
  if (change === 'none') return false;
  const sameSet = change === 'tools' && compared.answer.request.binding === facts.toolSet;
  if (!sameSet || facts.model.vendor !== 'anthropic') return true;
  const { message, answer } = compared;
  return answer.request.prefix !== turns.prefixOf[turns.groupOf[message] ?? message];
}

/** Every seal that a request sends, in order, and the answers behind which the row of them is not what it was. */
export interface SealRow {
  readonly chain: Chain<Digest> | undefined;
  readonly broken: ReadonlySet<Answer>;
}

/** Steps of one run share their rows, so that a healthy history is known by identity. */
export function sealRow(compared: readonly ComparedAnswer[]): SealRow {
  const broken = new Set<Answer>();
  let chain: Chain<Digest> | undefined;
  for (const { answer, echo, blocks } of compared) {
    const same = chain === answer.request.seals;
    if (!same && !isEqual(chain, answer.request.seals)) broken.add(answer);
    if (echo && same) {
      chain = answer.sealsAfter;
      continue;
    }
    for (const { block, message } of blocks) {
      if (message !== undefined && block.seal !== undefined) chain = extend(chain, block.seal);
    }
  }
  return { chain, broken };
}

function isEqual(one: Chain<Digest> | undefined, other: Chain<Digest> | undefined): boolean {
  let x = one;
  let y = other;
  while (x !== y) {
    if (x === undefined || y === undefined || x.length !== y.length || x.value !== y.value) return false;
    x = x.previous;
    y = y.previous;
  }
  return true;
}
