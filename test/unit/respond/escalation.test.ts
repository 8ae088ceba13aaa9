import { expect, test } from 'vitest';
import { escalate } from '../../../src/respond/table.ts';

test.each([
  ['role', 1, 'correct', ''],
  ['role', 2, 'replace', ''],
  ['role', 3, 'person', 're-scope the task'],
  ['system', 1, 'correct', ''],
  ['system', 2, 'pause', ''],
  ['system', 3, 'person', 'something systemic is wrong'],
  ['policy', 1, 'correct', ''],
  ['policy', 2, 'force_stop', ''],
  ['policy', 3, 'person', 'a limit is reached'],
  ['policy', 9, 'person', 'a limit is reached'],
] as const)('%s, time %i: %s', (layer, times, step, asks) =>
  expect(escalate(layer, 'x', times)).toEqual({ layer, issue: 'x', times, step, asks }),
);
