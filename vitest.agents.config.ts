import { defineConfig } from 'vitest/config';

// Started by scripts/test-agents.mjs, which installs the agents and says here where they are.
// RALPH_NIGHTS=FIRST-LAST says which nights each has.
const { AGENTS_INSTALLED = '[]', RALPH_RECORD = '', RALPH_NIGHTS = '1' } = process.env;
const [first = 1, last = first] = RALPH_NIGHTS.split('-').map(Number);

export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    setupFiles: ['test/helpers/setup.ts'],
    provide: { installed: JSON.parse(AGENTS_INSTALLED), record: RALPH_RECORD, nights: [first, last] },
    pool: 'forks',
    maxWorkers: 2,
  },
});
