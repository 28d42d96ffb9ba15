import type { Finding, Judgement, KindCount } from '../../continuity/judgement.ts';
import type { FindingKind } from '../../continuity/vocabulary.ts';
import { asArray, asObject, type Json } from '../json.ts';

/** Reasoning in a request to a family that refuses it. */
export interface Carried {
  readonly count: number;
  /** The first of them, and whether the last stands in the turn that is going on. */
  readonly path: string;
  readonly inLastTurn: boolean;
}

/** @param body in the shape of a Messages request. */
export function carriedIn(body: Json): Carried | undefined {
  const messages = (asArray(body.messages) ?? []).map((message) => asObject(message) ?? {});
  const places = messages.flatMap(({ content }, message) =>
    (asArray(content) ?? []).flatMap((block, at) => (isReasoning(block) ? [{ message, at }] : [])),
  );
  const [first] = places;
  if (first === undefined) return undefined;
  const said = messages.findLastIndex(({ role, content }) => role === 'user' && !asArray(content)?.some(isResult));
  return {
    count: places.length,
    path: `messages.${first.message}.content.${first.at}`,
    inLastTurn: (places.at(-1)?.message ?? 0) > said,
  };
}

function isReasoning(block: unknown): boolean {
  const type = asObject(block)?.type;
  return type === 'thinking' || type === 'redacted_thinking';
}

function isResult(block: unknown): boolean {
  return asObject(block)?.type === 'tool_result';
}

/**
 * Puts `carried` in the place of what the rules of the Messages API say of unsealed blocks that come back. What they call
 * foreign stays so: one unit has one fault. Metrics count each block that is known once; one whose issue nobody saw cannot
 * be known again.
 */
export function withCarried(judgement: Judgement, { count, path, inLastTurn }: Carried): Judgement {
  const { firstSeen } = judgement;
  const own = count - sum(judgement.findings, 'foreign');
  if (own <= 0) return judgement;
  const finding: Finding = {
    kind: 'carried',
    count: own,
    source: 'client',
    path,
    cycle: inLastTurn ? judgement.cycle.state : 'closed',
    severity: 'loss',
    certainty: 'certain',
  };
  const known = sum(firstSeen.findings, 'unsigned_on_arrival');
  const unknown = own - sum(judgement.findings, 'unsigned_on_arrival');
  const newly: KindCount = { kind: 'carried', source: 'client', count: known + unknown };
  return {
    ...judgement,
    verdict: 'finding',
    findings: [finding, ...judgement.findings.filter((one) => !isUnsigned(one))],
    firstSeen: {
      ...firstSeen,
      findings: [...firstSeen.findings.filter((one) => !isUnsigned(one)), ...(newly.count > 0 ? [newly] : [])],
    },
  };
}

function isUnsigned({ kind }: Pick<KindCount, 'kind'>): boolean {
  return kind === 'unsigned_on_arrival';
}

function sum(counts: readonly Pick<KindCount, 'kind' | 'count'>[], kind: FindingKind): number {
  return counts.reduce((total, one) => total + (one.kind === kind ? one.count : 0), 0);
}
