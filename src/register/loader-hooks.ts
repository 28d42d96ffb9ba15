import * as nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import { PATCHED_FILES } from '../intercept/sdk-file.ts';

/** How ES modules are hooked; `require` is hooked by the instrumentation itself. */
export type LoaderHooks = 'in_thread' | 'off_thread' | 'none';

interface HookOptions {
  readonly include: readonly RegExp[];
}

/** What `createHook` of import-in-the-middle gives: the hooks of one list. */
interface HookSet {
  applyOptions(options: HookOptions): void;
  readonly resolveSync: (...args: unknown[]) => unknown;
  readonly loadSync: (...args: unknown[]) => unknown;
}

interface RegistersHooks {
  registerHooks(hooks: { resolve: unknown; load: unknown }): void;
}

const own = nodeModule.createRequire(import.meta.url);
const pathOf = (file: string): string => own.resolve(`import-in-the-middle/${file}`);
const urlOf = (file: string): string => pathToFileURL(pathOf(file)).href;

/** Only what is patched: with hooks over every module, modules load in another order, and some packages do not bear it. */
const OPTIONS: HookOptions = { include: PATCHED_FILES };

/**
 * Hooks the files that are patched, on the thread itself where import-in-the-middle can (Node 22.22.3, 24.11.1, 25.1,
 * 26), on the loader thread elsewhere.
 *
 * A set of hooks of our own, and not the one behind `import-in-the-middle/register-hooks.mjs` and `…/hook.mjs`: of that
 * there is one a process, so our list would bind the application's own instrumentations too, and theirs us.
 *
 * @throws where Node has the hooks and refuses them
 */
export function installLoaderHooks(): LoaderHooks {
  if (registersHooks(nodeModule)) {
    // Where registerHooks is, `require` takes ES modules. From a path under node_modules, or Node 22 would warn of it.
    const iitm = nodeModule.createRequire(pathOf('index.js'));
    const { supportsSyncHooks } = iitm('./supports-sync-hooks.mjs') as { supportsSyncHooks(): boolean };
    if (supportsSyncHooks()) {
      const { createHook } = iitm('./create-hook.mjs') as { createHook(meta: { url: string }): HookSet };
      const hooks = createHook({ url: urlOf('register-hooks.mjs') });
      hooks.applyOptions(OPTIONS);
      nodeModule.registerHooks({ resolve: hooks.resolveSync, load: hooks.loadSync });
      return 'in_thread';
    }
  }
  // Absent from Bun and Deno, and before Node 20.6.
  if (typeof nodeModule.register !== 'function') return 'none';
  nodeModule.register(loaderModule(), { data: OPTIONS });
  return 'off_thread';
}

function registersHooks(module: object): module is RegistersHooks {
  return 'registerHooks' in module && typeof module.registerHooks === 'function';
}

/** A module for the loader thread, which can be reached only by URL. */
function loaderModule(): string {
  const source = `
    import { createHook } from ${JSON.stringify(urlOf('create-hook.mjs'))};
    const hooks = createHook({ url: ${JSON.stringify(urlOf('hook.mjs'))} });
    export const initialize = (options) => hooks.applyOptions(options);
    export const { resolve, load } = hooks;
  `;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
