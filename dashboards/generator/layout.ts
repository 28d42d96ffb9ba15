/** Grafana's grid is 24 columns wide. Panels stand in bands, side by side, each band below the one before. */
import type { PanelSpec } from './panel.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Band {
  readonly height: number;
  readonly panels: readonly PanelSpec[];
}

export interface Placed {
  readonly id: number;
  readonly place: Place;
  readonly panel: PanelSpec;
}

const COLUMNS = 24;

export const band = (height: number, ...panels: readonly PanelSpec[]): Band => ({ height, panels });

/** Gives every panel an id and a place. Throws where a band's panels do not share the width evenly. */
export function place(bands: readonly Band[]): readonly Placed[] {
  const placed: Placed[] = [];
  let y = 0;
  for (const { height, panels } of bands) {
    const w = COLUMNS / panels.length;
    if (!Number.isInteger(w)) throw new Error(`${panels.length} panels do not share ${COLUMNS} columns evenly`);
    for (const [index, panel] of panels.entries()) {
      placed.push({ id: placed.length + 1, place: { x: index * w, y, w, h: height }, panel });
    }
    y += height;
  }
  return placed;
}
