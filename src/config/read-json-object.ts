import { readFileSync } from 'node:fs';
import { jsonFault } from '../json-fault.ts';

/**
 * Reads a JSON file that holds an object, such as rows for further models.
 * @returns the object that it holds, or, as text, why it cannot be used and where. Never throws.
 */
export function readJsonObject(file: string): Readonly<Record<string, unknown>> | string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, column, why } = jsonFault(text);
    return `line ${line}, column ${column}: ${why}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'expected an object';
  return value as Record<string, unknown>;
}
