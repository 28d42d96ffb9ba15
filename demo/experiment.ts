/**
 * Thirty tasks, each with the reasoning carried and with it left out, against simulated providers: no key, no server.
 * `npm run experiment`, or `npm run experiment -- anthropic --seed 2 --arms intact,intact --json`. With
 * OTEL_EXPORTER_OTLP_ENDPOINT set the telemetry of both arms goes there.
 */
import { parseArgs } from 'node:util';
import { parseArms } from '../src/run/experiment/arms.ts';
import { experimentText } from '../src/run/experiment/report-text.ts';

// Built by `npm run experiment` before this is started, and loaded before any SDK.
process.env.OTEL_SERVICE_NAME ??= 'demo-experiment';
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await import(new URL('../dist/register.js', import.meta.url).href);
const { LOOP_NAMES, runSimulated } = await import('./experiment/run-simulated.ts');

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: 'demo' },
      arms: { type: 'string', default: 'intact,stripped' },
      json: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !LOOP_NAMES.some((loop) => loop === name));
  if (unknown !== undefined) throw new Error(`no API ${unknown}; there are ${LOOP_NAMES.join(', ')}`);
  const loops = positionals.length === 0 ? LOOP_NAMES : LOOP_NAMES.filter((loop) => positionals.includes(loop));
  return { ...values, loops, arms: parseArms(values.arms) };
}

try {
  const { loops, seed, arms, json } = readArguments();
  for (const loop of loops) {
    const report = await runSimulated({ loop, seed, arms });
    console.log(json ? JSON.stringify(report) : `${experimentText(report)}\n`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
