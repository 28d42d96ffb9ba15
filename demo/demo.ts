/**
 * Watches agent loops, one sound for each API and the others each broken in one way, against simulated providers: no
 * key, no server. `npm run demo`, or `npm run demo -- healthy tool-added` for some of them. With OTEL_EXPORTER_OTLP_ENDPOINT
 * set the telemetry goes there instead.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createColors } from 'picocolors';
import { startSimulator } from '../src/simulator/index.ts';
import { childEnvironment } from '../src/watch/child.ts';
import { clampWidth, type Layout } from '../src/watch/layout.ts';
import { createLiveTable, legend, note } from '../src/watch/live-table.ts';
import { startReceiver } from '../src/watch/receiver.ts';
import { createRunBook, type NumberedStep, type RunBook } from '../src/watch/run-book.ts';
import { summarise, thousands } from '../src/watch/summary.ts';
import { HARNESSES, type Harness } from './manifest.ts';
import { PROVIDERS } from './model.ts';

/** Built by `npm run demo` before this is started. */
const REGISTER = new URL('../dist/register.js', import.meta.url).href;
const SERVICE_PREFIX = 'demo-';

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs one loop in a process of its own. */
const runHarness = (name: string, env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL(`harnesses/${name}.ts`, import.meta.url));
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stderr }));
  });

/** What the agent died of: the one sentence of the error that its own log would hold. */
const causeOfDeath = ({ code, stderr }: Ended): string => {
  const [, words] = /^\w*(?:Error|Exception): (.*)$/m.exec(stderr) ?? [];
  const [, status, message] = /(?:^|"code":)(\d+)\b.*?"message":"((?:[^"\\]|\\.)*)"/.exec(words ?? '') ?? [];
  // Paths and what is wrong stand in the first sentence; how to switch the check off stands in the next.
  return message ? `${status} ${message.split(/(?<=\w{2})\. /)[0]}` : (words ?? `exit code ${code}`);
};

export interface DemoOptions {
  readonly harnesses: readonly Harness[];
  readonly layout: Layout;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  /** Every step as it was received. */
  readonly onStep?: (step: NumberedStep) => void;
}

/** Two at a time: the machine of a newcomer may have no more cores. They are shown in order all the same. */
const AT_A_TIME = 2;

const inTurn = async (tasks: readonly (() => Promise<void>)[]): Promise<void> => {
  const waiting = [...tasks];
  const worker = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
};

/** Shows the loops in the terminal. */
export async function runDemo({ harnesses, layout, env, print, onStep }: DemoOptions): Promise<RunBook> {
  const { colors } = layout;
  const book = createRunBook();
  const screens = new Map(
    harnesses.map(({ name, title }) => {
      const lines = ['', `${colors.bold(`● ${name}`)}${colors.dim(`  ${title}`)}`];
      return [SERVICE_PREFIX + name, { table: createLiveTable(layout), lines }];
    }),
  );

  const simulator = await startSimulator({ seed: 'demo', ...PROVIDERS });
  const receiver = await startReceiver({
    port: 0,
    onSpans(spans) {
      for (const step of book.addSpans(spans)) {
        onStep?.(step);
        const screen = screens.get(step.service);
        screen?.lines.push(...screen.table.rows([step]));
      }
    },
    onPoints: (points) => book.addPoints(points),
    onRefusal: print,
  });

  /** What only shows once a loop has ended. */
  const closing = (service: string, ended: Ended): string[] => {
    const lines: string[] = [];
    const tools = book.toolCalls(service);
    const carried = book.resentClosed(service) ?? 0;
    if (ended.code !== 0) lines.push(note(layout, 'ended', causeOfDeath(ended)));
    if (tools && tools.repeated > 0) {
      lines.push(note(layout, 'cost', `${tools.repeated} of ${tools.calls} tool calls had been made before`));
    }
    if (carried > 0) {
      lines.push(note(layout, 'cost', `${thousands(carried)} reasoning tokens of finished tasks sent again, as input`));
    }
    return lines;
  };

  try {
    print(`${colors.bold('Agent loops')} ${colors.dim('against simulated providers, each in a process of its own')}`);
    print('');
    for (const line of legend(layout)) print(line);
    const finished = new Set<Harness>();
    let shown = 0;
    await inTurn(
      harnesses.map((harness) => async () => {
        const service = SERVICE_PREFIX + harness.name;
        const ended = await runHarness(harness.name, {
          ...childEnvironment({ endpoint: receiver.url, register: REGISTER, env }),
          ...simulated(simulator.url, service),
        });
        await receiver.settled(50, 3_000);
        screens.get(service)?.lines.push(...closing(service, ended));
        finished.add(harness);
        for (let next = harnesses[shown]; next && finished.has(next); next = harnesses[++shown]) {
          for (const line of screens.get(SERVICE_PREFIX + next.name)?.lines ?? []) print(line);
        }
      }),
    );
    print('');
    for (const line of summarise(book, { ...layout, name: (run) => run.service.replace(SERVICE_PREFIX, '') }))
      print(line);
    return book;
  } finally {
    await receiver.close();
    await simulator.close();
  }
}

const simulated = (url: string, service: string): NodeJS.ProcessEnv => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'demo',
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_API_KEY: 'demo',
  DEEPSEEK_BASE_URL: `${url}/deepseek/v1`,
  DEEPSEEK_API_KEY: 'demo',
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: 'demo',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'demo',
  AWS_SECRET_ACCESS_KEY: 'demo',
  OTEL_SERVICE_NAME: service,
});

/** Sends the telemetry of the loops to the collector that the environment names. */
async function sendDemo({ harnesses, env, print }: Omit<DemoOptions, 'layout'>): Promise<void> {
  const simulator = await startSimulator({ seed: 'demo', ...PROVIDERS });
  print(`Sending to ${env.OTEL_EXPORTER_OTLP_ENDPOINT}; look for the services ${SERVICE_PREFIX}*`);
  const NODE_OPTIONS = [env.NODE_OPTIONS, `--import=${REGISTER}`].filter(Boolean).join(' ');
  try {
    await inTurn(
      harnesses.map(({ name }) => async () => {
        const service = SERVICE_PREFIX + name;
        await runHarness(name, { ...env, NODE_OPTIONS, ...simulated(simulator.url, service) });
        print(`  ${service}`);
      }),
    );
  } finally {
    await simulator.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !HARNESSES.some((harness) => harness.name === name));
  if (unknown) {
    console.error(`no harness ${unknown}; there are ${HARNESSES.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const harnesses = asked.length === 0 ? HARNESSES : HARNESSES.filter(({ name }) => asked.includes(name));
  const common = { harnesses, env: process.env, print: (line: string) => console.log(line) };
  if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await sendDemo(common);
  else await runDemo({ ...common, layout: { colors: createColors(), width: clampWidth(process.stdout.columns) } });
}
