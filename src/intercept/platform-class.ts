import { Readable } from 'node:stream';

const { prototype: ofGenerator } = async function* () {};

/** Objects of the platform's own that others inherit `Symbol.asyncIterator` from. */
const PLATFORM: ReadonlySet<object> = new Set([
  Object.getPrototypeOf(Object.getPrototypeOf(ofGenerator)),
  ReadableStream.prototype,
  Readable.prototype,
]);

/** Whether a prototype belongs to the platform. It is nobody's to patch: the whole process would go through the patch. */
export const isPlatformClass = (prototype: object): boolean => PLATFORM.has(prototype);
