import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { instrumentClient } from '../src/index.ts';
import { type Body, firstBody, nextMessages } from './agent-run.ts';
import { typical } from './measure.ts';

const REPEATS = 9;

/** Microseconds of processor time of this process, a call; the server is another process. */
export interface CallFigures {
  readonly without: number;
  readonly with: number;
}

interface Server {
  readonly baseURL: string;
  stop(): void;
}

async function startServer(): Promise<Server> {
  const child = fork(fileURLToPath(new URL('./answering-server.ts', import.meta.url)));
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the answering server ended with ${code}`)));
  });
  return { baseURL: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() };
}

let runs = 0;

/** One agent run of `steps` calls, messages kept. Returns the processor time of each call. */
async function agentRun(client: Anthropic, steps: number): Promise<number[]> {
  const run = `e${runs++}`;
  const body: Body = firstBody();
  globalThis.gc?.();
  const times: number[] = [];
  for (let step = 0; step < steps; step += 1) {
    const before = process.cpuUsage();
    const answer = await client.messages.create(body, { headers: { 'x-run': run, 'x-step': String(step) } });
    const spent = process.cpuUsage(before);
    times.push(spent.user + spent.system);
    body.messages.push(...nextMessages(run, step, answer));
  }
  return times;
}

/** Runs with and without us take turns, so that a busy moment of the machine falls on both. */
export async function endToEnd(steps: number): Promise<CallFigures> {
  const server = await startServer();
  try {
    const options = { apiKey: 'none', baseURL: server.baseURL, maxRetries: 0 };
    const plain = new Anthropic(options);
    const observed = instrumentClient(new Anthropic(options));
    const runsWithout: number[][] = [];
    const runsWith: number[][] = [];
    for (let repeat = -1; repeat < REPEATS; repeat += 1) {
      const [without, observing] = [await agentRun(plain, steps), await agentRun(observed, steps)];
      if (repeat < 0) continue;
      runsWithout.push(without);
      runsWith.push(observing);
    }
    return { without: typical(runsWithout), with: typical(runsWith) };
  } finally {
    server.stop();
  }
}
