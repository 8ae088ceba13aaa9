import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const KEYS = ['agent', 'mode', 'max_iterations', 'max_attempts_per_task', 'no_progress_limit'];

describe('nearest', () => {
  it.each([
    ['agnet', 'agent'],
    ['Agent', 'agent'],
    ['modes', 'mode'],
    ['max-iterations', 'max_iterations'],
    ['max_iteration', 'max_iterations'],
    ['maxiterations', 'max_iterations'],
    ['max_attempts', 'max_attempts_per_task'],
    ['no_progess_limit', 'no_progress_limit'],
  ])('%s → %s', (typed, meant) => {
    expect(nearest(typed, KEYS)).toBe(meant);
  });

  it.each(['timeout', 'x', '', 'zzzzzz', 'budget', 'a'.repeat(5000)])('%s is near nothing', (typed) => {
    expect(nearest(typed, KEYS)).toBeNull();
  });

  it('finds an option by its name, not by its dashes', () => {
    const options = ['--version', '--format', '--cwd'];
    expect(nearest('--verson', options)).toBe('--version');
    expect(nearest('--form', options)).toBe('--format');
    expect(nearest('--reason', options)).toBeNull();
  });

  it('takes the first of equals and needs candidates', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
    expect(nearest('cat', [])).toBeNull();
  });

  it('counts swapped neighbours as one mistake', () => {
    expect(nearest('rnu', ['run'])).toBe('run');
  });

  it('finds a word in itself, and only ever a candidate', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 12 }), { maxLength: 8 }),
        fc.string({ maxLength: 12 }),
        (words, typed) => {
          const found = nearest(typed, words);
          expect(found === null || words.includes(found)).toBe(true);
          if (words.includes(typed) && typed.length >= 2) expect(found).not.toBeNull();
        },
      ),
      { numRuns: 200 },
    );
  });
});
