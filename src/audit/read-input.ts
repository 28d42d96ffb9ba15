import { readFile } from 'node:fs/promises';
import { jsonFault } from '../json-fault.ts';
import { isFault, readTranscript, type Transcript, type TranscriptFault } from './transcript.ts';

/** A file that could be read, or the one line that says why not. */
export type AuditInput = { readonly transcript: Transcript } | { readonly problem: string };

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory, not a file',
  EACCES: 'may not be read (permission denied)',
  ENOTDIR: 'no such file',
};

/**
 * Reads one transcript: a JSON object with `steps`, or JSON Lines of steps.
 * @param file a path, or `-` for standard input
 */
export async function readInput(file: string): Promise<AuditInput> {
  let bytes: Uint8Array;
  try {
    bytes = file === '-' ? await readStdin() : await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { problem: `${file}: ${FILE_PROBLEMS[code] ?? `cannot be read (${code})`}` };
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { problem: `${file}: is not UTF-8 text` };
  }
  return parseInput(file, text);
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** @param text without a byte order mark (the decoder takes it off) */
export function parseInput(file: string, text: string): AuditInput {
  const lines = numberedLines(text);
  if (lines.length === 0) return { problem: `${file}: is empty` };
  const whole = parse(text);
  if (whole !== undefined) {
    const read = readTranscript(isStep(whole.value) ? { steps: [whole.value] } : whole.value);
    return isFault(read) ? { problem: sentence(file, read) } : { transcript: read };
  }
  return looksLikeJsonLines(lines) ? parseLines(file, lines) : { problem: notJson(file, text, 0) };
}

interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

function numberedLines(text: string): NumberedLine[] {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
  return lines.filter((line) => line.text.trim() !== '');
}

function parseLines(file: string, lines: readonly NumberedLine[]): AuditInput {
  const steps: unknown[] = [];
  for (const line of lines) {
    const parsed = parse(line.text);
    if (parsed === undefined) return { problem: notJson(file, line.text, line.number - 1) };
    steps.push(parsed.value);
  }
  const read = readTranscript({ steps });
  if (!isFault(read)) return { transcript: read };
  return { problem: sentence(file, read, read.step === undefined ? undefined : lines[read.step]?.number) };
}

/** JSON.parse without the throw; wrapped, because `null` is a value too. */
function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** One step alone is JSON Lines with one line. */
const isStep = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'api' in value && !('steps' in value);

/**
 * Broken text is taken for JSON Lines where its first line is an object of its own, or most lines are:
 * so a fault is named by its line there, and by its place in the whole document elsewhere.
 */
function looksLikeJsonLines(lines: readonly NumberedLine[]): boolean {
  const alone = lines.map((line) => line.text.trimStart().startsWith('{') && parse(line.text) !== undefined);
  return lines.length > 1 && (alone[0] === true || alone.filter(Boolean).length * 2 > lines.length);
}

function notJson(file: string, text: string, linesBefore: number): string {
  const fault = jsonFault(text);
  return `${file}: line ${fault.line + linesBefore}, column ${fault.column}: is not JSON (${fault.why})`;
}

function sentence(file: string, fault: TranscriptFault, line?: number): string {
  const where = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(fault.step === undefined ? [] : [`step ${fault.step}`]),
    ...(fault.field === undefined ? [] : [fault.field]),
  ];
  const more = fault.more === 0 ? '' : ` (and ${fault.more} more)`;
  return `${[file, ...where].join(': ')}${where.length === 0 ? ': the transcript' : ''} ${fault.why}${more}`;
}
