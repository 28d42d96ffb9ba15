/**
 * Turns the output of a terminal program into a picture: reads text with ANSI colours on standard input, writes an SVG.
 * That of the README is made by
 * FORCE_COLOR=1 npm run -s demo -- healthy filter-by-type tool-added | node scripts/terminal-picture.ts docs/pictures/demo.svg
 */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Pixels. The advance is that of the usual monospaced faces at this size; every run is stretched to it exactly. */
const FONT_SIZE = 14;
const ADVANCE = 8.43;
const LINE = 20;
const PADDING = 22;
const TITLE_BAR = 40;

/** One dark window for light and dark pages alike: contrast at least 4.5 to 1 for every colour on the ground. */
const GROUND = '#161b22';
const COLORS: Readonly<Record<string, string>> = {
  text: '#d7dde4',
  dim: '#8b949e',
  red: '#ff7b72',
  green: '#56d364',
  yellow: '#e3b341',
  cyan: '#56d4dd',
};

/** SGR codes that picocolors writes: https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ */
const FOREGROUND: Readonly<Record<number, string>> = { 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' };

interface Style {
  readonly color?: string;
  readonly bold?: true;
  readonly dim?: true;
}

interface Run extends Style {
  readonly text: string;
  /** In columns. */
  readonly at: number;
  readonly width: number;
}

const apply = (style: Style, code: number): Style => {
  const { color, bold, dim } = style;
  const keep = { ...(color && { color }), ...(bold && { bold }), ...(dim && { dim }) };
  if (code === 0) return {};
  if (code === 1) return { ...keep, bold: true };
  if (code === 2) return { ...keep, dim: true };
  if (code === 22) return color ? { color } : {};
  if (code === 39) return { ...(bold && { bold }), ...(dim && { dim }) };
  const named = FOREGROUND[code];
  return named ? { ...keep, color: named } : keep;
};

/** Columns of a text. Nothing that the demo prints is two columns wide. */
const columns = (text: string): number => [...text].length;

/** Splits lines into runs of one style; the style goes on from one line to the next. */
function readRuns(text: string): Run[][] {
  let style: Style = {};
  return text.split('\n').map((line) => {
    const runs: Run[] = [];
    let at = 0;
    for (const [index, part] of line.split('\u001b[').entries()) {
      const end = index === 0 ? -1 : part.indexOf('m');
      if (index > 0) for (const code of part.slice(0, end).split(';')) style = apply(style, Number(code));
      const plain = part.slice(end + 1);
      // Words far apart are placed apart, so that no viewer's font can shift a column.
      for (const { 0: text, index: offset } of plain.matchAll(/\S+(?: \S+)*/g)) {
        runs.push({ ...style, text, at: at + columns(plain.slice(0, offset)), width: columns(text) });
      }
      at += columns(plain);
    }
    return runs;
  });
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (value: number): number => Math.round(value * 100) / 100;

const drawRun = (run: Run): string => {
  const classes = [run.color ?? (run.dim ? 'dim' : ''), run.bold ? 'bold' : ''].filter(Boolean).join(' ');
  return (
    `<tspan x="${round(PADDING + run.at * ADVANCE)}" textLength="${round(run.width * ADVANCE)}"` +
    `${classes && ` class="${classes}"`}>${escapeXml(run.text)}</tspan>`
  );
};

/** @returns an SVG that shows the text in a window, `title` in its bar. */
export function terminalPicture(text: string, title: string): string {
  const lines = readRuns(text.replace(/\s+$/, ''));
  const widest = Math.max(...lines.flat().map((run) => run.at + run.width), 60);
  const width = Math.ceil(widest * ADVANCE + 2 * PADDING);
  const height = lines.length * LINE + TITLE_BAR + PADDING;
  const rows = lines.flatMap((runs, index) =>
    runs.length === 0 ? [] : [`<text y="${TITLE_BAR + index * LINE + 16}">${runs.map(drawRun).join('')}</text>`],
  );
  const rules = Object.entries(COLORS).map(([name, color]) => `.${name}{fill:${color}}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text{font:${FONT_SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${COLORS.text};white-space:pre}
.bold{font-weight:700}
${rules.join('\n')}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${GROUND}" stroke="#30363d"/>
<circle cx="24" cy="20" r="6" fill="#ff5f57"/><circle cx="44" cy="20" r="6" fill="#febc2e"/><circle cx="64" cy="20" r="6" fill="#28c840"/>
<text x="${width / 2}" y="25" text-anchor="middle" class="dim">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, title = 'npm run demo'] = process.argv.slice(2);
  if (!file) {
    console.error(`usage: ${basename(process.argv[1])} FILE [TITLE] < output`);
    process.exit(2);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  writeFileSync(file, terminalPicture(Buffer.concat(chunks).toString('utf8'), title));
}
