import type { ObserveCall } from '../observe/seen-call.ts';
import type { Found } from './anthropic.ts';
import { patchResource } from './patch-resource.ts';
import type { Target } from './target.ts';
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
  const known = new Map<unknown, { target: Target; sdkVersion: string | undefined; undo?: () => void }>();
  let enabled = false;

  const patch = (resource: unknown): void => {
    const entry = known.get(resource);
    if (!entry || entry.undo) return;
    const undo = patchResource(resource, entry.target, subscriber, entry.sdkVersion);
    if (undo) entry.undo = undo;
  };

  return {
    offer(found, sdkVersion) {
      if (found.length === 0 || !isSupportedVersion(sdkVersion)) return;
      for (const [resource, target] of found) {
        if (!known.has(resource)) known.set(resource, { target, sdkVersion });
        if (enabled) patch(resource);
      }
    },
    enable() {
      enabled = true;
      for (const resource of known.keys()) patch(resource);
    },
    disable() {
      enabled = false;
      for (const entry of known.values()) {
        entry.undo?.();
        delete entry.undo;
      }
    },
  };
}
