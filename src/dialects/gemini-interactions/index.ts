import type { Dialect } from '../dialect.ts';
import { asObject } from '../json.ts';
import { openCall } from './call.ts';
import { openFetch } from './fetch.ts';
import { API } from './slots.ts';

/** Interactions of the Gemini API: kept by the provider and named, or sent in full as steps. */
export function createGeminiInteractions(): Dialect {
  return {
    api: API,
    isChunk: (event) => asObject(event)?.event_type === 'step.delta',
    open: openCall,
    fetch: openFetch,
  };
}
