import '@fontsource/inter/latin-400.css';
import '@fontsource/inter/latin-500.css';
import 'uplot/dist/uPlot.min.css';
import { createTheme, type DataFrame, ThemeContext } from '@grafana/data';
import { GlobalStyles, PortalContainer } from '@grafana/ui';
import { createRoot } from 'react-dom/client';
import type { View } from './board.ts';
import { DrawnPanel, dataOf } from './panel.tsx';

declare global {
  interface Window {
    view: View;
    /** Set when everything is on the page; what could not be drawn, in words. */
    faults?: readonly string[];
  }
}

/** Grafana's grid: 24 columns, rows of 30 pixels, 8 between. */
const [COLUMNS, ROW, GAP] = [24, 30, 8];

async function draw(view: View): Promise<readonly string[]> {
  const theme = createTheme({ colors: { mode: view.theme } });
  const faults: string[] = [];
  // The font of Grafana, which measures its texts in it.
  await Promise.all(['400', '500'].map((weight) => document.fonts.load(`${weight} 14px Inter`)));
  const drawn = await Promise.all(
    view.board.panels.map(async (panel) => {
      const data = await dataOf(panel, view, theme).catch((error: unknown): DataFrame[] => {
        faults.push(`${panel.title}: ${error instanceof Error ? error.message : error}`);
        return [];
      });
      return { panel, data };
    }),
  );
  const width = document.documentElement.clientWidth - 2 * GAP;
  const column = (width + GAP) / COLUMNS;
  const bottom = Math.max(...view.board.panels.map(({ gridPos }) => gridPos.y + gridPos.h)) * (ROW + GAP);
  document.body.style.margin = '0';
  document.body.style.background = theme.colors.background.canvas;
  createRoot(document.getElementById('board') as HTMLElement).render(
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <h1 style={{ font: theme.typography.h4.fontSize, padding: GAP * 2, margin: 0, color: theme.colors.text.primary }}>
        {view.board.title}
      </h1>
      <div style={{ position: 'relative', margin: GAP, height: bottom }}>
        {drawn.map(({ panel, data }) => {
          const { x, y, w, h } = panel.gridPos;
          return (
            <div key={panel.id} style={{ position: 'absolute', left: x * column, top: y * (ROW + GAP) }}>
              <DrawnPanel {...{ panel, view, theme, data }} width={w * column - GAP} height={h * (ROW + GAP) - GAP} />
            </div>
          );
        })}
      </div>
      <PortalContainer />
    </ThemeContext.Provider>,
  );
  return faults;
}

draw(window.view).then(
  (faults) => setTimeout(() => Object.assign(window, { faults }), 500),
  (error: unknown) => Object.assign(window, { faults: [String(error)] }),
);
