import { defineConfig, type UserConfig } from 'tsdown';

const library = {
  index: 'src/index.ts',
  register: 'src/register/register.ts',
  simulator: 'src/simulator/index.ts',
  testing: 'src/testing.ts',
};

const common: UserConfig = {
  platform: 'node',
  // The lowest Node that loads a hook given with --import and has module.register.
  target: 'node20.6',
  fixedExtension: false,
  // Everything in "dependencies" stays outside; a bundled copy of OpenTelemetry would be a second OpenTelemetry.
  deps: { onlyBundle: [] },
};

export default defineConfig([
  // One ESM build for all, so that the command and the library share their chunks. The command is only ever run.
  { ...common, entry: { ...library, cli: 'src/cli/cli.ts' }, format: 'esm', dts: true },
  { ...common, entry: library, format: 'cjs', dts: true },
  // A child process of its own, which is to be up at once.
  { ...common, entry: { 'post-at-exit': 'src/register/post-at-exit.ts' }, format: 'cjs', dts: false },
]);
