import { type Item, isNamed, without } from './items.ts';

/** What a harness does to its items before it sends them. Never changes what it is given. */
export type Edit = (items: readonly Item[]) => readonly Item[];

export const all =
  (...edits: readonly Edit[]): Edit =>
  (items) =>
    edits.reduce((now, edit) => edit(now), items);

/** Leaves out the named items. */
export const drop = (...names: readonly string[]): Edit => keep((item) => !names.some((name) => isNamed(item, name)));

export const keep =
  (like: (item: Item) => boolean): Edit =>
  (items) =>
    items.filter(like);

/** The filter by type that essays warn of. */
export const noReasoning: Edit = keep(({ type }) => type !== 'reasoning');

/** Puts something else in the place of one item; a list puts several. */
export const put =
  (name: string, change: (item: Item) => Item | readonly Item[]): Edit =>
  (items) => {
    if (!items.some((item) => isNamed(item, name))) throw new Error(`no item ${name}`);
    return items.flatMap((item) => (isNamed(item, name) ? change(item) : [item]));
  };

/** Sets, or with undefined removes, members of one item. */
export const set = (name: string, members: Record<string, unknown>): Edit =>
  put(name, (item) => {
    const gone = Object.keys(members).filter((key) => members[key] === undefined);
    return without({ ...item, ...members }, ...gone);
  });

const WRITTEN_BY_A_MODEL = new Set(['reasoning', 'function_call', 'message', 'web_search_call', 'compaction']);
const isOutput = (item: Item): boolean => WRITTEN_BY_A_MODEL.has(item.type ?? '') && item.id !== undefined;

/** Takes the server ids off everything that a model wrote. */
export const noIds: Edit = (items) => items.map((item) => (isOutput(item) ? without(item, 'id') : item));

/** Takes the server ids off reasoning alone. */
export const noReasoningIds: Edit = (items) =>
  items.map((item) => (item.type === 'reasoning' ? without(item, 'id') : item));

/** Moves an item to another place. */
export const move =
  (name: string, to: number): Edit =>
  (items) => {
    const moved = items.filter((item) => isNamed(item, name));
    const rest = items.filter((item) => !isNamed(item, name));
    return [...rest.slice(0, to), ...moved, ...rest.slice(to)];
  };

/** Replaces `count` items from `at` on. */
export const splice =
  (at: number, count: number, ...put: readonly Item[]): Edit =>
  (items) => [...items.slice(0, at), ...put, ...items.slice(at + count)];

/** The same items in the order of these names; what is not named stays away. */
export const order =
  (...names: readonly string[]): Edit =>
  (items) =>
    names.map((name) => {
      const found = items.find((item) => isNamed(item, name));
      if (found === undefined) throw new Error(`no item ${name}`);
      return found;
    });
