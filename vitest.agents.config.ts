import { defineConfig } from 'vitest/config';

// Started by scripts/test-agents.mjs, which installs the agents and says here where they are.
const { AGENTS_INSTALLED = '[]', RALPH_RECORD = '', RALPH_NIGHTS = '1' } = process.env;

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    setupFiles: ['test/helpers/setup.ts'],
    provide: { installed: JSON.parse(AGENTS_INSTALLED), record: RALPH_RECORD, nights: Number(RALPH_NIGHTS) },
    pool: 'forks',
    maxWorkers: 2,
  },
});
