import { expect, it } from 'vitest';
import { outdated } from '../../../src/git/checkpoints.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const aged = (...minutes: number[]) => minutes.map((age) => ({ ref: `${age}`, at: NOW - age * MINUTE }));

it.each([
  ['the newest are kept, however old', 2, 30, [100, 200, 300], ['300']],
  ['the young are kept, however many', 1, 30, [1, 2, 3, 29], []],
  ['the longer of the two decides', 2, 30, [10, 20, 25, 31, 40], ['31', '40']],
  ['none is kept when both say so', 0, 0, [1, 2], ['1', '2']],
  ['the order they come in does not matter', 1, 30, [90, 40, 60], ['60', '90']],
] as const)('%s', (_what, keep, retentionMinutes, ages, gone) => {
  expect(outdated(aged(...ages), { keep, retentionMinutes }, NOW)).toEqual(gone);
});
