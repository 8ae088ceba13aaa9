import { describe, expect, it } from 'vitest';
import { freeNumber, isUsed } from '../../../src/git/copies/slots.ts';

describe('slots', () => {
  it('get the smallest number that is free', () => {
    expect(freeNumber(new Set())).toBe(1);
    expect(freeNumber(new Set([1, 2, 4]))).toBe(3);
  });

  it('are used while their copy is open, a worker’s only beside other workers', () => {
    const open = new Set([2]);
    expect(isUsed({ open, workers: new Set() }, '/slots/c2')).toBe(true);
    expect(isUsed({ open, workers: new Set() }, '/slots/c1')).toBe(false);
    expect(isUsed({ open, workers: new Set(['/slots/1']) }, '/slots/1')).toBe(false);
    expect(isUsed({ open, workers: new Set(['/slots/1', '/slots/2']) }, '/slots/1')).toBe(true);
  });
});
