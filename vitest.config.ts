import { defineConfig } from 'vitest/config';
import { TAGS, taggedFiles } from './test/helpers/tags.ts';

/** A kind of test: the folder below `test/` that holds it. */
function project(name: string, settings: object) {
  const tags = [...TAGS];
  return {
    extends: true as const,
    test: { name, tags, include: [`test/${name}/**/*.test.ts`], ...settings },
  };
}

/** Files of tests by the tag on their first line, which moves them out of their kind and so out of `npm test`. */
const TAGGED = taggedFiles(import.meta.dirname);
const ELSEWHERE = Object.values(TAGGED).flat();
/** Tests beside the code of packages that touch the world. */
const WORLD = ['packages/box/src/**/*.test.ts', 'packages/kit/src/{files,programs}/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['test/helpers/setup.ts'],
    projects: [
      // Values in, values out: they share one process each worker, so that a module is read once.
      project('unit', {
        include: ['test/unit/**/*.test.ts', 'packages/*/src/**/*.test.ts'],
        pool: 'threads',
        isolate: false,
        maxWorkers: 2,
        sequence: { groupOrder: 0 },
        exclude: [...ELSEWHERE, ...WORLD],
      }),
      project('architecture', { pool: 'forks', maxWorkers: 3, sequence: { groupOrder: 1 } }),
      project('integration', {
        include: ['test/integration/**/*.test.ts', ...WORLD],
        pool: 'forks',
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        exclude: ELSEWHERE,
      }),
      project('e2e', {
        pool: 'forks',
        // Most of their time is waiting for processes: fewer workers would leave a part of the machine idle.
        maxWorkers: 3,
        sequence: { groupOrder: 1 },
        globalSetup: ['test/helpers/build-once.ts'],
        exclude: ELSEWHERE,
      }),
      ...TAGS.map(({ name }) =>
        project(name, {
          pool: 'forks',
          // Some are a dozen runs of ralph, on a machine that does other things, too: only what hangs takes longer.
          testTimeout: 600_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          globalSetup: ['test/helpers/build-once.ts'],
          include: TAGGED[name],
        }),
      ),
    ],
  },
});
