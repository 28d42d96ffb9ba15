// An instrumentation of the application's own, with loader hooks over everything, as OpenTelemetry documents it.
import { register } from 'node:module';
import { Hook } from 'import-in-the-middle';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
new Hook(['valibot'], () => {
  globalThis.otherHook = true;
});
