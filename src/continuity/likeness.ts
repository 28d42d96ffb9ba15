import { type Digest, digest } from './digest.ts';

/**
 * What is kept of a seal or a text so that a damaged copy of it can be told from an unrelated value without keeping
 * the value: the smallest digests of its overlapping fragments (a bottom-k sketch).
 */
export interface Likeness {
  /** Length of the value in its canonical form. */
  readonly length: number;
  readonly fragments: readonly Digest[];
}

const FRAGMENT = 5;
const KEPT = 48;
/** Most of the fragments: seals of one vendor share a short header, which must not make two of them alike. */
const DERIVED = 0.6;

export function likenessOf(value: string): Likeness {
  const canonical = canonicalForm(value);
  const all = [...fragmentsOf(canonical)].sort((x, y) => x - y);
  return { length: canonical.length, fragments: all.slice(0, KEPT) };
}

/** Whether `value` was made from the remembered one: cut, a few characters changed, a part of it, another encoding. */
export function isDerived(value: string, from: Likeness): boolean {
  if (from.fragments.length === 0) return false;
  for (const form of formsOf(value)) {
    if (form.length < FRAGMENT) continue;
    const own = fragmentsOf(form);
    let shared = 0;
    for (const fragment of from.fragments) if (own.has(fragment)) shared++;
    // A part of the value holds only as many of its fragments as it is long.
    const reach = Math.min(1, form.length / from.length);
    if (shared / from.fragments.length >= DERIVED * reach && shared > 0 && (reach === 1 || shared >= 2)) return true;
  }
  return false;
}

function fragmentsOf(value: string): Set<Digest> {
  const found = new Set<Digest>();
  if (value.length > 0 && value.length < FRAGMENT) found.add(digest(value));
  for (let i = 0; i + FRAGMENT <= value.length; i++) found.add(digest(value.slice(i, i + FRAGMENT)));
  return found;
}

/** Base64 and base64url, padding and line breaks are one form. */
function canonicalForm(value: string): string {
  return value.replaceAll('-', '+').replaceAll('_', '/').replace(/[\s=]/g, '');
}

/** The value as it is, and decoded once as a harness may have encoded it once more. */
function formsOf(value: string): string[] {
  const forms = [canonicalForm(value)];
  const compact = value.replace(/\s/g, '');
  if (/^[A-Za-z0-9+/_-]+=*$/.test(compact)) {
    const decoded = Buffer.from(compact, 'base64').toString('latin1');
    if (/^[\x20-\x7e]+$/.test(decoded)) forms.push(canonicalForm(decoded));
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(compact)) {
    const bytes = Buffer.from(compact, 'hex');
    forms.push(canonicalForm(bytes.toString('latin1')), canonicalForm(bytes.toString('base64')));
  }
  if (compact.includes('%')) forms.push(canonicalForm(safeDecode(compact)));
  return forms;
}

function safeDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
