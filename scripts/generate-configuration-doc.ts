/** Writes docs/configuration.md from the table of settings in src/config.ts. */
import { writeFileSync } from 'node:fs';
import { SETTINGS } from '../src/config.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (text: string): string => `\`${text}\``;

const settings = Object.entries(SETTINGS).map(([name, { env, option, expected, shown, brief }]) =>
  row([code(env), option ? code(name) : '', expected, shown, brief]),
);

/** Standard variables that `register` reads itself, or whose effect is worth a word; the SDK reads all the others. */
const STANDARD: readonly (readonly [names: string, effect: string])[] = [
  ['`OTEL_SDK_DISABLED`', '`true` switches everything off, as `REASONING_OTEL_DISABLED` does.'],
  ['`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`', 'Who sends.'],
  [
    '`OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER`',
    '`otlp` (the default of both), `console`, `none`; also `zipkin` for traces and `prometheus` for metrics.',
  ],
  ['`OTEL_LOGS_EXPORTER`', 'Logs are off unless this is set.'],
  [
    '`OTEL_EXPORTER_OTLP_ENDPOINT`, `_PROTOCOL`, `_HEADERS`, `_TIMEOUT`, `_COMPRESSION`, `_CERTIFICATE`, …',
    'Where to and how: `http/protobuf` (default), `http/json` or `grpc`. Each also with `TRACES_` or `METRICS_` for one signal.',
  ],
  [
    '`OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`',
    'Head sampling of spans. Metrics count every call all the same.',
  ],
  ['`OTEL_BSP_*`, `OTEL_METRIC_EXPORT_INTERVAL`, `OTEL_METRIC_EXPORT_TIMEOUT`', 'When data leaves.'],
  [
    '`OTEL_CONFIG_FILE`',
    'A declarative file in the place of the variables, with OpenTelemetry 0.301. No child process then.',
  ],
  ['`OTEL_LOG_LEVEL`', 'Level of diagnostic lines, those of `reasoning-otel` included.'],
];

const page = `# Configuration

Written by \`scripts/generate-configuration-doc.ts\` from \`src/config.ts\`.

Options are given in code, to \`new ReasoningInstrumentation({ … })\`; an option that is given wins over its variable, also where it says
\`false\`. A value that cannot be used is named in one line and the default is used; the command \`reasoning-otel\` ends with exit code 2
instead.

${row(['variable', 'option', 'value', 'default', 'effect'])}
${row(['---', '---', '---', '---', '---'])}
${settings.join('\n')}

## Standard variables

\`register\` starts OpenTelemetry's \`NodeSDK\` where the application has none, from the [standard
variables](https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).

${row(['variables', 'effect'])}
${row(['---', '---'])}
${STANDARD.map(([names, effect]) => row([names, effect])).join('\n')}

## Order of loading

\`\`\`sh
node --import reasoning-otel/register app.js                                # no SDK of your own
node --import ./telemetry.js --import reasoning-otel/register app.js        # your SDK first
\`\`\`

\`register\` joins a tracer provider and a meter provider that are there. Where there is none it starts a \`NodeSDK\` and says so in a line. An
application that registers its own later takes over: from then on everything goes to its exporters, and the SDK that \`register\` had
started sends what it has and stops. \`REASONING_OTEL_SDK=off\` starts none in the first place.

## The end of the process

With the SDK that \`register\` started, a process ends as it would have without it, and nothing is lost:

| end | what happens |
| --- | --- |
| nothing left to do | what is unsent is sent, then the process ends |
| SIGTERM, SIGINT, SIGHUP without a listener of the application | what is unsent is sent (two seconds at most), then the signal does what it would have done; a second signal does so at once |
| the same with a listener of the application | what is unsent is sent; the listener decides the rest |
| \`process.exit()\`, uncaught error, unhandled rejection | one child process posts what is unsent, one second at most; \`REASONING_OTEL_EXIT_FLUSH=false\` switches it off |
| SIGKILL, \`process.abort()\`, out of memory | what is unsent is lost |

A worker thread counts as a process here, without the signals. The application's own SDK, where it has one, is left alone: flushing it
is the application's business.
`;

writeFileSync(new URL('../docs/configuration.md', import.meta.url), page);
