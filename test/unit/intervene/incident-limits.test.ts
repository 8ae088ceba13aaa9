import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Limits, Resources } from '../../../src/domain/intervention.ts';
import { stricterLimits } from '../../../src/respond/intervene/index.ts';

const NONE: Limits = { fileOperations: 0, memoryMb: 0, tokens: 0, executionSeconds: 0, batchSize: 0 };
const UNUSED: Resources = { fileOperations: 0, memoryMb: 0, tokens: 0, durationMs: 0 };

describe('stricterLimits', () => {
  it.each<[what: string, limits: Partial<Limits>, used: Partial<Resources>, expected: Partial<Limits>]>([
    ['file operations', { fileOperations: 201 }, { fileOperations: 900 }, { fileOperations: 100 }],
    ['file operations, 5 at least', { fileOperations: 8 }, {}, { fileOperations: 5 }],
    ['file operations that were below 5 already', { fileOperations: 3 }, {}, { fileOperations: 3 }],
    ['file operations that had no limit', {}, { fileOperations: 40 }, { fileOperations: 20 }],
    ['memory', { memoryMb: 4096 }, { memoryMb: 100 }, { memoryMb: 2048 }],
    ['memory, 128 MiB at least', { memoryMb: 200 }, {}, { memoryMb: 128 }],
    ['memory that had no limit', {}, { memoryMb: 5000.6 }, { memoryMb: 2500 }],
    ['tokens', { tokens: 50_000 }, {}, { tokens: 25_000 }],
    ['tokens, 1000 at least', {}, { tokens: 1200 }, { tokens: 1000 }],
    ['time', { executionSeconds: 601 }, { durationMs: 9 }, { executionSeconds: 300 }],
    ['time that had no limit', {}, { durationMs: 400_000 }, { executionSeconds: 200 }],
    ['time that had no limit, of a short attempt', {}, { durationMs: 3000 }, { executionSeconds: 60 }],
    ['criteria', { batchSize: 5 }, {}, { batchSize: 2 }],
    ['one criterion', { batchSize: 1 }, {}, { batchSize: 1 }],
    ['nothing that is known', {}, {}, NONE],
  ])('halves %s', (_what, limits, used, expected) => {
    expect(stricterLimits({ ...NONE, ...limits }, { ...UNUSED, ...used })).toMatchObject(expected);
  });

  it('never allows more than before, and never takes a limit away', () => {
    const amount = fc.nat(10_000);
    const limits = fc.record({
      ...{ fileOperations: amount, memoryMb: amount, tokens: amount },
      ...{ executionSeconds: amount, batchSize: amount },
    });
    const used = fc.record({ fileOperations: amount, memoryMb: amount, tokens: amount, durationMs: amount });
    fc.assert(
      fc.property(limits, used, (before, seen) => {
        const after = stricterLimits(before, seen);
        for (const name of Object.keys(before) as (keyof Limits)[]) {
          if (before[name] > 0) expect(after[name]).toBeLessThanOrEqual(before[name]);
          if (before[name] > 0) expect(after[name]).toBeGreaterThan(0);
        }
      }),
    );
  });
});
