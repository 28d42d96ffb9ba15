import { type Block, isNamed, type Message } from './blocks.ts';

/** What a harness does to its history before it sends it. Never changes what it is given. */
export type Edit = (history: readonly Message[]) => readonly Message[];

export const blocksOf = (message: Message): readonly Block[] =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;

const withBlocks =
  (edit: (blocks: readonly Block[], message: Message) => readonly Block[]): Edit =>
  (history) =>
    history.map((message) => {
      const before = blocksOf(message);
      const after = edit(before, message);
      return after === before ? message : { ...message, content: after };
    });

export const all =
  (...edits: readonly Edit[]): Edit =>
  (history) =>
    edits.reduce((now, edit) => edit(now), history);

/** Leaves out the named blocks (seal, call id or text). */
export const drop = (...names: readonly string[]): Edit =>
  withBlocks((blocks) => {
    const kept = blocks.filter((block) => !names.some((name) => isNamed(block, name)));
    return kept.length === blocks.length ? blocks : kept;
  });

/** Keeps what a predicate likes: the filter by type that essays warn of. */
export const keepBlocks = (like: (block: Block) => boolean): Edit =>
  withBlocks((blocks) => {
    const kept = blocks.filter(like);
    return kept.length === blocks.length ? blocks : kept;
  });

export const noThinking: Edit = keepBlocks(({ type }) => type !== 'thinking' && type !== 'redacted_thinking');

/** Puts something else in the place of one block; a list puts several. */
export const put = (name: string, change: (block: Block) => Block | readonly Block[]): Edit =>
  withBlocks((blocks) =>
    blocks.some((block) => isNamed(block, name))
      ? blocks.flatMap((block) => (isNamed(block, name) ? change(block) : [block]))
      : blocks,
  );

/** Sets, or with undefined removes, members of one block. */
export const set = (name: string, members: Record<string, unknown>): Edit =>
  put(name, (block) => {
    const changed: Record<string, unknown> = { ...block, ...members };
    for (const key of Object.keys(members)) if (members[key] === undefined) delete changed[key];
    return changed as Block;
  });

/** The content of one message, anew. */
export const message =
  (index: number, content: (before: readonly Block[]) => readonly Block[] | string): Edit =>
  (history) =>
    history.map((one, at) => (at === index ? { ...one, content: content(blocksOf(one)) } : one));

/** Blocks of the message at `index` in the order of these names. */
export const order = (index: number, ...names: readonly string[]): Edit =>
  message(index, (before) =>
    names.map((name) => {
      const found = before.find((block) => isNamed(block, name));
      if (found === undefined) throw new Error(`no block ${name} in message ${index}`);
      return found;
    }),
  );

/** Replaces `count` messages from `at` on. */
export const splice =
  (at: number, count: number, ...messages: readonly Message[]): Edit =>
  (history) => [...history.slice(0, at), ...messages, ...history.slice(at + count)];
