import { expect, it } from 'vitest';
import { RUNNER_NAMES, RUNNERS } from './index.ts';

it('the names of runners are those of all that are read, in their order, and each once', () => {
  expect(RUNNERS.map(({ name }) => name)).toEqual(RUNNER_NAMES);
  expect(new Set(RUNNER_NAMES).size).toBe(RUNNER_NAMES.length);
});
