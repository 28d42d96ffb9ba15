import { type Content, isNamed, type Part, seal } from './parts.ts';

/** What a harness does to its history before it sends it. Never changes what it is given. */
export type Edit = (history: readonly Content[]) => readonly Content[];

export const all =
  (...edits: readonly Edit[]): Edit =>
  (history) =>
    edits.reduce((now, edit) => edit(now), history);

const withParts =
  (edit: (parts: readonly Part[]) => readonly Part[]): Edit =>
  (history) =>
    history.map((content) => {
      const after = edit(content.parts);
      return after === content.parts ? content : { ...content, parts: after };
    });

/** Puts something else in the place of one part. */
export const put = (name: string, change: (part: Part) => Part | readonly Part[]): Edit =>
  withParts((parts) =>
    parts.some((part) => isNamed(part, name))
      ? parts.flatMap((part) => (isNamed(part, name) ? change(part) : [part]))
      : parts,
  );

/** Leaves parts out. */
export const drop = (...names: readonly string[]): Edit => all(...names.map((name) => put(name, () => [])));

/** Sets, or with undefined removes, members of one part. */
export const set = (name: string, members: Record<string, unknown>): Edit =>
  put(name, (part) => {
    const changed: Record<string, unknown> = { ...part, ...members };
    for (const key of Object.keys(members)) if (members[key] === undefined) delete changed[key];
    return changed;
  });

/** Takes seals off, and leaves what stood beside them. */
export const unsign = (...names: readonly string[]): Edit =>
  all(...names.map((name) => set(name, { thoughtSignature: undefined })));

export const stripAll: Edit = withParts((parts) =>
  parts.some((part) => 'thoughtSignature' in part) ? parts.map(({ thoughtSignature: _seal, ...rest }) => rest) : parts,
);

/** Takes the seal off one part and puts it on another. */
export const move = (from: string, to: string): Edit => all(unsign(from), set(to, { thoughtSignature: seal(from) }));

export const content =
  (index: number, parts: (before: readonly Part[]) => readonly Part[]): Edit =>
  (history) =>
    history.map((one, at) => (at === index ? { ...one, parts: parts(one.parts) } : one));

/** Replaces `count` contents from `at` on. */
export const splice =
  (at: number, count: number, ...contents: readonly Content[]): Edit =>
  (history) => [...history.slice(0, at), ...contents, ...history.slice(at + count)];

/** Each part of a content in a content of its own, as the SDK's chat keeps the chunks of a stream. */
export const scatter =
  (index: number): Edit =>
  (history) =>
    history.flatMap((one, at) => (at === index ? one.parts.map((part) => ({ ...one, parts: [part] })) : [one]));
