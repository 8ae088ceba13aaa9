import { describe, expect, it } from 'vitest';
import { percentile } from './percentile.ts';

describe('percentile', () => {
  it.each([
    [[], 0.9, null],
    [[7], 0.9, 7],
    [[5, 1, 4, 2, 3], 0.9, 5],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.9, 9],
    [[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.5, 5],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
  ])('of %j at %d is %j', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});
