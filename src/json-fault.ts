/** Where and why a text is not JSON: 1-based line and column of the first character that cannot stand there. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Every character but a quote, a backslash and the controls below U+0020.
const STRING_PART = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused. Our own scan, because the messages of
 * `JSON.parse` differ between Node versions, name no position for short texts, and quote the content.
 * The caller passes only refused text, so a fault is always found; the end of the text is the last resort.
 */
export function jsonFault(text: string): JsonFault {
  const at = (offset: number, why: string): JsonFault => {
    const before = text.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - lineStart + 1, why };
  };
  try {
    const end = skip(text, value(text, skip(text, 0)));
    return at(end, end < text.length ? 'something follows the end of the value' : 'the text ends too early');
  } catch (fault) {
    if (fault instanceof Fault)
      return at(fault.offset, fault.offset >= text.length ? 'the text ends too early' : fault.why);
    throw fault;
  }
}

class Fault extends Error {
  readonly offset: number;
  readonly why: string;
  constructor(offset: number, why: string) {
    super(why);
    this.offset = offset;
    this.why = why;
  }
}

/** End of the match of a sticky pattern at an offset, or undefined. */
function match(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const skip = (text: string, offset: number): number => match(SPACE, text, offset) ?? offset;

/** Each reader takes the offset of its first character and returns the offset behind its last. */
function value(text: string, offset: number): number {
  const first = text[offset];
  if (first === '{') return list(text, offset, '}', member);
  if (first === '[') return list(text, offset, ']', value);
  if (first === '"') return string(text, offset);
  const end = match(WORD, text, offset) ?? match(NUMBER, text, offset);
  if (end === undefined) throw new Fault(offset, 'expected a value');
  return end;
}

function list(text: string, offset: number, close: string, entry: (text: string, offset: number) => number): number {
  let next = skip(text, offset + 1);
  if (text[next] === close) return next + 1;
  for (;;) {
    next = skip(text, entry(text, next));
    if (text[next] === close) return next + 1;
    if (text[next] !== ',') throw new Fault(next, `expected "," or "${close}"`);
    next = skip(text, next + 1);
  }
}

function member(text: string, offset: number): number {
  if (text[offset] !== '"') throw new Fault(offset, 'expected a name in double quotes');
  const colon = skip(text, string(text, offset));
  if (text[colon] !== ':') throw new Fault(colon, 'expected ":"');
  return value(text, skip(text, colon + 1));
}

function string(text: string, offset: number): number {
  let next = offset + 1;
  for (;;) {
    next = match(STRING_PART, text, next) ?? next;
    if (text[next] === '"') return next + 1;
    const escaped = match(ESCAPE, text, next);
    if (escaped === undefined) {
      throw new Fault(next, text[next] === '\\' ? 'unknown escape in a string' : 'a string is not closed on its line');
    }
    next = escaped;
  }
}
