import type { Dialect } from '../dialect.ts';
import { asArray, asObject } from '../json.ts';
import { openCall } from './call.ts';
import type { JudgeTables } from './judge-tables.ts';

/** generateContent and streamGenerateContent, of the Developer API and of Vertex AI. */
export function createGeminiGenerate(tables: Partial<JudgeTables> = {}): Dialect {
  const whole: JudgeTables = { models: tables.models ?? {} };
  return {
    api: 'gemini.generateContent',
    // Vertex AI sends chunks that hold nothing but the kind of traffic.
    isChunk: (event) =>
      (asArray(asObject(event)?.candidates) ?? []).some((candidate) => {
        return (asArray(asObject(asObject(candidate)?.content)?.parts) ?? []).length > 0;
      }),
    open: (request, ledger, producer) => openCall(request, ledger, producer, whole),
  };
}
