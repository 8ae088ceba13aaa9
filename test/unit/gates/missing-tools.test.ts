import { describe, expect, it } from 'vitest';
import { failingTails, missingTools } from '../../../src/proof/gates/index.ts';
import { FAILED, MISSING, PASSED, result, spec, TIMED_OUT } from './inputs.ts';

describe('missingTools', () => {
  const found = [{ gate: 'lint', tool: 'swiftlint' }];

  it.each([
    ['fail', { fatal: found, warnings: [] }],
    ['warn', { fatal: [], warnings: found }],
    ['skip', { fatal: [], warnings: [] }],
  ] as const)('on_missing = "%s"', (onMissing, expected) => {
    expect(missingTools([result('lint', MISSING)], [spec('lint', { onMissing })])).toEqual(expected);
  });

  it.each(['warn', 'skip'] as const)(
    'stops for a required gate, whatever on_missing = "%s" says',
    (onMissing) => {
      const specs = [spec('lint', { onMissing, required: true })];
      expect(missingTools([result('lint', MISSING)], specs)).toEqual({ fatal: found, warnings: [] });
    },
  );

  it('reads missing tools alone', () => {
    expect(missingTools([result('a', FAILED), result('b', PASSED)], [spec('a'), spec('b')])).toEqual({
      fatal: [],
      warnings: [],
    });
  });
});

describe('failingTails', () => {
  it('is empty when nothing failed', () => {
    expect(failingTails([result('a', PASSED, 'out'), result('b', MISSING, 'out')], 100)).toBe('');
  });

  it('says how each gate ended and gives the end of its output', () => {
    const results = [
      result('a', FAILED, `${'x'.repeat(50)}end of a\n`),
      result('b', TIMED_OUT, 'short'),
      result('c', { kind: 'failed', exitCode: null, signal: 'SIGSEGV' }),
    ];
    expect(failingTails(results, 30)).toBe(
      ['a failed (exit 1)\nxxend of a', 'b timed out after 1 min\nshort', 'c failed (SIGSEGV)'].join('\n\n'),
    );
  });
});
