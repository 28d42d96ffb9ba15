import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    register: 'src/register/register.ts',
    simulator: 'src/simulator/index.ts',
    cli: 'src/cli/cli.ts',
  },
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20',
  dts: true,
  clean: true,
  fixedExtension: false,
});
