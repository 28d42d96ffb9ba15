import type { Subscriber } from '../context.ts';
import type { Found } from './target.ts';

/** One SDK package, as the hooks and `instrumentClient` need it described. */
export interface SupportedSdk {
  /** The package. */
  readonly name: string;
  /** Versions whose classes have the shape that is patched, as npm writes ranges. */
  readonly range: string;
  inRange(version: string): boolean;
  /** What `npm install` is to be given where the version is outside the range. */
  readonly newest: string;
  /** The files that define the patched classes; hooked by name, since packages that build upon this one import nothing else. */
  readonly files: readonly PatchedFile[];
  /** What there is to patch in the exports of the package itself. */
  ofPackage(exports: unknown): readonly Found[];
  /** The resources behind one client, whatever its class, its package or its bundle; none where it is no such client. */
  ofClient(client: Record<PropertyKey, unknown>): readonly Found[];
  /** Watches an object of the SDK that is no client but makes calls of its own. @returns false where it is none. */
  attach?(other: Record<PropertyKey, unknown>, subscriber: Subscriber): boolean;
  /** Its calls as they leave the process: how those are known that were not observed. */
  readonly requests: {
    readonly path: RegExp;
    readonly userAgent: RegExp;
  };
}

export interface PatchedFile {
  /** Inside the package, without extension. */
  readonly path: string;
  /** Source of a pattern for the name of the package's folder, where the path alone would take in many a package. */
  readonly folder?: string;
  /** What there is to patch in its exports. */
  find(exports: unknown): readonly Found[];
}
