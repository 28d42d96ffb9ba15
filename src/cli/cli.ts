#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { audit } from '../audit/audit.ts';
import { VERSION } from '../version.ts';
import { DEFAULT_PORT, watch } from '../watch/watch.ts';
import { experiment } from './experiment.ts';
import { type CliSettings, readCliSettings } from './read-cli-settings.ts';

/** Also the exit code of the audit for input that it cannot read. */
const USAGE_ERROR = 2;

const warn = (line: string): void => {
  process.stderr.write(`reasoning-otel: ${line}\n`);
};

const parsePort = (value: string): number => {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
};

/** The commands; each sets the exit code by the number that it returns. */
const build = (finish: (code: number) => void, settings: CliSettings): Command => {
  const program = new Command('reasoning-otel')
    .description("Tells whether a model's reasoning survives an agent's tool loop.")
    .version(VERSION, '-v, --version')
    .enablePositionalOptions()
    .exitOverride()
    // One line for each mistake: a suggestion stays on the line of the mistake.
    .configureOutput({
      outputError: (text) =>
        warn(
          text
            .replace(/^error: /, '')
            .trim()
            .replaceAll(/\s*\n\s*/g, ' '),
        ),
    });

  const usable = (): boolean => {
    for (const problem of settings.problems) warn(problem);
    if (settings.problems.length > 0) finish(USAGE_ERROR);
    return settings.problems.length === 0;
  };

  program
    .command('watch')
    .description('receive OTLP and show each run in the terminal, step by step')
    .usage('[--port <port>] [-- command …]')
    .argument('[command...]', 'program to start with the instrumentation loaded; without one, watch until Ctrl-C')
    .option('-p, --port <port>', `port to listen on, on loopback (default: ${DEFAULT_PORT})`, parsePort)
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  reasoning-otel watch -- node agent.js')
    .action(async (command: string[], options: { port?: number }) => {
      if (!usable()) return;
      finish(
        await watch({
          command,
          ...(options.port === undefined ? {} : { port: options.port }),
          // Next to this file in the published package.
          register: new URL('./register.js', import.meta.url).href,
          env: process.env,
          out: process.stdout,
          warn,
        }),
      );
    });

  program
    .command('audit')
    .description('judge recorded traffic: what was expected, returned and lost, where, and what to do')
    .argument('<file...>', 'transcripts: JSON, or JSON Lines of steps')
    .option('--json', 'one line of JSON a file', false)
    .addHelpText('after', '\nExits 0 when nothing is lost, 1 with findings, 2 on input that it cannot read.')
    .action(async (files: string[], options: { json: boolean }) => {
      if (!usable()) return;
      const write = (line: string): void => {
        process.stdout.write(`${line}\n`);
      };
      finish(await audit(files, { json: options.json, dialects: settings.dialects, write, warn }));
    });

  program
    .command('experiment')
    .description('run the tasks of a module with reasoning carried and with it left out, and compare')
    .argument('<module>', 'module that exports tasks, agent and judge')
    .option('--seed <seed>', 'of the order of the runs, and of what the agent gets as its own')
    .option('--arms <arms>', 'what is compared (default: intact,stripped); intact,intact for a control')
    .option('--json', 'the report as JSON', false)
    .addHelpText('after', '\nExits 0 when it has run, 2 on a module or options that it cannot use.')
    .action(async (file: string, options: { seed?: string; arms?: string; json: boolean }) => {
      if (!usable()) return;
      const write = (line: string): void => {
        process.stdout.write(`${line}\n`);
      };
      finish(await experiment(file, { ...options, write, warn }));
    });

  return program;
};

// The reader of a pipe may leave first (`| head`): no fault of ours, and nobody is left to be told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await build((code) => {
    process.exitCode = code;
  }, readCliSettings(process.env)).parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander's own code is 0 for help and version, 1 for every mistake.
  process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
}
