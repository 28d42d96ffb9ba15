import { CHATS } from './google-genai-chat.ts';
import { INTERACTIONS, interactionsFound } from './google-genai-interactions.ts';
import { GENERATING } from './google-genai-models.ts';
import { GOOGLE_GENAI_SDK } from './google-genai-name.ts';
import { hasProperties, isCallable, isObject } from './shapes.ts';
import type { PatchedFile, SupportedSdk } from './supported-sdk.ts';
import type { Found, Target } from './target.ts';

/** As published: one file a platform, with every class in it. */
const BUILDS: readonly PatchedFile[] = ['dist/node/index', 'dist/web/index'].map((path) => ({
  path,
  folder: '(?:google|gemini|genai)[^\\\\/]*',
  find: inPackage,
}));

/**
 * The `@google/genai` package, 1 to 3, for the Developer API and for Vertex AI. The public methods of models are made anew
 * in each constructor; the two that they all end in stand on the class, and make one request each: every hop of automatic
 * function calling, and of a continuation, is a call. Chats call models.
 */
export const GOOGLE_GENAI: SupportedSdk = {
  name: GOOGLE_GENAI_SDK,
  range: '>=1.0.0 <4',
  inRange(version) {
    const major = Number(version.split('.')[0]);
    return major >= 1 && major < 4;
  },
  newest: `${GOOGLE_GENAI_SDK}@3`,
  files: BUILDS,
  ofPackage: inPackage,
  ofClient(client) {
    const { models, chats } = client;
    if (!isObject(models) || !isCallable(models.generateContentInternal)) return [];
    return [
      ...of(models, GENERATING),
      [chats, CHATS],
      ...('interactions' in client ? [[client, INTERACTIONS] as const] : []),
      ...interactionsFound(client),
    ];
  },
  requests: {
    path: /:(?:generateContent|streamGenerateContent)(?:\?.*)?$|\/interactions(?:\?.*)?$/,
    userAgent: /google-genai-sdk\/\d/,
  },
};

function inPackage(exports: unknown): readonly Found[] {
  if (!hasProperties(exports)) return [];
  const { Models, Chats, GoogleGenAI } = exports;
  const prototype = hasProperties(GoogleGenAI) ? GoogleGenAI.prototype : undefined;
  return [
    ...(Models === undefined ? [] : of(Models, GENERATING)),
    ...(Chats === undefined ? [] : of(Chats, [CHATS])),
    // From 1.2x on. A getter, which is not to be called before the application does.
    ...(isObject(prototype) && Object.hasOwn(prototype, 'interactions') ? [[GoogleGenAI, INTERACTIONS] as const] : []),
  ];
}

function of(resource: unknown, targets: readonly Target[]): readonly Found[] {
  return targets.map((target) => [resource, target]);
}
