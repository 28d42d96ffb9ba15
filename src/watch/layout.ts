import Table from 'cli-table3';
import type { createColors } from 'picocolors';

export type Colors = ReturnType<typeof createColors>;

export interface Layout {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Below this the numbers themselves no longer fit; above, lines are tiring to read. */
const MIN_WIDTH = 72;
const MAX_WIDTH = 112;

/** The width to lay out for, given the terminal's own (undefined: no terminal). */
export function clampWidth(columns: number | undefined): number {
  return Math.min(Math.max(columns || 100, MIN_WIDTH), MAX_WIDTH);
}

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left']
    .concat(['left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

export interface Column {
  readonly width: number;
  readonly align?: 'left' | 'right';
}

/** Lays out one line of cells, wrapping what is too long, without frames: so that rows can be printed as they come. */
export function layOut(columns: readonly Column[], cells: readonly string[]): string {
  const table = new Table({
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: columns.map((column) => column.width),
    colAligns: columns.map((column) => column.align ?? 'left'),
    wordWrap: true,
  });
  table.push([...cells]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
