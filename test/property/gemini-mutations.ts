import { type Edit, scatter } from '../dialects/gemini-generate/edits.ts';
import { BYPASS, type Content, callName, model, type Part, seal, user } from '../dialects/gemini-generate/parts.ts';
import type { Report } from '../dialects/gemini-generate/talk.ts';

export const isCall = (part: Part): boolean => callName(part) !== undefined;

const eachPart =
  (change: (part: Part) => readonly Part[]): Edit =>
  (history) =>
    history.map((one) => ({ ...one, parts: one.parts.flatMap(change) }));

/** What a faithful client may do to its history. */
export const EDITS: Readonly<Record<string, Edit>> = {
  rebuild: (history) => JSON.parse(JSON.stringify(history)),
  'forget thoughts': eachPart((part) => (part.thought === true ? [] : [part])),
  /** As the SDK's chat keeps a stream; calls of one batch have to stay together. */
  chunks: (history) =>
    history.flatMap((one, at) =>
      one.role === 'model' && one.parts.filter(isCall).length < 2
        ? scatter(at)(history).slice(at, at + one.parts.length)
        : [one],
    ),
  ids: eachPart((part) => {
    const member = isCall(part) ? 'functionCall' : 'functionResponse' in part ? 'functionResponse' : undefined;
    return [member === undefined ? part : { ...part, [member]: { ...(part[member] as object), id: 'made-up' } }];
  }),
};

export type Below = (limit: number) => number;
export interface Damage {
  readonly history: readonly Content[];
  readonly config?: Record<string, unknown>;
  readonly target?: Record<string, unknown>;
  readonly report: Report;
}
interface Place {
  readonly content: number;
  readonly at: number;
  readonly part: Part;
}
export type Mutation = (history: readonly Content[], below: Below) => Damage | undefined;

const placesOf = (history: readonly Content[], like: (part: Part, content: Content) => boolean): Place[] =>
  history.flatMap((one, content) =>
    one.role === 'model' ? one.parts.flatMap((part, at) => (like(part, one) ? [{ content, at, part }] : [])) : [],
  );
const isSigned = (part: Part): boolean => 'thoughtSignature' in part;
const pick = <T>(list: readonly T[], below: Below): T | undefined =>
  list.length > 0 ? list[below(list.length)] : undefined;
const replaced = (history: readonly Content[], { content, at }: Omit<Place, 'part'>, ...parts: readonly Part[]) =>
  history.map((one, index) => (index === content ? { ...one, parts: one.parts.toSpliced(at, 1, ...parts) } : one));
const counts = (report: Report): Report => Object.fromEntries(Object.entries(report).filter(([, count]) => count > 0));
const sealsIn = (content: Content | undefined): number => content?.parts.filter(isSigned).length ?? 0;

const on =
  (
    like: (part: Part, content: Content) => boolean,
    damage: (place: Place, history: readonly Content[], below: Below) => Damage,
  ): Mutation =>
  (history, below) => {
    const place = pick(placesOf(history, like), below);
    return place && damage(place, history, below);
  };
const bare = ({ thoughtSignature: _seal, ...rest }: Part): Part => rest;
const isSibling = (part: Part): boolean => isCall(part) && !isSigned(part);
const exchanges = (history: readonly Content[], calls = 1): number[] =>
  history.flatMap((one, at) => (one.role === 'model' && one.parts.filter(isCall).length >= calls ? [at] : []));

