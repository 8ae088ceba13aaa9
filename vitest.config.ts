import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/agents/**', 'node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['test/helpers/build-once.ts'],
    setupFiles: ['test/helpers/isolate.ts'],
    pool: 'forks',
    // Most of a test's time is waiting for processes: one worker would leave half of the machine idle.
    maxWorkers: 2,
  },
});
