import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export interface PreviewOptions {
  /** Address of a Prometheus that runs; without it a stack is started and filled. */
  readonly prometheus: string | undefined;
  /** How far back from now, of a Prometheus that runs. */
  readonly minutes: number;
  /** Seconds between exports, "Scrape interval" of Grafana's data source. */
  readonly interval: number;
  readonly out: string;
  readonly widths: readonly number[];
  readonly themes: readonly Theme[];
  /** Files of the boards. */
  readonly boards: readonly string[];
}

export type Theme = 'light' | 'dark';

export const USAGE = `Usage: npm run preview [-- OPTIONS]
  --prometheus URL      one that runs; without it the local stack is started, and the demo and the experiment sent through it
  --minutes 60          how far back, with --prometheus
  --interval 60         seconds between exports, with --prometheus
  --boards '*'          names in dashboards/, without .json
  --themes light,dark
  --widths 1280,1920
  --out FOLDER          .cache/preview`;

const HIGHEST_WIDTH = 8_000;

const isTheme = (text: string): text is Theme => text === 'light' || text === 'dark';

function httpUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new Error(`--prometheus ${text}: expected an address, as http://127.0.0.1:9090`);
  }
  return text;
}

function positive(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < Infinity)) throw new Error(`--${option} ${text}: expected a number above 0`);
  return number;
}

/**
 * Reads the options of `npm run preview`.
 * @param folder with the boards
 * @param out where pictures go unless an option says so
 * @returns undefined where only the usage is asked for
 * @throws an Error of one line that names the option
 */
export function readOptions(args: readonly string[], folder: string, out: string): PreviewOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      prometheus: { type: 'string' },
      minutes: { type: 'string', default: '60' },
      interval: { type: 'string', default: '60' },
      out: { type: 'string', default: out },
      widths: { type: 'string', default: '1280,1920' },
      themes: { type: 'string', default: 'light,dark' },
      boards: { type: 'string', default: '*' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const boards = globSync(`${values.boards}.json`, { cwd: folder }).sort();
  if (boards.length === 0) throw new Error(`--boards ${values.boards}: no such board in dashboards/`);
  return {
    prometheus: values.prometheus === undefined ? undefined : httpUrl(values.prometheus),
    minutes: positive('minutes', values.minutes),
    interval: positive('interval', values.interval),
    out: values.out,
    boards: boards.map((file) => join(folder, file)),
    themes: values.themes.split(',').map((theme) => {
      if (!isTheme(theme)) throw new Error(`--themes ${theme}: expected light or dark`);
      return theme;
    }),
    widths: values.widths.split(',').map((width) => {
      const pixels = Number(width);
      if (!(pixels >= 600 && pixels <= HIGHEST_WIDTH)) {
        throw new Error(`--widths ${width}: expected pixels, from 600 to ${HIGHEST_WIDTH}`);
      }
      return pixels;
    }),
  };
}
