import { createRequire } from 'node:module';
import { addHook, removeHook } from 'import-in-the-middle';
import { guard } from '../observe/guard.ts';
import { sdkFileAt } from './sdk-file.ts';
import type { Found } from './target.ts';

type Offer = (found: readonly Found[], sdkVersion: string | undefined) => void;

/**
 * Files of an SDK that have been loaded with `require` before the instrumentation: they are patched in place, late but
 * whole. (Modules that `import` has loaded cannot be reached.)
 */
export function offerRequiredModules(offer: Offer): void {
  guard('looking for modules that are loaded already', () => {
    // Every `require` of a process shares one cache.
    const { cache } = createRequire(process.execPath);
    for (const [path, module] of Object.entries(cache)) {
      const file = module?.loaded ? sdkFileAt(path) : undefined;
      if (file) offer(file.find(module?.exports), file.version);
    }
  });
}

/**
 * Files of an SDK as the loader hooks of our own import-in-the-middle see them. An older
 * `@opentelemetry/instrumentation` brings another copy, whose hooks see nothing of that, and up to 0.20x hears of the
 * main file of a package only.
 * @returns a function that ends it
 */
export function offerImportedModules(offer: Offer): () => void {
  const hook = (url: string, exports: Record<string, unknown>): void => {
    guard('patching an ES module', () => {
      const file = sdkFileAt(url);
      if (file) offer(file.find(exports), file.version);
    });
  };
  addHook(hook);
  return () => removeHook(hook);
}
