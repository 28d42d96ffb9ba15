/**
 * Thirty tasks, each with the reasoning carried and with it left out, against simulated providers: no key, no server.
 * `npm run experiment`, or `npm run experiment -- anthropic --seed 2 --arms intact,intact --json`. With
 * OTEL_EXPORTER_OTLP_ENDPOINT set the telemetry of both arms goes there.
 */
import { parseArgs } from 'node:util';
import { parseArms } from '../src/run/experiment/arms.ts';
import { experimentText } from '../src/run/experiment/report-text.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: 'demo' },
    arms: { type: 'string', default: 'intact,stripped' },
    json: { type: 'boolean', default: false },
  },
});

// Built by `npm run experiment` before this is started, and loaded before any SDK.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await import(new URL('../dist/register.js', import.meta.url).href);
const { LOOP_NAMES, runSimulated } = await import('./experiment/run-simulated.ts');

const unknown = positionals.find((name) => !LOOP_NAMES.some((loop) => loop === name));
if (unknown !== undefined) {
  console.error(`no API ${unknown}; there are ${LOOP_NAMES.join(', ')}`);
  process.exit(2);
}
const loops = positionals.length === 0 ? LOOP_NAMES : LOOP_NAMES.filter((loop) => positionals.includes(loop));
for (const loop of loops) {
  const report = await runSimulated({ loop, seed: values.seed, arms: parseArms(values.arms) });
  console.log(values.json ? JSON.stringify(report) : `${experimentText(report)}\n`);
}
