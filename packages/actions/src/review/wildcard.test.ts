import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsWildcard } from './wildcard.ts';

describe('a pattern with stars', () => {
  it.each([
    ['kubectl', 'kubectl', true],
    ['kubectl', 'kube', false],
    ['kubectl get', 'kube*', true],
    ['config/prod/a/b.yml', 'config/prod/*', true],
    ['a.test.ts', '*.test.ts', true],
    ['a.test.tsx', '*.test.ts', false],
    ['aXbXc', 'a*b*c', true],
    ['ac', 'a*b*c', false],
    ['abab', '*ab', true],
    ['ab', 'a*b*b', false],
    ['x1y', 'x?y', true],
    ['xy', 'x?y', false],
    ['dev', 'prod|dev', true],
    ['', '*', true],
    ['', '', true],
    ['a.b', 'a[b', false],
  ])('%j and %j: %s', (text, pattern, expected) => expect(fitsWildcard(text, pattern)).toBe(expected));

  it('finds whatever stands between stars', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, middle, after) => {
        const plain = middle.replace(/[*?|]/g, '').slice(0, 100);
        expect(fitsWildcard(before + plain + after, `*${plain}*`)).toBe(true);
      }),
    );
  });
});