/** What harnesses do to a history, and how it is called. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  unsign: on(isSigned, (place, history) => ({
    history: replaced(history, place, bare(place.part)),
    report: { dropped: 1 },
  })),
  'cut the seal': on(isSigned, (place, history, below) => {
    const value = String(place.part.thoughtSignature);
    const [third, most] = [Math.floor(value.length * 0.3), Math.ceil(value.length * 0.7)];
    const thoughtSignature = [value.slice(0, most), value.slice(third), `${value.slice(0, 60)}xyz${value.slice(63)}`][
      below(3)
    ];
    return { history: replaced(history, place, { ...place.part, thoughtSignature }), report: { edited: 1 } };
  }),
  'rename the seal': on(isSigned, (place, history) => ({
    history: replaced(history, place, { ...bare(place.part), signature: place.part.thoughtSignature }),
    report: { edited: 1 },
  })),
  'replace the seal': on(isSigned, (place, history, below) => ({
    history: replaced(history, place, { ...place.part, thoughtSignature: below(2) ? BYPASS : seal('of nobody') }),
    report: { fabricated: 1, dropped: 1 },
  })),
  'seal a sibling': on(isSibling, (place, history, below) => ({
    history: replaced(history, place, { ...place.part, thoughtSignature: below(2) ? BYPASS : seal('of nobody') }),
    report: { fabricated: 1 },
  })),
  'copy the seal': on(isSibling, (place, history) => ({
    history: replaced(history, place, {
      ...place.part,
      thoughtSignature: history[place.content]?.parts.find(isSigned)?.thoughtSignature,
    }),
    report: { duplicated: 1 },
  })),
  'move the seal': on(isSibling, (place, history) => {
    const parts = history[place.content]?.parts ?? [];
    const from = parts.findIndex((part) => isSigned(part) && isCall(part));
    const { thoughtSignature } = parts[from] ?? {};
    const moved = replaced(history, place, { ...place.part, thoughtSignature });
    return {
      history: replaced(moved, { content: place.content, at: from }, bare(parts[from] ?? {})),
      report: { misplaced: 1 },
    };
  }),
  'seal the user': on(isSigned, (place, history) => ({
    history: history.map((one, at) =>
      at === place.content + 1
        ? {
            ...one,
            parts: one.parts.map((part, i) =>
              i === 0 ? { ...part, thoughtSignature: place.part.thoughtSignature } : part,
            ),
          }
        : one,
    ),
    report: { duplicated: 1 },
  })),
  'leave a part out': on(
    (part, { parts }) => isSigned(part) && !isCall(part) && parts.length > 1,
    (place, history) => ({ history: replaced(history, place), report: { dropped: 1 } }),
  ),
  'leave a sibling out': on(isSibling, (place, history) => {
    const index = history[place.content]?.parts.slice(0, place.at).filter(isCall).length ?? 0;
    return {
      history: replaced(replaced(history, place), { content: place.content + 1, at: index }),
      report: { edited: 1 },
    };
  }),
  reorder: on(
    (part, { parts }) => isSigned(part) && isCall(part) && parts.filter(isCall).length > 1,
    (place, history) => ({
      history: history.map((one, at) =>
        at === place.content ? { ...one, parts: [...one.parts.toSpliced(place.at, 1), place.part] } : one,
      ),
      report: { reordered: 1 },
    }),
  ),
  'copy a content': (history, below) => {
    const at = pick(exchanges(history), below);
    if (at === undefined) return undefined;
    const content = history[at];
    return { history: history.toSpliced(at + 2, 0, content as Content), report: { duplicated: sealsIn(content) } };
  },
  split: (history, below) => {
    const at = pick(exchanges(history, 2), below);
    if (at === undefined) return undefined;
    const parts = history[at]?.parts ?? [];
    const results = history[at + 1]?.parts ?? [];
    const calls = parts.filter(isCall);
    const steps = calls.flatMap((one, index) => [
      model(...(index === 0 ? parts.filter((part) => !isCall(part)) : []), one),
      user(results[index] as Part),
    ]);
    return { history: history.toSpliced(at, 2, ...steps), report: { split: calls.length - 1 } };
  },
  'split results': (history, below) => {
    const at = pick(exchanges(history, 2), below);
    if (at === undefined) return undefined;
    const results = history[at + 1]?.parts ?? [];
    return {
      history: history.toSpliced(at + 1, 1, ...results.map((one) => user(one))),
      report: { split_results: results.length - 1 },
    };
  },
  merge: (history, below) => {
    const at = pick(
      exchanges(history).filter(
        (index) => history[index + 2]?.role === 'model' && history[index + 2]?.parts.some(isCall),
      ),
      below,
    );
    if (at === undefined) return undefined;
    const [a, ra, b, rb] = history.slice(at, at + 4).map(({ parts }) => parts);
    return {
      history: history.toSpliced(at, 4, model(...(a ?? []), ...(b ?? [])), user(...(ra ?? []), ...(rb ?? []))),
      report: { merged: 1 },
    };
  },
  'trim an exchange': (history, below) => {
    const after = (at: number): number => history.slice(at + 1).reduce((sum, one) => sum + sealsIn(one), 0);
    const at = pick(
      exchanges(history).filter((index) => after(index) > 0),
      below,
    );
    if (at === undefined) return undefined;
    return { history: history.toSpliced(at, 2), report: counts({ trimmed: sealsIn(history[at]) }) };
  },
  'lose an answer': (history, below) => {
    const after = (at: number): number => history.slice(at + 1).reduce((sum, one) => sum + sealsIn(one), 0);
    const at = pick(
      exchanges(history).filter((index) => after(index) > 0),
      below,
    );
    if (at === undefined) return undefined;
    return { history: history.toSpliced(at, 1), report: { dropped: sealsIn(history[at]) } };
  },
  'switch the account': (history) => ({
    history,
    target: { auth_fingerprint: 'another' },
    report: { foreign: history.reduce((sum, one) => sum + sealsIn(one), 0) },
  }),
  'switch the family': (history) => ({
    history,
    config: { model: 'gemini-2.5-pro' },
    report: { foreign: history.reduce((sum, one) => sum + sealsIn(one), 0) },
  }),
  nothing: (history, below) => {
    const names = Object.keys(EDITS);
    return { history: EDITS[names[below(names.length)] ?? '']?.(history) ?? history, report: {} };
  },
};
