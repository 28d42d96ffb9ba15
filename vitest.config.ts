import { defineConfig } from 'vitest/config';

/** Where `.ci/run` reads the counts from. */
const RESULTS = '.cache/test-results.json';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // On the real programs, with a command of their own: npm run test:stack.
    exclude: ['**/node_modules/**', 'test/stack/**'],
    // Each file in a process of its own: OpenTelemetry's globals and loader hooks cannot be undone in one.
    pool: 'forks',
    maxWorkers: 2,
    isolate: true,
    watch: false,
    // Children are started on a shared two-core machine; a limit here is for what hangs, not for what is slow.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ['scripts/ensure-built.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: RESULTS }]] : ['default'],
  },
});
