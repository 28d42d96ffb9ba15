import { defineConfig } from 'vitest/config';

/** Where `.ci/run` reads the counts from. */
const RESULTS = '.cache/stack-test-results.json';

/** `npm run test:stack`: what is shipped for the back end, on the real programs, which are built first. Needs Go. */
export default defineConfig({
  test: {
    include: ['test/stack/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: true,
    watch: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    globalSetup: ['scripts/ensure-built.ts', 'test/stack/support/build-stack.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: RESULTS }]] : ['default'],
  },
});
