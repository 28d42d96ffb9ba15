import type { ObserveCall } from '../observe/seen-call.ts';
import { patchResource } from './patch-resource.ts';
import type { Found, Target } from './target.ts';
import { isSupportedVersion } from './unsupported-version.ts';

/** The classes that one instrumentation has come across, in any number of copies and majors, patched while it is on. */
export interface ClassPatches {
  /** Offers what a module exports; a class that is known already is left as it is. */
  offer(found: readonly Found[], sdkVersion: string | undefined): void;
  enable(): void;
  disable(): void;
}

export function classPatches(observe: ObserveCall): ClassPatches {
  const subscriber = { observe, manual: false };
  const known = new Map<unknown, Entry[]>();
  let enabled = false;

  const patch = (resource: unknown, entry: Entry): void => {
    if (entry.undo) return;
    const undo = patchResource(resource, entry.target, subscriber, entry.sdkVersion);
    if (undo) entry.undo = undo;
  };

  return {
    offer(found, sdkVersion) {
      for (const [resource, target] of found) {
        if (!isSupportedVersion(target.sdk, sdkVersion)) continue;
        const entries = known.get(resource) ?? [];
        known.set(resource, entries);
        let entry = entries.find((one) => one.target.method === target.method);
        if (!entry) {
          entry = { target, sdkVersion };
          entries.push(entry);
        }
        if (enabled) patch(resource, entry);
      }
    },
    enable() {
      enabled = true;
      for (const [resource, entries] of known) for (const entry of entries) patch(resource, entry);
    },
    disable() {
      enabled = false;
      for (const entry of [...known.values()].flat()) {
        entry.undo?.();
        delete entry.undo;
      }
    },
  };
}

/** One method of a class. */
interface Entry {
  readonly target: Target;
  readonly sdkVersion: string | undefined;
  undo?: () => void;
}
