import { guard } from '../observe/guard.ts';
import { type CallWatch, watchCall } from './call-watch.ts';
import { keeperOf } from './google-genai-chat.ts';
import { apiClientFacts } from './google-genai-facts.ts';
import { withGoogleErrors } from './google-genai-failure.ts';
import { GOOGLE_GENAI_SDK } from './google-genai-name.ts';
import { losesSeals, observeWire } from './google-genai-wire.ts';
import { type ObservedCall, observePromise } from './native-promise.ts';
import { isCallable, isObject } from './shapes.ts';
import { startReading, watchGenerator } from './stream-reading.ts';
import type { PatchedCall, Sighting, Target } from './target.ts';

/** One request each, whoever asks for it: the application, a chat, automatic function calling, a continuation. */
export const GENERATING: readonly Target[] = [
  { label: 'Models', sdk: GOOGLE_GENAI_SDK, method: 'generateContentInternal', around: watchGenerating(false) },
  { label: 'Models', sdk: GOOGLE_GENAI_SDK, method: 'generateContentStreamInternal', around: watchGenerating(true) },
];

function watchGenerating(stream: boolean): NonNullable<Target['around']> {
  return (patched, call) => {
    const sighting = guard('reading a call', () => see(patched, stream));
    if (!sighting) return call();
    if (losesSeals(sighting.sdkVersion)) {
      const { model } = isObject(sighting.body) ? sighting.body : {};
      const begin = (wireBody: unknown) =>
        observe(patched, { ...sighting, body: { ...(isObject(wireBody) && wireBody), model }, losesSeals: true });
      // What comes in has been read on the wire; all that is left to see is how it ends.
      return observeWire(patched.client, begin, call, (value, watch) =>
        read(value, { ...watch, event: () => undefined }),
      );
    }
    const observed = guard('observing a call', () => observe(patched, sighting));
    return observed ? observePromise(observed, call, (value) => read(value, observed.watch)) : call();
  };
}

function see({ client, args, sdkVersion: known }: PatchedCall, stream: boolean): Sighting {
  const params = isObject(args[0]) ? args[0] : {};
  const { model, contents, config } = params;
  const settings = isObject(config) ? config : {};
  const { sdkVersion = known, ...facts } = apiClientFacts(client, settings.httpOptions);
  const keeper = keeperOf(contents);
  return {
    api: 'gemini.generateContent',
    // Automatic function calling goes on with the same list.
    body: {
      model,
      contents: Array.isArray(contents) ? [...contents] : contents,
      ...(config !== undefined && { config }),
    },
    stream,
    ...facts,
    ...(keeper && { keeper }),
    ...(sdkVersion !== undefined && { sdkVersion }),
    ...(settings.abortSignal instanceof AbortSignal && { signal: settings.abortSignal }),
  };
}

function observe({ subscriber, target }: PatchedCall, sighting: Sighting): ObservedCall | undefined {
  const { sdkVersion, signal, ...seen } = sighting;
  const sdk = { name: target.sdk, ...(sdkVersion !== undefined && { version: sdkVersion }) };
  const observer = subscriber.observe({ ...seen, manual: subscriber.manual, sdk });
  return observer && { observer, watch: withGoogleErrors(watchCall(observer), signal) };
}

function read(value: unknown, watch: CallWatch): void {
  if (isObject(value) && isCallable(value.next)) watchGenerator(value, startReading(value, watch, undefined));
  else watch.parsed(value);
}
