import { isJson, type Json, objectsOf, without } from '../json.ts';
import { GEMINI_BYPASS } from './gemini-bypass.ts';
import type { Wire } from './wire.ts';

/** As the SDK writes it, and as the wire may. */
const SIGNATURE: ReadonlySet<string> = new Set(['thoughtSignature', 'thought_signature']);

const callOf = (part: Json): unknown => part.functionCall ?? part.function_call;
const resultOf = (part: Json): unknown => part.functionResponse ?? part.function_response;

export const GEMINI_GENERATE: Wire = {
  api: 'gemini.generateContent',

  strip(body) {
    let blocks = 0;
    const contents = asContents(body.contents).flatMap((content) => {
      if (!isJson(content) || content.role !== 'model' || !Array.isArray(content.parts)) return [content];
      let changed = false;
      const parts = content.parts.flatMap((part: unknown) => {
        if (!isJson(part)) return [part];
        const bare = barePart(part);
        if (bare === part) return [part];
        changed = true;
        blocks++;
        return bare === undefined ? [] : [bare];
      });
      if (!changed) return [content];
      // Contents without parts are refused.
      return parts.length === 0 ? [] : [{ ...content, parts }];
    });
    return blocks === 0 ? { body, blocks } : { body: { ...body, contents }, blocks };
  },

  // An id is optional: without one a call is known by where it stands.
  calls: ({ contents }) =>
    objectsOf(contents).flatMap(({ parts }, at) =>
      objectsOf(parts).flatMap((part, place) => {
        const call = callOf(part);
        const result = resultOf(part);
        if (isJson(call)) return { id: String(call.id ?? `${at}.${place}`), name: String(call.name), input: call.args };
        return isJson(result) && result.id !== undefined ? { id: String(result.id) } : [];
      }),
    ),
};

/** The SDK takes a text, or one content, as well as a list. */
const asContents = (contents: unknown): readonly unknown[] => (Array.isArray(contents) ? contents : [contents]);

/** Undefined: nothing of it is left. */
function barePart(part: Json): Json | undefined {
  const isCall = isJson(callOf(part));
  if (part.thought === true && !isCall) return undefined;
  const signed = [...SIGNATURE].find((member) => part[member] !== undefined);
  if (signed === undefined) return part;
  if (isCall) return { ...part, [signed]: GEMINI_BYPASS };
  const bare = without(part, SIGNATURE);
  // The part that only brought the signature.
  return bare.text === '' ? undefined : bare;
}
