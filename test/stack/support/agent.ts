import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../scripts/stack/programs.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/index.ts';

/** Answers of each loop: all but the last call a tool. */
export const STEPS = 6;
/** Reasoning tokens of each answer. */
export const TOKENS = 100;

/** A provider whose model thinks once and calls one tool in each answer but the last. */
export function startProvider(): Promise<Simulator> {
  const think = { think: 'The next thing to look up.', tokens: TOKENS };
  const script = Array.from({ length: STEPS }, (_, step) => ({
    content: [think, step < STEPS - 1 ? { tool: 'look_up', input: {} } : { text: 'Done.' }],
  }));
  return startSimulator({ seed: 'stack', anthropic: { script }, responses: { script } });
}

export type Loop = 'sound' | 'stripped' | 'unsealed' | 'responses';

export interface AgentOptions {
  readonly service: string;
  readonly loops: readonly Loop[];
  /** OTLP/HTTP of the Collector. */
  readonly otlp: string;
  readonly provider: Simulator;
  /** Between the steps of a loop. */
  readonly pauseMs?: number;
  /** On the span around each loop, and on an event of it. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Brackets each loop with `withRun`. */
  readonly runs?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  /** What it wrote, but for the line in which `register` says that it has started OpenTelemetry. */
  readonly said: readonly string[];
}

const appFile = (name: string): string => fileURLToPath(new URL(`../apps/${name}`, import.meta.url));

/** Runs the agent in a process of its own, on the built package, to its end. */
export async function runAgent(options: AgentOptions): Promise<Ended> {
  const { service, loops, otlp, provider, pauseMs, attributes, runs, env } = options;
  const kept = Object.entries(process.env).filter(([name]) => !/^(OTEL_|REASONING_|NODE_|VITEST)/.test(name));
  const child = spawn(process.execPath, ['--import', join(ROOT, 'dist', 'register.js'), appFile('agent.mjs')], {
    env: {
      ...Object.fromEntries(kept),
      AGENT: JSON.stringify({ loops, pauseMs, attributes, runs }),
      ANTHROPIC_BASE_URL: provider.url,
      ANTHROPIC_API_KEY: 'any',
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: 'any',
      REASONING_OTEL_PRICES: appFile('prices.json'),
      OTEL_SERVICE_NAME: service,
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_METRIC_EXPORT_TIMEOUT: '1000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const said = output.split('\n').filter((line) => line !== '' && !line.includes('started OpenTelemetry'));
  return { code, said };
}
